"""What PyTorch's test helpers and test files import or read and this library doesn't have: tables by module.

Nothing here does what PyTorch's does. A name is a constant that says a feature is not built in, or a class
whose use raises `NotHere`, which the page of results counts as not applicable.
"""

from __future__ import annotations

import contextlib
import types
from typing import Any, NoReturn

# Modules that are PyTorch's own files: its test helpers, and what these compare and walk tensors with.
HELPERS = (
    "_vendor",
    "nn._reduction",
    "testing._comparison",
    "testing._internal",
    "testing._utils",
    "utils._foreach_utils",
    "utils._import_utils",
    "utils._pytree",
)
# Names that these use of modules that are here: they are taken from PyTorch's file of the module.
BORROWED = {
    "types": "_TensorOrTensors _TensorOrOptionalTensors Number Device _dtype _device _size",
    "autograd.gradcheck": "_get_numerical_jacobian _iter_tensors get_numerical_jacobian "
    "get_analytical_jacobian",
}
# Modules of the helpers that are replaced by smaller ones: those of the samples of all operators.
REPLACED = {"testing._internal.common_methods_invocations": "testing._internal.opinfo.core"}
# A package of the helpers whose own file isn't run, as it imports these samples.
UNRUN = "testing._internal.opinfo"
# Modules that are absent with all that is below them; every name in them is a class that can't be used.
ABSENT_MODULES = (
    "_C _dynamo _export _guards _higher_order_ops _inductor _lazy _library _logging _prims "
    "_refs _subclasses _utils _utils_internal _vmap_internals ao autograd._functions "
    "autograd.profiler_util backends.cusparselt backends.python_native backends.quantized "
    "backends.xnnpack cpu cuda.profiler distributions.dirichlet fx hpu masked nested "
    "nn.parallel._functions onnx profiler.itt sparse utils._cxx_pytree utils._device utils._dtype_abbrs "
    "utils._mode_utils utils._traceback utils._triton utils.collect_env utils.cpp_extension "
    "utils.data._utils.worker utils.data.datapipes utils.deterministic utils.hipify utils.weak xpu.memory"
).split()
# Absent names of modules that are here; each is a class that can't be used.
ABSENT_NAMES = {
    "": "CharStorage DispatchKey FloatStorage SymBool SymFloat SymInt TypedStorage float4_e2m1fn_x2 "
    "float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu jagged per_channel_affine "
    "per_channel_affine_float_qparams per_channel_symmetric per_tensor_affine per_tensor_symmetric "
    "qint32 qint8 qscheme quint2x4 quint4x2 quint8 sparse_bsc sparse_bsr sparse_compressed_tensor "
    "sparse_coo sparse_coo_tensor sparse_csc sparse_csr sparse_csr_tensor",
    "autograd": "_calculate_shape",
    "autograd.function": "InplaceFunction",
    "distributions.kl": "_kl_expfamily_expfamily",
    "distributions.transforms": "_InverseTransform",
    "overrides": "enable_reentrant_dispatch",
    "serialization": "SourceChangeWarning check_module_version_greater_or_equal get_default_load_endianness "
    "set_default_load_endianness LoadEndianness",
    "storage": "TypedStorage",
    "utils._python_dispatch": "return_and_correct_aliasing",
    "utils.data": "IterDataPipe MapDataPipe",
    "optim": "SparseAdam",
    "nn": "Container CrossMapLRN2d NLLLoss2d",
    "cuda": "FloatTensor DoubleTensor HalfTensor LongTensor IntTensor",
    "backends.mkldnn": "flags",
}


def _nothing(*args: object, **kwargs: object) -> None:
    pass


def _false(*args: object, **kwargs: object) -> bool:
    return False


def _unloaded(*args: object) -> NoReturn:
    raise NotImplementedError("the samples of all operators are not loaded")


class _Precision:
    """What `torch.backends.*.matmul` and the like are: settings."""

    fp32_precision = "none"
    allow_tf32 = False


