"""What a node calls: an operator of the registry, or arithmetic on scalars."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _C
from ._errors import ProgramError
from ._graph import Node
from ._scalars import FUNCTIONS


def resolved(target: str) -> Callable[..., Any] | None:
    """The registry's overload of that name, or the function on scalars; None for every other name.

    Nothing is found by asking an object for an attribute that the program names, but an overload that its
    operator lists.
    """
    operator, _, overload = target.partition(".")
    packet = _C._packet(operator) if "::" in operator else None
    if packet is None:
        return FUNCTIONS.get(target)
    overload = overload or "default"
    return getattr(packet, overload) if overload in packet.overloads() else None


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
