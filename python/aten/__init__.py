"""Tensors, the operators on them, and the dispatcher. The functions are generated; help(f) describes each."""

# Names are imported for users; functions that replace generated ones are imported after them.
# ruff: noqa: E402, F401
from __future__ import annotations

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
    bfloat16,
    bool,
    can_cast,
    cdouble,
    cfloat,
    chalf,
    channels_last,
    channels_last_3d,
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
    get_default_dtype,
    get_num_threads,
    half,
    int,
    int8,
    int16,
    int32,
    int64,
    is_grad_enabled,
    is_inference_mode_enabled,
    layout,
    long,
    manual_seed,
    memory_format,
    preserve_format,
    promote_types,
    result_type,
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
from ._creation import as_tensor, asarray, from_dlpack, tensor
from ._determinism import (
    are_deterministic_algorithms_enabled,
    get_deterministic_debug_mode,
    is_deterministic_algorithms_warn_only_enabled,
    set_deterministic_debug_mode,
    use_deterministic_algorithms,
)
from ._distances import cdist, norm
from ._dtype_info import finfo, iinfo
from ._functions import is_complex, is_floating_point, is_nonzero, is_tensor, nonzero, numel
from ._ops import ops
from ._precision import get_float32_matmul_precision, set_float32_matmul_precision
from ._products import chain_matmul, einsum, tensordot
from ._tags import Tag
from ._tensor_str import set_printoptions
from .autograd.anomaly_mode import is_anomaly_check_nan_enabled, is_anomaly_enabled
from .autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from .random import default_generator, get_rng_state, initial_seed, seed, set_rng_state

_sys.modules[f"{__name__}.ops"] = ops

inf = 1e999
nan = inf - inf
pi = 3.141592653589793
e = 2.718281828459045
newaxis = None

# All submodules are imported at once: a module __getattr__ would make each attribute look-up slower.
from . import _modules, autograd, backends, cuda, fft, library, linalg, nn, overrides, special, utils
from ._C import __version__

_modules.add(_sys.modules[__name__])
