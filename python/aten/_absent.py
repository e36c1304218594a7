"""Names that PyTorch has and this package doesn't, with the reason and what to use: for AttributeErrors, and
for docs/reference/names.md."""

from __future__ import annotations

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    import types

# What each kind of absent names is about, and what to use.
REASONS = {
    "sparse": "there are only strided tensors; use dense ones",
    "quantized": "there are no quantized tensors; use int8 tensors with scales of your own",
    "nested": "there are no nested tensors; use padded ones with a mask",
    "dtype": "there are no elements of less than 8 bits, of 8-bit floating point, or of plain bits",
    "storage": "memory has no dtype: use Tensor.untyped_storage()",
    "distributed": "there are no collective operations between processes",
    "processes": "aten.multiprocessing sends and shares tensors",
    "compiler": "nothing compiles or traces programs here; aten.export runs those that PyTorch exported",
    "symbols": "shapes are integers; use Python's functions on them",
    "transforms": "there are no recorded functions; use Python's if and while",
    "modules": "there are aten.nn, aten.optim and aten.utils.data, but not this yet",
    "backend": "belongs to another backend; use the operator without the prefix",
    "devices": "there are the devices cpu, cuda and meta, and those that a program registers",
    "files": "load() runs no code from files; aten.export.load reads exported programs",
    "runtime": "a setting or part of PyTorch's own runtime",
    "imported": "a module or name that PyTorch imports for itself",
    "removed": "PyTorch has the name, but says in an error what replaced it; use that of linalg",
    "legacy": "PyTorch keeps the name for old programs",
    "linalg": "no operator of that decomposition is there; use those of linalg",
}

