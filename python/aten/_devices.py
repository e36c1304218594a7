"""The device of new tensors: set_default_device, and devices as context managers."""

from __future__ import annotations

from _thread import _local  # threading takes longer to import

from . import _C
from ._C import device as _device
from .overrides import TorchFunctionMode

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

# Functions that make tensors of no other tensors. tensor(), as_tensor() and asarray() ask by themselves.
_FACTORIES = (
    *("arange", "bartlett_window", "blackman_window", "empty", "empty_permuted", "empty_strided", "eye"),
    *("full", "hamming_window", "hann_window", "kaiser_window", "linspace", "logspace", "ones", "rand"),
    *("randint", "randn", "randperm", "range", "scalar_tensor", "tril_indices", "triu_indices", "zeros"),
)
_FFT_FACTORIES = ("fft_fftfreq", "fft_rfftfreq")


class _State(_local):
    """The entered devices of a thread, the innermost last, each with the default around it; the default that
    was set since; and whether the mode is active."""

    def __init__(self) -> None:
        self.entered: list[tuple[_device, _device | None]] = []
        self.default: _device | None = None
        self.is_active = False


_state = _State()
_factories: set[Any] = set()


def _known_factories() -> set[Any]:
    if not _factories:
        _factories.update(
            getattr(_C._VariableFunctions, n) for n in _FACTORIES if hasattr(_C._VariableFunctions, n)
        )
        transforms = getattr(_C, "_fft", None)
        _factories.update(getattr(transforms, n) for n in _FFT_FACTORIES if hasattr(transforms, n))
    return _factories


class _DeviceMode(TorchFunctionMode):
    """Gives factories that are called without a device the wanted one."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        keywords = kwargs or {}
        if func in _known_factories() and keywords.get("device") is None:
            keywords = {**keywords, "device": wanted_device()}
        return func(*args, **keywords)


_mode = _DeviceMode()


def _activate() -> None:
    """Adds the mode below all others if a device is wanted, so that these may end in any order; removes it if
    none is."""
    is_wanted = wanted_device() is not None
    if is_wanted == _state.is_active:
        return
    above: list[Any] = []
    try:
        while not above or above[-1] is not _mode:
            above.append(_C._pop_function_mode())
    except RuntimeError:  # there are no more
        pass
    if is_wanted:
        above.append(_mode)
    elif above and above[-1] is _mode:
        above.pop()
    for mode in reversed(above):
        _C._push_function_mode(mode)
    _state.is_active = is_wanted


def wanted_device() -> _device | None:
    """Returns the device for new tensors that was entered or set last; None if there is none."""
    if _state.default is None and _state.entered:
        return _state.entered[-1][0]
    return _state.default


def get_default_device() -> _device:
    """The device of tensors that are made without one: that of the innermost `with device`, or what
    set_default_device() set since, else the CPU."""
    return wanted_device() or _device("cpu")


def set_default_device(device: _device | str | int | None) -> None:
    """Sets the device of tensors that this thread makes without naming one; None is the CPU. `with device:`
    does so for a block; what is set within the block applies at once, until the block ends."""
    _state.default = None if device is None else _device(device)
    _activate()


def _enter(self: _device) -> _device:
    _state.entered.append((self, _state.default))
    _state.default = None
    _activate()
    return self


def _exit(self: _device, *error: object) -> None:
    _, _state.default = _state.entered.pop()
    _activate()


_device.__enter__ = _enter  # type: ignore[method-assign]
_device.__exit__ = _exit  # type: ignore[method-assign]
