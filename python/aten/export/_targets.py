"""Targets of nodes: operators of the registry, or functions on scalars."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _C
from ._errors import ProgramError
from ._graph import Node
from ._scalars import FUNCTIONS


def resolved(target: str) -> Callable[..., Any] | None:
    """The registered overload or the function on scalars of that name; None for every other name.

    The program's names are never used as Python attributes, except for overloads that an operator lists.
    """
    operator, _, overload = target.partition(".")
    packet = _C._packet(operator) if "::" in operator else None
    if packet is None:
        return FUNCTIONS.get(target)
    overload = overload or "default"
    return getattr(packet, overload) if overload in packet.overloads() else None


def functions(nodes: tuple[Node, ...]) -> list[Callable[..., Any]]:
    """The target of each node; ProgramError with all nodes whose targets don't exist."""
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
        return "the program has control flow or subgraphs of another backend, which are not supported"
    return (
        f"{len(missing)} of the program's operators are not in this library; call "
        "`run_decompositions()` on the ExportedProgram to decompose them into core operators"
    )