# By place ("": the package), then by reason.
ABSENT = {
    "": {
        "sparse": "ccol_indices_copy col_indices_copy crow_indices_copy dsmm hsmm hspmm indices_copy "
        "native_norm resize_as_sparse_ row_indices_copy saddmm smm sparse sparse_bsc "
        "sparse_bsc_tensor sparse_bsr sparse_bsr_tensor sparse_compressed_tensor sparse_coo "
        "sparse_coo_tensor sparse_csc sparse_csc_tensor sparse_csr sparse_csr_tensor spmm "
        "sspaddmm values_copy",
        "quantized": "QInt32Storage QInt8Storage QUInt2x4Storage QUInt4x2Storage QUInt8Storage ao "
        "choose_qparams_optimized dequantize empty_quantized fake_quantize_per_channel_affine "
        "fake_quantize_per_tensor_affine fbgemm_linear_fp16_weight "
        "fbgemm_linear_fp16_weight_fp32_activation fbgemm_linear_int8_weight "
        "fbgemm_linear_int8_weight_fp32_activation fbgemm_linear_quantize_weight "
        "fbgemm_pack_gemm_matrix_fp16 fbgemm_pack_quantized_matrix "
        "fused_moving_avg_obs_fake_quant int_repr per_channel_affine "
        "per_channel_affine_float_qparams per_channel_symmetric per_tensor_affine "
        "per_tensor_symmetric q_per_channel_axis q_per_channel_scales q_per_channel_zero_points "
        "q_scale q_zero_point qint32 qint8 qscheme quantization quantize_per_channel "
        "quantize_per_tensor quantize_per_tensor_dynamic quantized_batch_norm quantized_gru "
        "quantized_gru_cell quantized_lstm quantized_lstm_cell quantized_max_pool1d "
        "quantized_max_pool2d quantized_max_pool3d quantized_rnn_relu_cell "
        "quantized_rnn_tanh_cell quint2x4 quint4x2 quint8",
        "nested": "jagged nested",
        "dtype": "bit bits16 bits1x8 bits2x4 bits4x2 bits8 float4_e2m1fn_x2 float8_e4m3fn float8_e4m3fnuz "
        "float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int1 int2 int3 int4 int5 int6 int7 uint1 "
        "uint2 uint3 uint4 uint5 uint6 uint7",
        "storage": "BFloat16Storage BoolStorage ByteStorage CharStorage ComplexDoubleStorage "
        "ComplexFloatStorage DoubleStorage FloatStorage HalfStorage IntStorage LongStorage "
        "ShortStorage Storage StorageBase TypedStorage storage",
        "distributed": "AVG AggregationType PRIVATE_OPS SUM distributed",
        "processes": "prepare_multiprocessing_environment",
        "compiler": "AliasDb AnyType Argument ArgumentSpec AwaitType Block BoolType CallStack Capsule "
        "ClassType Code CompilationUnit CompleteArgumentSpec ComplexType ConcreteModuleType "
        "ConcreteModuleTypeBuilder DeepCopyMemoTable DeserializationStorageContext DeviceObjType "
        "DictType EnumType ErrorReport ExecutionPlan FileCheck FloatType FunctionSchema Future "
        "FutureType Gradient Graph GraphExecutorState IODescriptor InferredType IntType "
        "InterfaceType JITException ListType LiteScriptModule LockingLogger LoggerBase Node "
        "NoneType NoopLogger NumberType OperatorInfo OptionalType PyObjectType PyTorchFileReader "
        "PyTorchFileWriter RRefType ScriptClass ScriptClassFunction ScriptDict ScriptDictIterator "
        "ScriptDictKeyIterator ScriptFunction ScriptList ScriptListIterator ScriptMethod "
        "ScriptModule ScriptModuleSerializer ScriptObject ScriptObjectProperty "
        "SerializationStorageContext StaticModule StreamObjType StringType SymBoolType SymIntType "
        "TensorType ThroughputBenchmark TracingState TupleType Type UnionType Use Value classes "
        "compile compiler cpp fork futures fx import_ir_module import_ir_module_from_buffer jit "
        "merge_type_from_type_comment parse_ir parse_schema parse_type_comment unify_type_list "
        "wait",
        "symbols": "SymBool SymFloat SymInt sym_constrain_range sym_constrain_range_for_size sym_float "
        "sym_fresh_size sym_int sym_ite sym_max sym_min sym_not sym_sqrt sym_sum",
        "transforms": "cond while_loop",
        "modules": "BufferDict ModuleDict ParameterDict hub masked quasirandom signal",
        "backend": "batch_norm_backward_elemt batch_norm_backward_reduce batch_norm_elemt "
        "batch_norm_gather_stats batch_norm_gather_stats_with_counts batch_norm_stats "
        "cudnn_affine_grid_generator cudnn_batch_norm cudnn_convolution "
        "cudnn_convolution_add_relu cudnn_convolution_relu cudnn_convolution_transpose "
        "cudnn_grid_sampler cudnn_is_acceptable miopen_batch_norm miopen_convolution "
        "miopen_convolution_add_relu miopen_convolution_relu miopen_convolution_transpose "
        "miopen_ctc_loss miopen_depthwise_convolution miopen_rnn mkldnn_adaptive_avg_pool2d "
        "mkldnn_convolution mkldnn_linear_backward_weights mkldnn_max_pool2d mkldnn_max_pool3d "
        "mkldnn_rnn_layer",
        "devices": "accelerator get_autocast_ipu_dtype get_autocast_xla_dtype get_device_module "
        "is_autocast_ipu_enabled is_autocast_xla_enabled set_autocast_ipu_dtype set_autocast_ipu_enabled "
        "set_autocast_xla_dtype set_autocast_xla_enabled is_vulkan_available mps mtia xpu",
        "files": "package",
        "runtime": "AcceleratorError BenchmarkConfig BenchmarkExecutionStats DisableTorchFunction "
        "DispatchKey DispatchKeySet ExcludeDispatchKeyGuard FatalError OutOfMemoryError "
        "USE_GLOBAL_DEPS USE_RTLD_GLOBAL_WITH_LIBTORCH classproperty functional get_file_path "
        "get_num_interop_threads has_lapack has_mkl has_openmp has_spectral init_num_threads "
        "is_warn_always_enabled monitor "
        "profiler_allow_cudagraph_cupti_lazy_reinit_cuda12 return_types set_flush_denormal "
        "set_num_interop_threads set_warn_always thread_safe_generator torch_version types "
        "version",
        "imported": "TYPE_CHECKING builtins ctypes functools glob importlib inspect math os platform "
        "sys textwrap threading warnings windows",
        "removed": "eig lstsq matrix_rank solve symeig",
        "legacy": "legacy_contiguous_format",
        "linalg": "lobpcg",
    },
    "Tensor": {
        "sparse": "ccol_indices coalesce col_indices crow_indices dense_dim indices is_coalesced "
        "resize_as_sparse_ row_indices smm sparse_dim sparse_mask sparse_resize_ "
        "sparse_resize_and_clear_ sspaddmm to_mkldnn to_sparse to_sparse_bsc to_sparse_bsr "
        "to_sparse_coo to_sparse_csc to_sparse_csr values",
        "quantized": "dequantize int_repr q_per_channel_axis q_per_channel_scales q_per_channel_zero_points "
        "q_scale q_zero_point qscheme",
        "nested": "to_padded_tensor",
        "storage": "storage storage_type",
        "devices": "ipu mtia xpu",
        "removed": "eig lstsq solve symeig",
        "runtime": "__dlpack_c_exchange_api__ __setstate__ __torch_dispatch__ __weakref__",
        "legacy": "__div__ __idiv__ __long__ __nonzero__ __rdiv__ reinforce volatile",
    },
    "linalg": {"imported": "common_notes"},
    "special": {"imported": "Tensor common_args multi_dim_common torch"},
    "fft": {"imported": "Tensor common_args factory_common_args torch"},
    "nn.functional": {
        "dtype": "ScalingType SwizzleType scaled_grouped_mm scaled_mm",
        "imported": "BroadcastingList1 BroadcastingList2 BroadcastingList3 Callable DType "
        "GRID_SAMPLE_INTERPOLATION_MODES GRID_SAMPLE_PADDING_MODES Optional TYPE_CHECKING Tensor "
        "assert_int_or_pair boolean_dispatch dataclasses grad handle_torch_function has_torch_function "
        "has_torch_function_unary has_torch_function_variadic importlib math np reproducibility_notes "
        "sparse_support_notes tf32_notes torch warnings",
    },
}


