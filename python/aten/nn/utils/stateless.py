"""Calls of modules with other tensors in place of their parameters and buffers."""

from __future__ import annotations

import warnings

from ..._C import Tensor
from ..modules.module import Module

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

__all__ = ["functional_call"]

_MISSING: Any = object()


def functional_call(
    module: Any,
    parameters_and_buffers: dict[str, Tensor],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """The same as aten.func.functional_call, with one dictionary. PyTorch deprecates it, hence the
    FutureWarning."""
    warnings.warn(
        "`nn.utils.stateless.functional_call` is deprecated: use `func.functional_call`, which is the same.",
        FutureWarning,
        stacklevel=2,
    )
    return call(module, parameters_and_buffers, args, kwargs, tie_weights, strict)


def call(module: Any, values: dict[str, Any], args: Any, kwargs: Any, tie_weights: bool, strict: bool) -> Any:
    """Calls the module with the values for its parameters and buffers. What the module assigned to these in
    the call is in the dictionary afterwards."""
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    given = _with_tied(module, values) if tie_weights else dict(values)
    if strict:
        _check_names(module, given)
    places = {name: _place(module, name) for name in given}
    before: dict[str, Any] = {}
    try:
        for name, value in given.items():
            before[name] = _exchange(*places[name], value)
        return module(*args, **(kwargs or {}))
    finally:
        # The last first: names may share a place, and the first exchange got what was there before all.
        after = {name: _exchange(*places[name], before[name]) for name in reversed(list(before))}
        if len(before) == len(given):
            values.update({name: value for name, value in after.items() if name in values})


def _with_tied(module: Any, values: dict[str, Any]) -> dict[str, Any]:
    """The values, each for all names of its tensor in the module. ValueError if names of one tensor have
    several values."""
    by_tensor: dict[int, set[str]] = {}
    for name, tensor in _named_tensors(module):
        by_tensor.setdefault(id(tensor), set()).add(name)
    found = dict(values)
    for names in by_tensor.values():
        given = [name for name in values if name in names]
        if len({id(values[name]) for name in given}) > 1:
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(names)}, which are tied. Consider "
                "using tie_weights=False"
            )
        if given:
            found.update(dict.fromkeys(names, values[given[0]]))
    return found


def _named_tensors(module: Any) -> Iterable[tuple[str, Tensor]]:
    yield from module.named_parameters(remove_duplicate=False)
    yield from module.named_buffers(remove_duplicate=False)


def _check_names(module: Any, given: dict[str, Any]) -> None:
    own = {name for name, _ in _named_tensors(module)}
    faults = [
        f"{kind} key(s): {', '.join(map(repr, sorted(names)))}."
        for kind, names in (("Unexpected", set(given) - own), ("Missing", own - set(given)))
        if names
    ]
    if faults:
        raise RuntimeError(f"Error(s) in reparametrizing for {module._get_name()}:\n\t" + "\n\t".join(faults))


def _place(module: Any, path: str) -> tuple[Any, str]:
    """The submodule that has the tensor, and the tensor's name in it."""
    prefix, _, name = path.rpartition(".")
    if name == "":
        raise KeyError('tensor name can\'t be empty string ""')
    for part in prefix.split(".") if prefix else ():
        if not hasattr(module, part):
            raise AttributeError(f"{module._get_name()} has no attribute `{part}`")
        module = getattr(module, part)
        if not isinstance(module, Module):
            raise TypeError(f"submodule `{prefix}`: {module} is not an instance of nn.Module")
    return module, name


def _exchange(module: Any, name: str, value: Any) -> Any:
    """Sets a tensor of the module, without checks of its kind; returns the one before, or _MISSING if there
    was none. The value _MISSING removes the tensor."""
    if value is not _MISSING and value is not None and not isinstance(value, Tensor):
        raise TypeError(f"{value} is not an instance of Tensor")
    for tensors in (module._parameters, module._buffers):
        if name in tensors:
            before = tensors[name]
            if value is _MISSING:
                del tensors[name]
            else:
                tensors[name] = value
            return before
    before = getattr(module, name, _MISSING)
    if before is not _MISSING and before is not None and not isinstance(before, Tensor):
        raise TypeError(f"attribute `{name}`: {before} is not an instance of Tensor")
    if value is not _MISSING:
        setattr(module, name, value)
    elif before is not _MISSING:
        delattr(module, name)
    return before
