"""Tensors, the operators on them, and the dispatcher. The functions are generated; help(f) describes each."""

# Names are imported for users; functions that replace generated ones are imported after them.
# ruff: noqa: E402, F401
from __future__ import annotations

import os as _os
import sys as _sys

from . import _C

_C._refuse_subinterpreter()

from ._C import (
    Event,
    Generator,
    LinAlgError,
    Size,
    Stream,
    Tensor,
    autocast_decrement_nesting,
    autocast_increment_nesting,
    bfloat16,
    bool,
    can_cast,
    cdouble,
    cfloat,
    chalf,
    channels_last,
    channels_last_3d,
    clear_autocast_cache,
    complex32,
    complex64,
    complex128,
    contiguous_format,
    device,
    double,
    dtype,
    float,
    float16,
    float32,
    float64,
    from_numpy,
    get_autocast_dtype,
    get_default_dtype,
    get_num_threads,
    half,
    int,
    int8,
    int16,
    int32,
    int64,
    is_autocast_cache_enabled,
    is_autocast_enabled,
    is_grad_enabled,
    is_inference_mode_enabled,
    layout,
    long,
    memory_format,
    preserve_format,
    promote_types,
    result_type,
    set_autocast_cache_enabled,
    set_autocast_dtype,
    set_autocast_enabled,
    set_default_dtype,
    set_num_threads,
    short,
    strided,
    uint8,
    uint16,
    uint32,
    uint64,
)

globals().update({n: f for n, f in vars(_C._VariableFunctions).items() if not n.startswith("__")})

from . import _tensor as _tensor
from . import _tensor_methods as _tensor_methods
from ._autocast import (
    get_autocast_cpu_dtype,
    get_autocast_gpu_dtype,
    is_autocast_cpu_enabled,
    set_autocast_cpu_dtype,
    set_autocast_cpu_enabled,
    set_autocast_gpu_dtype,
)
from ._buffers import from_file, frombuffer, to_dlpack
from ._creation import as_tensor, asarray, from_dlpack, range, tensor
from ._determinism import (
    are_deterministic_algorithms_enabled,
    get_deterministic_debug_mode,
    is_deterministic_algorithms_warn_only_enabled,
    set_deterministic_debug_mode,
    use_deterministic_algorithms,
)
from ._devices import get_default_device, set_default_device
from ._distances import cdist, norm
from ._dtype_info import finfo, iinfo
from ._functions import (
    _is_zerotensor,
    compiled_with_cxx11_abi,
    get_device,
    is_complex,
    is_conj,
    is_distributed,
    is_floating_point,
    is_inference,
    is_neg,
    is_nonzero,
    is_signed,
    is_tensor,
    nonzero,
    numel,
    typename,
    unravel_index,
    vmap,
)
from ._joined import (
    atleast_1d,
    atleast_2d,
    atleast_3d,
    block_diag,
    broadcast_shapes,
    broadcast_tensors,
    cartesian_prod,
    meshgrid,
)
from ._lowrank import lu, pca_lowrank, svd_lowrank
from ._ops import ops
from ._precision import get_float32_matmul_precision, set_float32_matmul_precision
from ._products import chain_matmul, einsum, tensordot
from ._sets import unique, unique_consecutive
from ._storage import UntypedStorage, is_storage
from ._tags import Tag
from ._tensor_str import set_printoptions
from ._tensor_types import (
    BFloat16Tensor,
    BoolTensor,
    ByteTensor,
    CharTensor,
    DoubleTensor,
    FloatTensor,
    HalfTensor,
    IntTensor,
    LongTensor,
    ShortTensor,
    set_default_tensor_type,
)
from .autograd.anomaly_mode import is_anomaly_check_nan_enabled, is_anomaly_enabled, set_anomaly_enabled
from .autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from .overrides import DisableTorchFunctionSubclass
from .random import default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state
from .serialization import load, save

_sys.modules[f"{__name__}.ops"] = ops

inf = 1e999
nan = inf - inf
pi = 3.141592653589793
e = 2.718281828459045
newaxis = None

from . import (
    _absent,
    _modules,
    array_api,
    autograd,
    backends,
    cuda,
    fft,
    library,
    linalg,
    nn,
    overrides,
    serialization,
    special,
    utils,
)
from ._C import __version__

# The array API's functions that PyTorch doesn't have.
from .array_api import (
    __array_api_version__,
    __array_namespace_info__,
    astype,
    bitwise_invert,
    broadcast_arrays,
    cumulative_prod,
    cumulative_sum,
    expand_dims,
    isdtype,
    matrix_transpose,
    permute_dims,
    repeat,
    take_along_axis,
    unique_all,
    unique_counts,
    unique_inverse,
    unique_values,
    unstack,
    vecdot,
)

# Modules and names of modules that are imported when a program asks for them.
_LAZY = {
    **dict.fromkeys(("amp", "cpu", "distributions", "export", "func", "__future__"), ""),
    **dict.fromkeys(("multiprocessing", "optim", "profiler", "safetensors", "testing", "torch"), ""),
    **dict.fromkeys(("GradScaler", "autocast"), "amp"),
    **dict.fromkeys(("SchemaError", "SchemaWarning", "check_schemas"), "_library.schema_checks"),
}

_modules.add(_sys.modules[__name__])
_absent.add_members(Tensor)
for _place, _module in {
    "": _sys.modules[__name__],
    "linalg": linalg,
    "special": special,
    "fft": fft,
    "nn.functional": nn.functional,
}.items():
    _absent.add_getattr(_module, _place, _LAZY if not _place else None)

if _os.environ.get("ATEN_CHECK_SCHEMAS", "0") != "0":
    from ._library import schema_checks as _schema_checks

    _schema_checks.check_schemas(warn_only=_os.environ["ATEN_CHECK_SCHEMAS"] == "warn").__enter__()
