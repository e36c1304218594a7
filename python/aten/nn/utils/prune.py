"""Pruning: parameters of modules with elements that stay zero.

l1_unstructured(layer, "weight", amount=0.3)
layer.weight                                  # has 30% zeros
layer.weight_orig, layer.weight_mask          # are what it is computed from
remove(layer, "weight")                       # makes it a parameter again
"""

from __future__ import annotations

from collections.abc import Iterable

from ... import _C
from ._pruning import BasePruningMethod, PruningContainer
from ._pruning_methods import (
    CustomFromMask,
    Identity,
    L1Unstructured,
    LnStructured,
    RandomStructured,
    RandomUnstructured,
)
from .convert_parameters import parameters_to_vector

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from ..._C import Tensor

__all__ = [
    "BasePruningMethod",
    "CustomFromMask",
    "Identity",
    "L1Unstructured",
    "LnStructured",
    "PruningContainer",
    "RandomStructured",
    "RandomUnstructured",
    "custom_from_mask",
    "global_unstructured",
    "identity",
    "is_pruned",
    "l1_unstructured",
    "ln_structured",
    "random_structured",
    "random_unstructured",
    "remove",
]


def identity(module: Any, name: str) -> Any:
    """Prunes nothing, but adds the mask. Returns the module."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: Any, name: str, amount: float) -> Any:
    """Prunes random elements of the parameter: a fraction if `amount` is a float, else a number of them.
    Returns the module."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module: Any, name: str, amount: float, importance_scores: Tensor | None = None) -> Any:
    """Prunes the elements of the smallest magnitude, or the smallest scores. Returns the module."""
    L1Unstructured.apply(module, name, amount, importance_scores=importance_scores)
    return module


def random_structured(module: Any, name: str, amount: float, dim: int) -> Any:
    """Prunes random channels along the dimension `dim`. Returns the module."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: Any, name: str, amount: float, n: Any, dim: int, importance_scores: Tensor | None = None
) -> Any:
    """Prunes the channels along `dim` with the smallest norms of order `n`. Returns the module."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module: Any, name: str, mask: Tensor) -> Any:
    """Prunes the elements that are zero in the mask. Returns the module."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(
    parameters: Iterable[tuple[Any, str]],
    pruning_method: type[BasePruningMethod],
    importance_scores: dict[tuple[Any, str], Tensor] | None = None,
    **kwargs: Any,
) -> None:
    """Prunes elements of several parameters, given as pairs of module and name, as if they were one tensor.
    The method is called with `kwargs`; TypeError unless it prunes single elements."""
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    if not isinstance(importance_scores, (dict, type(None))):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    places, scores = list(parameters), importance_scores or {}
    tensors = [getattr(module, name) for module, name in places]
    masks = [
        getattr(module, f"{name}_mask", _C._VariableFunctions.ones_like(tensor))
        for (module, name), tensor in zip(places, tensors, strict=True)
    ]
    method: Any = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method '
            f"{pruning_method} of type {method.PRUNING_TYPE}"
        )
    method._tensor_name = "all"
    mask = PruningContainer(method).compute_mask(
        parameters_to_vector([scores.get(p, tensor) for p, tensor in zip(places, tensors, strict=True)]),
        parameters_to_vector(masks),
    )
    parts = mask.split([tensor.numel() for tensor in tensors])
    for (module, name), tensor, part in zip(places, tensors, parts, strict=True):
        custom_from_mask(module, name, part.view_as(tensor))


def remove(module: Any, name: str) -> Any:
    """Makes the pruned tensor the parameter, without mask and hook. Returns the module. ValueError if the
    tensor isn't pruned."""
    for number, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[number]
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module: Any) -> bool:
    """Whether a tensor of the module, or of one inside of it, is pruned."""
    hooks = (hook for part in module.modules() for hook in part._forward_pre_hooks.values())
    return any(isinstance(hook, BasePruningMethod) for hook in hooks)
