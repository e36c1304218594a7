"""An operator's computed dispatch table, for people and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opgen.diagnostics import Span
from opgen.expand import registrations
from opgen.model import DispatchKey, Function, Program
from opgen.model import dispatch_table as rules
from opgen.model.dispatch import is_alias
from opgen.model.dispatch_table import Slot, Why


@dataclass(frozen=True, slots=True)
class Row:
    key: DispatchKey
    kernel: str
    why: Why
    span: Span | None


@dataclass(frozen=True, slots=True)
class Table:
    op: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...]


def of(op: str, function: Function | None, program: Program, extra: Iterable[DispatchKey] = ()) -> Table:
    """The table of `function` (None: no kernels of its own) with kernels for `extra` registered, too."""
    registered: dict[DispatchKey, tuple[str, Span | None]] = {}
    for key, r in (registrations.of(function, program) if function is not None else {}).items():
        registered[key] = (r.shown, r.span)
    for key in extra:
        registered[key] = (f"fn_{key}", None)
    slots = rules.compute(registered)
    rows = tuple(_row(key, slot, registered) for key, slot in slots.items())
    return Table(op, rows, tuple(_notes(registered, slots)))


def _row(key: DispatchKey, slot: Slot, registered: dict[DispatchKey, tuple[str, Span | None]]) -> Row:
    if slot.source is not None:
        kernel, span = registered[slot.source]
    elif slot.why is Why.ambiguous:
        kernel, span = "ambiguous", None
    else:
        kernel, span = ("fallthrough" if key.value in rules.FALLTHROUGHS else "fallback"), None
    return Row(key, kernel, slot.why, span)


def _notes(registered: dict, slots: dict[DispatchKey, Slot]) -> Iterator[str]:
    for key in rules.hidden(registered):
        others = ", ".join(k.value for k in registered if k is not key)
        kind = "alias key" if is_alias(key) else "key"
        yield f"the kernel of the {kind} {key} is never run: {others} hide it"
    if any(slot.why is Why.ambiguous for slot in slots.values()):
        yield (
            "AutogradOther is ambiguous: a backend without an autograd key of its own has a kernel,"
            " and so has"
            " CompositeImplicitAutograd; register AutogradOther, or CompositeExplicitAutograd instead"
        )
    for name in ("CPU", "CUDA"):
        slot = slots.get(DispatchKey[name])
        if slot is None:
            yield f"{name} has no kernel"


def as_json(table: Table) -> str:
    rows = {
        row.key.value: {
            "kernel": row.kernel,
            "rule": row.why.value,
            "path": row.span.path if row.span else None,
            "line": row.span.line if row.span else None,
        }
        for row in table.rows
    }
    return json.dumps({"op": table.op, "table": rows}, indent=1) + "\n"


def as_text(table: Table) -> str:
    cells = [
        (r.key.value, r.kernel, r.why.value, f"{r.span.path}:{r.span.line}" if r.span else "")
        for r in table.rows
    ]
    widths = [max((len(row[i]) for row in cells), default=0) for i in range(3)]
    lines = [table.op]
    lines += [
        f"  {key:<{widths[0]}}  {kernel:<{widths[1]}}  {why:<{widths[2]}}  {where}".rstrip()
        for key, kernel, why, where in cells
    ]
    lines += [f"note: {note}" for note in table.notes]
    return "\n".join(lines) + "\n"
