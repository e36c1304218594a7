"""Pruning of a module's tensor by a mask, and several prunings of one tensor."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ... import _C
from ..._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_functions = _C._VariableFunctions


class BasePruningMethod(ABC):
    """A method of pruning. A subclass defines compute_mask() and PRUNING_TYPE, which says what its mask is
    computed from where the tensor was pruned before: "unstructured", from the elements that are left;
    "structured", from the channels that are left along its attribute `dim`; "global", from all elements.

    Applied to a parameter, it is the hook that computes it from `<name>_orig` and the buffer `<name>_mask`
    before each forward().
    """

    PRUNING_TYPE: str
    _tensor_name: str

    @abstractmethod
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask, 0 for pruned elements and 1 for others, from scores of importance, by default the tensor
        itself, and the mask of earlier prunings. All have the same shape."""

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    def apply_mask(self, module: Any) -> Tensor:
        """The pruned tensor of the module."""
        mask, original = (getattr(module, f"{self._tensor_name}_{part}") for part in ("mask", "orig"))
        return mask.to(original.dtype) * original

    @classmethod
    def apply(
        cls, module: Any, name: str, *args: Any, importance_scores: Tensor | None = None, **kwargs: Any
    ) -> BasePruningMethod:
        """Prunes the parameter by `cls(*args, **kwargs)`, after the prunings that it already has, and
        registers the hook. Returns the method, or the container of all methods."""
        method, is_first = _combined(module, name, cls(*args, **kwargs))
        tensor = getattr(module, name)
        if importance_scores is not None and importance_scores.shape != tensor.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as parameter {name} of {module}, got "
                f"{importance_scores.shape} vs {tensor.shape}"
            )
        if is_first:
            mask = _functions.ones_like(tensor)
        else:
            mask = getattr(module, f"{name}_mask").detach().clone(memory_format=_C.contiguous_format)
        scores = tensor if importance_scores is None else importance_scores
        mask = method.compute_mask(scores, default_mask=mask)
        if is_first:
            module.register_parameter(f"{name}_orig", tensor)
            del module._parameters[name]
        module.register_buffer(f"{name}_mask", mask)
        setattr(module, name, method.apply_mask(module))
        for number in _hooks_of(module, name):
            del module._forward_pre_hooks[number]
        module.register_forward_pre_hook(method)
        return method

    def prune(
        self, t: Tensor, default_mask: Tensor | None = None, importance_scores: Tensor | None = None
    ) -> Tensor:
        """The tensor with pruned elements set to zero."""
        if importance_scores is not None and importance_scores.shape != t.shape:
            raise AssertionError(
                "importance_scores should have the same shape as tensor t, got "
                f"{importance_scores.shape} vs {t.shape}"
            )
        scores = t if importance_scores is None else importance_scores
        mask = _functions.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(scores, default_mask=mask)

    def remove(self, module: Any) -> None:
        """Makes the pruned tensor the parameter, without a mask. The hook stays; see remove() of prune."""
        name = self._tensor_name
        original = getattr(module, f"{name}_orig")
        original.data = self.apply_mask(module).data
        for part in (name, f"{name}_orig", f"{name}_mask"):
            delattr(module, part)
        setattr(module, name, original)


def _hooks_of(module: Any, name: str) -> list[int]:
    """The numbers of the hooks that prune the tensor."""
    hooks = module._forward_pre_hooks.items()
    return [k for k, h in hooks if isinstance(h, BasePruningMethod) and h._tensor_name == name]


def _combined(module: Any, name: str, method: BasePruningMethod) -> tuple[BasePruningMethod, bool]:
    """The method, or a container of it and of those that the tensor already has; and whether it has none."""
    method._tensor_name = name
    numbers = _hooks_of(module, name)
    if not numbers:
        return method, True
    if len(numbers) > 1:
        raise AssertionError(
            f"Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. Use a "
            "PruningContainer."
        )
    before = module._forward_pre_hooks[numbers[0]]
    methods = tuple(before) if isinstance(before, PruningContainer) else (before,)
    return PruningContainer(*methods, method), False


class PruningContainer(BasePruningMethod):
    """Methods that prune one tensor, one after the other. The mask is computed by the last one, from what the
    mask before leaves."""

    def __init__(self, *args: BasePruningMethod) -> None:
        self._pruning_methods: tuple[BasePruningMethod, ...] = ()
        if args:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        """Adds a method for the same tensor."""
        if not isinstance(method, BasePruningMethod):
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if self._tensor_name != method._tensor_name:
            raise ValueError(
                f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to "
                f"PruningContainer {self}. Found '{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[BasePruningMethod]:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: Any) -> Any:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        method = self._pruning_methods[-1]
        place = _left(method, default_mask)
        mask = default_mask.to(t.dtype, copy=True)
        mask[place] = method.compute_mask(t[place], default_mask=default_mask[place]).to(mask.dtype)
        return mask


def _left(method: BasePruningMethod, mask: Tensor) -> Any:
    """The index of the elements that the method computes its mask from."""
    if method.PRUNING_TYPE == "unstructured":
        return mask == 1
    if method.PRUNING_TYPE == "global":
        return (slice(None),) * mask.dim()
    if method.PRUNING_TYPE != "structured":
        raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
    if not hasattr(method, "dim"):
        raise AttributeError(
            'Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.'
        )
    rank = mask.dim()
    dim = method.dim if method.dim >= 0 else method.dim + rank
    if dim < 0:
        raise IndexError(f"Index is out of bounds for tensor with dimensions {rank}")
    left = mask.sum(dim=[d for d in range(rank) if d != dim]) != 0
    return (*(slice(None),) * dim, left)