# Constants, and functions of the helpers that set up a test.
VALUES: dict[str, dict[str, Any]] = {
    "": {
        "_nnpack_available": _false,
        "_mkldnn": None,
        "_disable_dynamo": lambda function, *args: function,
        "set_warn_always": _nothing,
        "is_warn_always_enabled": _false,
    },
    "_C": {
        "has_lapack": True,
        "has_mkl": False,
        "has_openmp": True,
        "_has_mkldnn": False,
        "has_spectral": True,
        "_get_cpu_capability": lambda: "DEFAULT",
        "_get_privateuse1_backend_name": lambda: "privateuseone",
        "_jit_set_profiling_executor": _false,
        "_get_graph_executor_optimize": _false,
        "_jit_set_num_profiled_runs": lambda *args: 1,
        "_DisableFuncTorch": contextlib.nullcontext,
        "_TorchFunctionState": types.SimpleNamespace(ENABLED=None),
        "_get_torch_function_state": _nothing,
        "_len_torch_function_stack": lambda: 0,
        "_set_torch_function_state": _nothing,
    },
    "_dynamo": {"reset": _nothing},
    "_dynamo.compiled_autograd": {"reset": _nothing},
    "_dynamo.config": {
        "compiled_autograd": False,
        "log_compilation_metrics": False,
        "suppress_errors": False,
    },
    "_export.wrappers": {"mark_subclass_constructor_exportable_experimental": lambda function: function},
    "_inductor.config": {"patch": lambda *args, **kwargs: lambda function: function},
    "_inductor.utils": {"GPU_TYPES": ["cuda", "mps", "xpu", "mtia"]},
    "_library.opaque_object": {"is_opaque_type": _false, "is_opaque_value": _false},
    "_logging.scribe": {"open_source_signpost": _nothing},
    "_utils": {"_is_privateuse1_backend_available": _false, "is_compiling": _false},
    "_utils_internal": {"get_writable_path": lambda path: path, "IS_FBSOURCE": False},
    "ao.nn.qat.modules": {"__all__": ()},
    "ao.nn.quantizable.modules": {"__all__": ()},
    "ao.nn.quantized.modules": {"__all__": ()},
    "autograd": {"kineto_available": _false},
    "backends": {"disable_global_flags": _nothing},
    "backends.cuda": {
        "matmul": _Precision,
        "preferred_blas_library": _nothing,
        "preferred_linalg_library": _nothing,
        "preferred_rocm_fa_library": _nothing,
    },
    "backends.cudnn": {"conv": _Precision, "rnn": _Precision, "is_acceptable": _false},
    "backends.mkldnn": {"matmul": _Precision, "conv": _Precision, "rnn": _Precision},
    "backends.python_native": {"all_dsls": ()},
    "backends.quantized": {"supported_engines": (), "engine": "none"},
    "backends.xnnpack": {"enabled": False},
    "compiler": {"set_stance": _nothing},
    "cpu": {"get_capabilities": dict, "current_device": lambda: "cpu", "_is_avx2_supported": _false},
    "cuda": {
        "is_initialized": _false,
        "is_tf32_supported": _false,
        "has_magma": False,
        "set_sync_debug_mode": _nothing,
    },
    "hpu": {"is_available": _false},
    "onnx": {"producer_version": "0"},
    "utils._mode_utils": {"no_dispatch": contextlib.nullcontext},
    "utils.cpp_extension": {"ROCM_HOME": None, "CUDA_HOME": None},
    "storage": {
        "_get_always_warn_typed_storage_removal": _false,
        "_set_always_warn_typed_storage_removal": _nothing,
    },
    "sparse": {
        "check_sparse_tensor_invariants": types.SimpleNamespace(
            is_enabled=_false, enable=_nothing, disable=_nothing
        )
    },
    "testing._internal.opinfo.core": {"op_db": [], "mask_not_all_zeros": _unloaded},
    "utils.data._utils": {"MP_STATUS_CHECK_INTERVAL": 5.0},
    "profiler.itt": {"is_available": _false},
    "overrides": {"is_tensor_like": lambda value: hasattr(value, "__torch_function__")},
    "utils._triton": {"has_triton": _false},
    "utils.deterministic": {"fill_uninitialized_memory": False},
}

# Names of the helpers that test files of other versions of PyTorch import, with those of today's.
FORMER: dict[str, dict[str, Any]] = {
    "testing._internal.common_cuda": {"tf32_is_not_fp32": _false},
    "testing._internal.common_mkldnn": {"bf32_on_and_off": lambda *args: lambda function: function},
    "testing._internal.common_nn": {"new_module_tests": "get_new_module_tests()"},
    "testing._internal.common_utils": {"skipIfMps": "skipIfMPS"},
}
