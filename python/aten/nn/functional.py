"""Functions of neural networks. The generated ones have the signatures of their operators; those below,
PyTorch's own."""

from __future__ import annotations

from .. import _C
from .._C import Tensor
from .._C import dtype as _dtype
from . import (
    _activations,
    _convolution,
    _embedding,
    _losses,
    _margin_losses,
    _noise,
    _normalization,
    _pooling,
    _resampling,
    _unpooling,
)

_functions = _C._VariableFunctions
if hasattr(_C, "_nn"):
    globals().update({n: f for n, f in vars(_C._nn).items() if not n.startswith("_")})
    logsigmoid = getattr(_C._nn, "log_sigmoid", None)


# Functions that PyTorch has here and at the top alike.
_ALSO_HERE = (
    "relu_",
    "tanh",
    "sigmoid",
    "celu_",
    "selu_",
    "threshold_",
    "avg_pool1d",
    "adaptive_avg_pool1d",
    "pixel_shuffle",
    "pixel_unshuffle",
    "channel_shuffle",
    "native_channel_shuffle",
    "pdist",
    "bilinear",
    "cosine_similarity",
    "pairwise_distance",
)
globals().update({n: getattr(_functions, n) for n in _ALSO_HERE if hasattr(_functions, n)})

for _module in (_activations, _embedding, _normalization, _losses, _margin_losses, _noise):
    globals().update({n: getattr(_module, n) for n in _module.__all__})
globals().update({n: getattr(_convolution, n) for n in _convolution.__all__})
globals().update({n: getattr(_pooling, n) for n in _pooling.__all__})
globals().update({n: getattr(_unpooling, n) for n in _unpooling.__all__})
globals().update({n: getattr(_resampling, n) for n in _resampling.__all__})


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise max(x, 0)."""
    return _functions.relu_(input) if inplace else _functions.relu(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise x * sigmoid(x)."""
    return _C._nn.silu_(input) if inplace else _C._nn.silu(input)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Elementwise x where it is positive, x * `negative_slope` elsewhere."""
    return _C._nn.leaky_relu_(input, negative_slope) if inplace else _C._nn.leaky_relu(input, negative_slope)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Elementwise x, kept within [min_val, max_val]. ValueError for bounds that cross."""
    if min_val > max_val:
        raise ValueError(f"hardtanh(): min_val {min_val} is greater than max_val {max_val}")
    return _C._nn.hardtanh_(input, min_val, max_val) if inplace else _C._nn.hardtanh(input, min_val, max_val)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Elementwise x where it is above `threshold`, `value` elsewhere."""
    function = _functions.threshold_ if inplace else _functions.threshold
    return function(input, threshold, value)


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: _dtype | None = None
) -> Tensor:
    """exp(x) over its sum along `dim`; not given, that is 0 for 0, 1 and 3 dimensions and 1 otherwise;
    computed in `dtype` if that is given."""
    dim = _noise.implicit_dim(input, dim)
    return _functions.softmax(input, dim) if dtype is None else _functions.softmax(input, dim, dtype=dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: _dtype | None = None
) -> Tensor:
    """The logarithm of softmax, computed in one go."""
    dim = _noise.implicit_dim(input, dim)
    return (
        _functions.log_softmax(input, dim)
        if dtype is None
        else _functions.log_softmax(input, dim, dtype=dtype)
    )


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Elements are zeroed with probability `p`, the others scaled by 1/(1-p); nothing happens unless
    `training`.
    ValueError for a p outside [0, 1]."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout(): probability has to be between 0 and 1, got {p}")
    return _functions.dropout_(input, p, training) if inplace else _functions.dropout(input, p, training)
