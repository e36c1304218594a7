"""Conversions of modules to other dtypes and devices."""

from __future__ import annotations

import warnings

from ... import _C
from ... import __future__ as switches
from ..._C import Tensor, device, dtype, memory_format
from ...autograd.grad_mode import no_grad
from ...utils._swapping import swap_tensors
from ..parameter import Parameter

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T", bound="ConvertibleModule")


_TO_TENSOR = ("tensor", "non_blocking")
_TO_DTYPE = ("dtype", "non_blocking")
_TO_DEVICE = ("device", "dtype", "non_blocking")
_TO_KINDS: dict[str, tuple[type, ...]] = {
    "tensor": (Tensor,),
    "device": (str, int, device),
    "dtype": (dtype,),
    "non_blocking": (bool,),
    "memory_format": (memory_format,),
}


def _parsed_to(*args: Any, **kwargs: Any) -> tuple[device | None, dtype | None, bool, memory_format | None]:
    """The call forms of Module.to: device, dtype, non_blocking and memory_format."""
    if kwargs.pop("copy", False):
        raise RuntimeError("nn.Module.to() does not accept copy argument: it converts a module in place")
    first = args[0] if args else None
    names = _TO_TENSOR if isinstance(first, Tensor) else _TO_DTYPE if isinstance(first, dtype) else _TO_DEVICE
    if len(args) > len(names):
        raise TypeError(f"to() takes {len(names)} positional arguments ({', '.join(names)}), got {len(args)}")
    found = dict(zip(names, args, strict=False))
    for name, value in kwargs.items():
        if name not in _TO_KINDS:
            raise TypeError(f"to() got an unexpected keyword argument '{name}'")
        if name in found:
            raise TypeError(f"to() got multiple values for argument '{name}'")
        found[name] = value
    found = {name: value for name, value in found.items() if value is not None}
    for name, value in found.items():
        if not isinstance(value, _TO_KINDS[name]):
            raise TypeError(f"to() received an invalid {name}: {type(value).__name__}")
    if "tensor" in found:
        found.update(device=found["tensor"].device, dtype=found["tensor"].dtype)
    place = found.get("device")
    return (
        None if place is None else device(place),
        found.get("dtype"),
        found.get("non_blocking", False),
        found.get("memory_format"),
    )


def _converted(parameter: Parameter, fn: Callable[[Any], Any], name: str) -> Parameter:
    """The parameter with what fn makes of its value and gradient: the same object if it can be."""
    gradient = parameter.grad
    with no_grad():
        applied = fn(parameter)
        applied_gradient = None if gradient is None else fn(gradient)
    if gradient is not None:
        parameter.grad = None  # of another dtype or device than the new data, it would be refused
    swaps = switches.get_swap_module_params_on_conversion()
    is_settable = applied.device == parameter.device or not (applied.is_meta or parameter.is_meta)
    if swaps:
        try:
            applied = Parameter(applied, parameter.requires_grad)
            _swap(parameter, applied, name)
        except RuntimeError:
            parameter.grad = gradient
            raise
    elif is_settable and not switches.get_overwrite_module_params_on_conversion():
        parameter.data = applied
    else:
        parameter = type(parameter)(applied, parameter.requires_grad)
    if gradient is not None:
        assert applied_gradient is not None
        applied_gradient.requires_grad_(gradient.requires_grad)
        if swaps:
            _swap(gradient, applied_gradient, f"{name}.grad")
        parameter.grad = gradient if swaps else applied_gradient
    return parameter


def _swap(t: Tensor, applied: Tensor, name: str) -> None:
    try:
        swap_tensors(t, applied)
    except Exception as error:
        raise RuntimeError(f"_apply(): Couldn't swap {name}") from error


class ConvertibleModule:
    """The part of Module that converts its parameters and buffers in place. All methods return the module."""

    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]

    def _apply(self: T, fn: Callable[[Any], Any], recurse: bool = True) -> T:
        """Replaces parameters, their gradients, and buffers by fn of them. A parameter remains the same
        object, unless it goes to the Meta device or comes from there; see also aten.__future__."""
        if recurse:
            for module in self.children():  # type: ignore[attr-defined]
                module._apply(fn)
        for name, parameter in self._parameters.items():
            if parameter is not None:
                self._parameters[name] = _converted(parameter, fn, f"{type(self).__name__}.{name}")
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self: T, *args: Any, **kwargs: Any) -> T:
        """`to(device=None, dtype=None, non_blocking=False)`, `to(dtype)`, `to(tensor)` or
        `to(memory_format=...)`: converts floating-point and complex tensors to the dtype, all to the device,
        and those of 4 or 5 dimensions to the memory format."""
        place, kind, non_blocking, layout = _parsed_to(*args, **kwargs)
        if kind is not None:
            if not (kind.is_floating_point or kind.is_complex):
                raise TypeError(
                    "nn.Module.to only accepts floating point or complex dtypes, but got desired "
                    f"dtype={kind}"
                )
            if kind.is_complex:
                warnings.warn(
                    "Complex modules are a new feature: some modules might not work as expected when using "
                    "complex tensors as parameters or buffers.",
                    stacklevel=2,
                )

        def convert(t: Any) -> Any:
            if t.is_meta and place is not None and place.type != "meta":
                raise NotImplementedError(
                    "Cannot copy out of meta tensor; no data! Please use nn.Module.to_empty() instead of "
                    "nn.Module.to() when moving module from meta to a different device."
                )
            options: dict[str, Any] = {"non_blocking": non_blocking}
            if place is not None:
                options["device"] = place
            if kind is not None and (t.is_floating_point() or t.is_complex()):
                options["dtype"] = kind
            if layout is not None and t.dim() in (4, 5):
                options["memory_format"] = layout
            return t.to(**options)

        return self._apply(convert)

    def to_empty(self: T, *, device: Any, recurse: bool = True) -> T:
        """Moves parameters and buffers to the device without their values."""
        return self._apply(lambda t: _C._VariableFunctions.empty_like(t, device=device), recurse=recurse)

    def cuda(self: T, device: Any = None) -> T:
        """Moves parameters and buffers to a CUDA device."""
        return self._apply(lambda t: t.cuda(device))

    def cpu(self: T) -> T:
        """Moves parameters and buffers to the CPU."""
        return self._apply(lambda t: t.cpu())

    def type(self: T, dst_type: dtype | str) -> T:
        """Converts parameters and buffers, also those of integers, to the dtype."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self: T) -> T:
        """Converts floating-point parameters and buffers to float32."""
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self: T) -> T:
        """Converts floating-point parameters and buffers to float64."""
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self: T) -> T:
        """Converts floating-point parameters and buffers to float16."""
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self: T) -> T:
        """Converts floating-point parameters and buffers to bfloat16."""
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def share_memory(self: T) -> T:
        """Moves parameters and buffers to memory that other processes share once they get the module: see
        Tensor.share_memory_()."""
        return self._apply(lambda t: t.share_memory_())
