"""The parametrizations of one tensor of a module."""

from __future__ import annotations

from collections.abc import Sequence

from ..._C import Tensor
from ...autograd.grad_mode import no_grad
from ..modules.container import ModuleList
from ..parameter import Parameter

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from ..modules.module import Module


def register(module: Module, name: str, tensor: Tensor) -> None:
    """Adds a parameter or buffer."""
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def check_kept(before: dict[str, Any], after: Any, was: str, becomes: str) -> None:
    """ValueError unless `after` is a tensor of the dtype and shape of `before`."""
    if not isinstance(after, Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(after).__name__}.")
    for aspect, value in before.items():
        if getattr(after, aspect) != value:
            raise ValueError(
                f"Registering a parametrization may not change the {aspect} of the tensor, unless the "
                f"`unsafe` flag is enabled.\n{was}{aspect}: {value}\n"
                f"{becomes}{aspect}: {getattr(after, aspect)}"
            )


def aspects(tensor: Tensor) -> dict[str, Any]:
    """What parametrizations mustn't change."""
    return {"dtype": tensor.dtype, "shape": tensor.shape}


def _inverse(module: Any, value: Any) -> Any:
    """What right_inverse() returns for the value; the value if there is none."""
    try:
        return module.right_inverse(value) if hasattr(module, "right_inverse") else value
    except NotImplementedError:
        return value


class ParametrizationList(ModuleList):
    """The parametrizations of a tensor, in the order of their application, and what the first is applied to:
    `original`, or `original0`, `original1`, ... if its right_inverse() returns a sequence of tensors."""

    original: Tensor
    unsafe: bool

    def __init__(self, modules: Sequence[Module], original: Tensor, unsafe: bool = False) -> None:
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        before = aspects(original)
        new: Any = original
        with no_grad():
            for module in reversed(list(self)):
                new = _inverse(module, new)
        if not isinstance(new, (Tensor, Sequence)):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got "
                f"{type(new).__name__}"
            )
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if isinstance(new, Tensor):
            self._keep_one(original, new)
        else:
            self._keep_several(original, new)
        if not unsafe:
            check_kept(before, self(), "unparametrized ", "parametrized ")

    def _keep_one(self, original: Tensor, new: Tensor) -> None:
        """Keeps the original object, with the new values, as optimizers may know it."""
        for aspect in ("dtype", "device"):
            if getattr(original, aspect) != getattr(new, aspect):
                raise ValueError(
                    f"When `right_inverse` outputs one tensor, it may not change the {aspect}.\n"
                    f"original.{aspect}: {getattr(original, aspect)}\n"
                    f"right_inverse(original).{aspect}: {getattr(new, aspect)}"
                )
        with no_grad():
            original.set_(new)
        register(self, "original", original)

    def _keep_several(self, original: Tensor, new: Sequence[Tensor]) -> None:
        for i, tensor in enumerate(new):
            if not isinstance(tensor, Tensor):
                raise ValueError(
                    "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got "
                    f"element {i} of the sequence with type {type(tensor).__name__}."
                )
            if isinstance(original, Parameter):
                tensor = Parameter(tensor, original.requires_grad)
            tensor.requires_grad_(original.requires_grad)
            register(self, f"original{i}", tensor)

    def right_inverse(self, value: Any) -> None:
        """Sets the originals to what gives the value: calls right_inverse() of the parametrizations, the last
        one first. RuntimeError if one has none."""
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(
                        f"parametrization {type(module).__name__} does not implement right_inverse."
                    )
                value = module.right_inverse(value)
            for own, name, tensor in self._assignments(value):
                if own.dtype != tensor.dtype:
                    which = "The tensor" if self.is_tensor else f"Tensor {name.removeprefix('original')}"
                    raise ValueError(
                        f"{which} returned by `right_inverse` has dtype {tensor.dtype} while `{name}` has "
                        f"dtype {own.dtype}"
                    )
                own.set_(tensor)

    def _assignments(self, value: Any) -> list[tuple[Tensor, str, Tensor]]:
        """The originals with their names and new values."""
        if self.is_tensor:
            if not isinstance(value, Tensor):
                raise ValueError(f"`right_inverse` should return a tensor. Got {type(value).__name__}")
            return [(self.original, "original", value)]
        wanted = "'right_inverse' must return a sequence of tensors"
        if not isinstance(value, Sequence):
            raise ValueError(f"{wanted}. Got {type(value).__name__}.")
        if len(value) != self.ntensors:
            raise ValueError(f"{wanted} of length {self.ntensors}. Got a sequence of length {len(value)}.")
        for i, tensor in enumerate(value):
            if not isinstance(tensor, Tensor):
                raise ValueError(f"{wanted}. Got element {i} of type {type(tensor).__name__}.")
        names = [f"original{i}" for i in range(self.ntensors)]
        return [(getattr(self, name), name, tensor) for name, tensor in zip(names, value, strict=True)]

    def forward(self) -> Any:
        """The parametrized tensor."""
        first, *others = self
        names = ["original"] if self.is_tensor else [f"original{i}" for i in range(self.ntensors)]
        value = first(*(getattr(self, name) for name in names))
        for module in others:
            value = module(value)
        return value
