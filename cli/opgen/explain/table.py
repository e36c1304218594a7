"""An operator's computed dispatch table, for people and as JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from opgen.diagnostics import Span, did_you_mean
from opgen.expand import registrations
from opgen.model import BACKENDS, LIBRARY_KEYS, DispatchKey, Function, Program, parse_key
from opgen.model import dispatch_table as rules
from opgen.model.dispatch_table import Slot, Why

_WIDTH, _INDENT = 110, "      "


@dataclass(frozen=True, slots=True)
class Row:
    """The kernel that runs for a runtime key: `why` is the rule that selected it, `span` where the file
    registers it.
    """

    key: DispatchKey
    kernel: str
    why: Why
    span: Span | None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of the keys that run a kernel, in the order of the keys; what the author should know of them; and
    the backends that have no kernel.
    """

    op: str
    rows: tuple[Row, ...]
    findings: tuple[str, ...]
    missing: tuple[DispatchKey, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self.findings, *_without_kernel(self.missing))

    def get(self, key: str) -> Row | None:
        """Returns the row of a runtime key; None where nothing runs, not even a fallback."""
        return next((row for row in self.rows if row.key.value == key), None)

    def of_library(self) -> Table:
        """Returns the part that concerns the keys of the library and those that the operator itself names."""
        rows = (r for r in self.rows if r.key in LIBRARY_KEYS or r.why in (Why.kernel, Why.ambiguous))
        missing = self.missing if len(self.missing) == len(BACKENDS) else _among(self.missing, LIBRARY_KEYS)
        return replace(self, rows=tuple(rows), missing=missing)

    def only(self, keys: Collection[DispatchKey]) -> Table:
        """Returns the rows of these keys."""
        rows = tuple(row for row in self.rows if row.key in keys)
        return replace(self, rows=rows, missing=_among(self.missing, keys))


def keys(names: Iterable[str]) -> tuple[DispatchKey, ...]:
    """Returns the keys of these names. Raises ValueError for an unknown name."""
    found = []
    for name in names:
        key = parse_key(name)
        if key is None:
            help = did_you_mean(name, DispatchKey.__members__)
            raise ValueError(f"there is no dispatch key '{name}'" + (f"; {help}" if help else ""))
        found.append(key)
    return tuple(found)


def of(op: str, function: Function | None, program: Program, extra: Iterable[DispatchKey] = ()) -> Table:
    """Returns the table of `function` (None: no kernels of its own), with kernels for `extra` registered,
    too.
    """
    registered: dict[DispatchKey, tuple[str, Span | None]] = {}
    for key, r in (registrations.of(function, program) if function is not None else {}).items():
        registered[key] = (r.shown, r.span)
    for key in extra:
        registered[key] = (f"fn_{key}", None)
    slots = rules.compute(registered)
    rows = tuple(_row(key, slot, registered) for key, slot in slots.items())
    findings = (*_hidden(registered), *_ambiguous(registered, slots))
    missing = (k for k in map(DispatchKey.__getitem__, BACKENDS) if k not in slots or not slots[k].source)
    return Table(op, rows, findings, tuple(missing))


def _among(keys: Iterable[DispatchKey], others: Collection[DispatchKey]) -> tuple[DispatchKey, ...]:
    return tuple(key for key in keys if key in others)


def _row(key: DispatchKey, slot: Slot, registered: dict[DispatchKey, tuple[str, Span | None]]) -> Row:
    if slot.source is not None:
        kernel, span = registered[slot.source]
    elif slot.why is Why.ambiguous:
        kernel, span = "ambiguous", None
    else:
        kernel, span = ("fallthrough" if key.value in rules.FALLTHROUGHS else "fallback"), None
    return Row(key, kernel, slot.why, span)


def _hidden(registered: Collection[DispatchKey]) -> Iterator[str]:
    for lost in rules.hidden(registered):
        by = _listed(lost.by)
        if lost.runs_at:
            keys = len(rules.reach(lost.key))
            yield f"{lost.key} is hidden by {by}: it runs at {len(lost.runs_at)} of its {keys} keys only"
        else:
            yield f"the kernel of {lost.key} never runs" + (f": it is hidden by {by}" if by else "")


def _ambiguous(registered: Collection[DispatchKey], slots: Mapping[DispatchKey, Slot]) -> Iterator[str]:
    for key, slot in slots.items():
        if slot.why is Why.ambiguous:
            behind = rules.backends_behind(key)
            yield (
                f"{key} is ambiguous: {_listed(k for k in registered if k in behind)} has a kernel and no"
                f" autograd key of its own, and so has CompositeImplicitAutograd, which would be"
                f" differentiated through; register {key}, or CompositeExplicitAutograd instead"
            )


def _without_kernel(missing: Collection[DispatchKey]) -> Iterator[str]:
    if len(missing) == len(BACKENDS):
        yield "no backend has a kernel"
    elif missing:
        yield f"backends without a kernel: {_listed(missing)}"


def _listed(keys: Iterable[DispatchKey]) -> str:
    return ", ".join(key.value for key in keys)


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


def as_text(table: Table, left_out: int = 0) -> str:
    """Returns the table as text; equal rows of several keys are printed once. `left_out` is the number of
    keys that the table has besides.
    """
    keys: dict[tuple[str, str, str], list[str]] = {}
    for r in table.rows:
        where = f"{r.span.path}:{r.span.line}" if r.span else ""
        keys.setdefault((r.kernel, r.why.value, where), []).append(r.key.value)
    widths = [max((len(cells[i]) for cells in keys), default=0) for i in range(2)]
    lines = [table.op]
    for (kernel, why, where), named in keys.items():
        lines.append(f"  {kernel:<{widths[0]}}  {why:<{widths[1]}}  {where}".rstrip())
        lines += textwrap.wrap(", ".join(named), _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)
    notes = [f"the library has no tensors of {left_out} more keys; --all prints them"] if left_out else []
    lines += [f"note: {note}" for note in (*table.notes, *notes)]
    return "\n".join(lines) + "\n"
