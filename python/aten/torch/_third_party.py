"""Names that packages for PyTorch, such as transformers, timm and torchvision, import or ask for: tables as
in _names.py."""

from __future__ import annotations

from platform import machine

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

HOMES = {
    "": {
        "_absent_dtypes": "finfo float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz",
    },
    "_C": {
        ".library": "DispatchKeySet",
        ".overrides": "DisableTorchFunctionSubclass",
        "_dispatch_keys": "DispatchKey",
    },
    "_dynamo._trace_wrapped_higher_order_op": {"_indexing": "TransformGetItemToIndex"},
    "hub": {
        "_hub": "HASH_REGEX _get_torch_home download_url_to_file get_dir load_state_dict_from_url set_dir "
        "urlparse"
    },
    "jit": {"_annotations": "annotate"},
    "jit.annotations": {
        "_annotations": "BroadcastingList1 BroadcastingList2 BroadcastingList3 Dict List Optional Tuple"
    },
    "library": {"_fakes": "register_fake"},
    "nn.modules.utils": {
        ".nn.modules._arguments": "_ntuple _pair _quadruple _reverse_repeat_tuple _single _triple"
    },
    "types": {
        "_annotations": "Device FileLike Number _Number _TensorOrTensors _bool _bytes _complex _device "
        "_dtype _float _int _layout _size _str"
    },
    "utils.model_zoo": {"_hub": "load_url=load_state_dict_from_url tqdm"},
    "utils._pytree": {
        "_pytree": "MappingKey SequenceKey TreeSpec _dict_flatten _dict_flatten_with_keys _dict_unflatten "
        "_register_pytree_node register_pytree_node tree_all tree_any tree_flatten tree_iter tree_leaves "
        "tree_map tree_map_ tree_map_only tree_structure tree_unflatten"
    },
}
ANSWERS: dict[str, dict[str, Any]] = {
    "_C": {"_get_tracing_state": None, "_log_api_usage_once": None},
    "_dynamo": {
        "is_compiling": False,
        "mark_dynamic": None,
        "mark_static": None,
        "mark_static_address": None,
        "reset": None,
    },
    "_dynamo.utils": {"is_compile_supported": False},
    # By it torchvision chooses between kernels for bytes and for floats; those for bytes are here.
    "backends.cpu": {"get_cpu_capability": "AVX2" if machine() in ("x86_64", "AMD64") else "DEFAULT"},
    "onnx": {"is_in_onnx_export": False, "register_custom_op_symbolic": None},
    # Modules that have no names here.
    **{place: {} for place in ("_custom_ops", "onnx.symbolic_opset11")},
}
VALUES: dict[str, dict[str, Any]] = {
    "nn.attention.flex_attention": {"_DEFAULT_SPARSE_BLOCK_SIZE": 128},
}
UNCHANGED = {
    "_dynamo": "allow_in_graph assume_constant_result disable",
    "fx": "wrap",
    "jit": "_overload_method _script_if_tracing",
    "onnx.symbolic_helper": "parse_args",
}
_QUANTIZATION = (
    "DeQuantStub QConfig QuantStub convert default_per_channel_weight_observer fuse_modules fuse_modules_qat "
    "get_default_qat_qconfig get_default_qconfig prepare prepare_qat quantize_dynamic"
)
REFUSED: dict[str, dict[str, str]] = {
    "_higher_order_ops.associative_scan": {"compiler": "associative_scan"},
    "ao.quantization": {"quantized": _QUANTIZATION},
    "cuda": {"compiler": "CUDAGraph graph make_graphed_callables"},
    "fx": {"compiler": "Graph GraphModule Interpreter Node Proxy Tracer Transformer symbolic_trace"},
    "fx.graph_module": {"compiler": "_CodeOnlyModule _copy_attr _USER_PRESERVED_ATTRIBUTES_KEY"},
    "fx.node": {"compiler": "Node Target"},
    "fx.proxy": {"compiler": "Proxy"},
    "nn.attention.flex_attention": {"compiler": "AuxRequest BlockMask create_block_mask flex_attention"},
    "nn.quantized": {"quantized": "FloatFunctional"},
}