def reason_kind(place: str, name: str) -> str | None:
    """Returns the kind of a name that the place doesn't have; None for a name that is not PyTorch's."""
    return next((kind for kind, names in ABSENT[place].items() if name in names.split()), None)


def reason_of(place: str, name: str) -> str | None:
    """Returns why the place doesn't have the name, and what to use; None for a name that is not PyTorch's."""
    kind = reason_kind(place, name)
    return None if kind is None else REASONS[kind]


def error(owner: str, place: str, name: str) -> AttributeError:
    """Returns the error for an attribute that isn't there."""
    reason = reason_of(place, name)
    text = f"{owner} has no attribute {name!r}"
    return AttributeError(text if reason is None else f"{text}: PyTorch has it, but here {reason}", name=name)


def add_getattr(module: types.ModuleType, place: str, lazy: dict[str, str] | None = None) -> None:
    """Gives the module's AttributeErrors for absent names their reason. What `lazy` names is imported when a
    program asks for it: a submodule, or what the submodule that is the value has."""
    lazy = lazy or {}

    def __getattr__(name: str) -> object:
        if name in lazy:
            import importlib

            found = importlib.import_module(f"{module.__name__}.{lazy[name] or name}")
            return getattr(found, name) if lazy[name] else found
        raise error(f"module {module.__name__!r}", place, name)

    def __dir__() -> list[str]:
        """Leaves out what the file imports for itself: modules of other packages, and __future__'s names."""
        package = module.__name__.partition(".")[0]
        modules = ((n, v.__name__) for n, v in vars(module).items() if isinstance(v, type(module)))
        foreign = {n for n, name in modules if name.partition(".")[0] != package}
        return sorted({*vars(module), *lazy} - foreign - {"annotations"})

    vars(module)["__getattr__"] = __getattr__
    vars(module)["__dir__"] = __dir__


class AbsentMember:
    """A name that PyTorch's Tensor has and ours has not: as if it weren't there, but the error says why.

    It is in the class, since a __getattr__ would make all attributes slower.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type) -> object:
        raise error(f"{owner.__name__!r} object", "Tensor", self.name)


def add_members(cls: type) -> None:
    """Adds the absent names to the class, but those that it has after all."""
    for names in ABSENT["Tensor"].values():
        for name in names.split():
            if not hasattr(cls, name):
                setattr(cls, name, AbsentMember(name))
