"""Calls of modules with given parameters and buffers."""

from __future__ import annotations

from .. import _C
from .._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

_functions = _C._VariableFunctions


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: dict[str, Tensor] | Sequence[dict[str, Tensor]],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Calls the module with other tensors in place of its parameters and buffers: a dictionary by their
    names, or several with different names. `args` is a tuple, or one argument.

    What the module assigns to these in the call is in the dictionary afterwards, if it is one dictionary.
    With `tie_weights`, tensors that the module has under several names are replaced under all, and ValueError
    is raised if these names have different values. If strict, RuntimeError is raised unless the dictionary
    has exactly the module's names.
    """
    from ..nn.utils.stateless import call

    given = parameter_and_buffer_dicts
    if not isinstance(given, (dict, list, tuple)):
        raise ValueError(
            "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got "
            f"{type(given)}"
        )
    return call(module, _merged(given), args, kwargs, tie_weights, strict)


def _merged(given: Any) -> dict[str, Tensor]:
    if isinstance(given, dict):
        return given
    if not all(isinstance(d, dict) for d in given):
        raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
    names = [name for d in given for name in d]
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if repeated:
        raise ValueError(
            f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous"
        )
    return {name: tensor for d in given for name, tensor in d.items()}


def stack_module_state(models: Sequence[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters and the buffers of modules of one class, by name, each stacked along a new first
    dimension: new leaves, which require grad as those of the modules do. RuntimeError if the modules differ
    in class, in mode, or in what requires grad."""
    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({m.training for m in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if len({type(m) for m in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    return _stacked([m.named_parameters() for m in models]), _stacked([m.named_buffers() for m in models])


def _stacked(models: Iterable[Iterable[tuple[str, Tensor]]]) -> dict[str, Tensor]:
    first, *others = (dict(tensors) for tensors in models)
    stacked = {}
    for name, tensor in first.items():
        tensors = [tensor, *(other[name] for other in others)]
        if len({t.requires_grad for t in tensors}) > 1:
            raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
        stacked[name] = _functions.stack(tensors)
        if tensor.requires_grad:
            stacked[name] = stacked[name].detach().requires_grad_()
    return stacked
