"""What a node calls: an operator of the registry, or arithmetic on sizes."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

from .._ops import ops
from ._errors import ProgramError
from ._graph import Node


def _sym_sum(values: Iterable[Any]) -> Any:
    return sum(values)


def _sym_ite(condition: Any, then: Any, otherwise: Any) -> Any:
    return then if condition else otherwise


# Functions on sizes that PyTorch has under names of its own.
_SYMBOLIC: dict[str, Callable[..., Any]] = {
    "sym_not": operator.not_,
    "sym_int": int,
    "sym_float": float,
    "sym_max": max,
    "sym_min": min,
    "sym_sum": _sym_sum,
    "sym_ite": _sym_ite,
    "sym_sqrt": math.sqrt,
    "_sym_sqrt": math.sqrt,
}
_MODULES = {"operator": operator, "_operator": operator, "math": math}


def resolved(target: str) -> Callable[..., Any] | None:
    """The function; None where this library has none."""
    space, is_operator, name = target.partition("::")
    if is_operator:
        packet, _, overload = name.partition(".")
        found = getattr(getattr(ops, space), packet, None)
        return getattr(found, overload or "default", None)
    module, _, name = target.rpartition(".")
    if module in _MODULES and not name.startswith("__"):
        return getattr(_MODULES[module], name, None)
    return _SYMBOLIC.get(name) if module.startswith("torch") else None


def functions(nodes: tuple[Node, ...]) -> list[Callable[..., Any]]:
    """What each node calls; an error that lists all nodes which call what isn't there."""
    found = {node.target: resolved(node.target) for node in nodes}
    missing = [target for target, function in found.items() if function is None]
    if not missing:
        return [f for f in (found[node.target] for node in nodes) if f is not None]
    lines = []
    for target in missing:
        callers = [n for n in nodes if n.target == target]
        where = f" ({callers[0].origin})" if callers[0].origin else ""
        lines.append(f"  {target}: {_nodes(len(callers))} {callers[0].name!r}{where}")
    raise ProgramError(f"{_advice(missing)}:\n" + "\n".join(lines))


def _nodes(count: int) -> str:
    return "node" if count == 1 else f"{count} nodes, the first is"


def _advice(missing: list[str]) -> str:
    if any(t.startswith("higher_order::") for t in missing):
        return "the program has control flow, or parts of it run by something else, which is not supported"
    return (
        f"{len(missing)} of the program's operators are not in this library; `run_decompositions()` of what "
        "torch.export.export returns makes core operators of the others"
    )
