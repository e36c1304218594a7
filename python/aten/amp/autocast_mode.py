"""Regions in which operators cast their inputs to a dtype that suits them."""

from __future__ import annotations

import warnings

from .. import _C, cuda
from .._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined,no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]

_DTYPES = (_C.bfloat16, _C.float16)


def is_autocast_available(device_type: str) -> bool:
    """Whether operators on such devices cast in autocast(): true of "cpu" and "cuda"."""
    return _C._is_autocast_available(device_type)


def _check_device_type(device_type: object) -> None:
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")


class autocast:
    """A context manager and decorator: in its scope products of matrices and convolutions cast inputs on
    devices of `device_type` to `dtype`, and operators that need a greater range cast theirs to float32. The
    other operators, float64 inputs and those that are written to are left as they are.

    device_type: "cpu" or "cuda".
    dtype: bfloat16 or float16; by default get_autocast_dtype(device_type): bfloat16 on the CPU, float16 on
        CUDA devices.
    enabled: False disables what surrounds it.
    cache_enabled: whether the casts of parameters are kept until the outermost scope ends; by default what is
        set outside, which is True at first.
    """

    def __init__(
        self,
        device_type: str,
        dtype: _C.dtype | None = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        _check_device_type(device_type)
        if not is_autocast_available(device_type):
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self.device = device_type
        self.fast_dtype = _C.get_autocast_dtype(device_type) if dtype is None else dtype
        self._cache_enabled = _C.is_autocast_cache_enabled() if cache_enabled is None else cache_enabled
        self._enabled = enabled and self._can_be_enabled()
        self._before: list[tuple[bool, _C.dtype, bool]] = []

    def _can_be_enabled(self) -> bool:
        """Whether there is such a device and dtype; warns if not."""
        if self.device.partition(":")[0] == "cuda":
            if not cuda.is_available():
                warnings.warn("CUDA is not available. Disabling autocast.", stacklevel=3)
                return False
            if self.fast_dtype == _C.bfloat16 and not cuda.is_bf16_supported():
                raise RuntimeError(
                    "Current CUDA Device does not support bfloat16. Please switch dtype to float16."
                )
        if self.fast_dtype in _DTYPES:
            return True
        warnings.warn(
            f"In {self.device.upper()} autocast, but the target dtype {self.fast_dtype} is not supported. "
            f"Disabling autocast. It supports {', '.join(map(str, _DTYPES))}.",
            stacklevel=3,
        )
        return False

    def __enter__(self) -> autocast:
        before = _C.is_autocast_enabled(self.device), _C.get_autocast_dtype(self.device)
        self._before.append((*before, _C.is_autocast_cache_enabled()))
        _C.set_autocast_enabled(self.device, self._enabled)
        _C.set_autocast_dtype(self.device, self.fast_dtype)
        _C.set_autocast_cache_enabled(self._cache_enabled)
        _C.autocast_increment_nesting()
        return self

    def __exit__(self, *error: object) -> None:
        if _C.autocast_decrement_nesting() == 0:
            _C.clear_autocast_cache()
        enabled, dtype, cache_enabled = self._before.pop()
        _C.set_autocast_enabled(self.device, enabled)
        _C.set_autocast_dtype(self.device, dtype)
        _C.set_autocast_cache_enabled(cache_enabled)

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        if not callable(func):
            raise TypeError(
                f"autocast()(func) requires a callable, but got {type(func).__name__}. As a context manager "
                "it is used as `with autocast(device_type):`"
            )

        import functools

        @functools.wraps(func)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            with self:
                return func(*args, **kwargs)

        return decorated


def _cast(value: Any, device_type: str, dtype: _C.dtype) -> Any:
    """`value` with the floating-point tensors in it cast, except float64 ones and those of other devices."""
    if isinstance(value, Tensor):
        fits = value.is_floating_point() and value.device.type == device_type and value.dtype != _C.float64
        return value.to(dtype) if fits else value
    if isinstance(value, dict):
        return {_cast(k, device_type, dtype): _cast(v, device_type, dtype) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        items = [_cast(v, device_type, dtype) for v in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


def custom_fwd(
    fwd: Callable[..., Any] | None = None, *, device_type: str, cast_inputs: _C.dtype | None = None
) -> Any:
    """A decorator for forward() of an autograd.Function. It notes the state of autocast for custom_bwd().

    cast_inputs: within autocast, the dtype to which floating-point inputs are cast; forward() then runs with
        autocast disabled. Outside of autocast it has no effect.
    """
    import functools

    _check_device_type(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorated(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        enabled = _C.is_autocast_enabled(device_type)
        ctx._dtype = _C.get_autocast_dtype(device_type)
        ctx._fwd_used_autocast = enabled and cast_inputs is None
        if not enabled or cast_inputs is None:
            return fwd(ctx, *args, **kwargs)
        with autocast(device_type, enabled=False):
            args, kwargs = (_cast(given, device_type, cast_inputs) for given in (args, kwargs))
            return fwd(ctx, *args, **kwargs)

    return decorated


def custom_bwd(bwd: Callable[..., Any] | None = None, *, device_type: str) -> Any:
    """A decorator for backward() of an autograd.Function whose forward() has custom_fwd(): it runs with the
    state of autocast in which forward() ran."""
    import functools

    _check_device_type(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorated(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        with autocast(device_type, ctx._dtype, ctx._fwd_used_autocast):
            return bwd(ctx, *args, **kwargs)

    return decorated
