"""The page with the table: written from its lines, and read back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core_aten_absent import reason_for

Lines = dict[str, dict[str, str]]

HEAD = """\
# Core ATen, overload by overload

This page compares every overload with PyTorch's. PyTorch tags {core} overloads as `core`: exported models
decompose to these. The first table has the core overloads, the second all others that this library declares.
The third has what this library doesn't declare, of the overloads that PyTorch's samples reach and of those of
the same operators. Tests write the tables, and a run of all tests of a column fails if a line gets worse:

    ATEN_ALL_SAMPLES=1 pytest tests/ops/pytorch/test_recorded_calls.py -n auto --write-core-aten

The tests record every call that PyTorch makes below autograd while it runs the samples of its operator
database and their backward passes, and make the same calls with this library.

| column | what is compared |
|---|---|
| a dtype | samples of this dtype: values, dtype, shape, strides, mutated arguments, shared memory |
| meta | the result on the Meta device with that on the CPU: shape, dtype, strides |
| gradients | those of all floating-point arguments, in float64 |
| forms | the in-place and out= forms on the same arguments |
| errors | an error of PyTorch is an exception of the same kind |

`passing`: all calls agree; where PyTorch rounds intermediate values, ours is its float64 result, rounded once
(tests/ops/pytorch/exact.py). `partly`: some differ; tests/ops/pytorch/recorded_differences.py has the
reasons. `-`: PyTorch makes no such call, or has no such form. `missing`: not declared here.

"""

ABSENT = "\n## Not declared\n\n"


def page(
    lines: Lines, aspects: Sequence[str], absent: Iterable[str] = (), core: set[str] | None = None
) -> str:
    from core_aten import core_overloads

    core = core_overloads() if core is None else core
    others = {n: cells for n, cells in lines.items() if n not in core}
    first = {n: lines[n] for n in sorted(core)}
    parts = [HEAD.format(core=len(core)), summary(first), "\n## Core\n\n", table(first, aspects)]
    parts += ["\n## Others\n\n", summary(others), "\n", table(others, aspects)]
    parts += [ABSENT, absent_table(sorted(absent))]
    return "".join(parts)


def summary(lines: Lines) -> str:
    words = [standing(cells) for cells in lines.values()]
    kinds = ("passing", "partly", "not called", "missing")
    counts = ", ".join(f"{words.count(w)} {w}" for w in kinds)
    return f"{len(lines)} overloads: {counts}.\n"


def standing(cells: dict[str, str]) -> str:
    """Returns the status of a whole line."""
    words = set(cells.values())
    for word in ("missing", "partly", "passing"):
        if word in words:
            return word
    return "not called"


def table(lines: Lines, aspects: Sequence[str]) -> str:
    rows = [f"| overload | {' | '.join(aspects)} |", "|---" * (len(aspects) + 1) + "|"]
    rows += [f"| `{n}` | {' | '.join(cells[a] for a in aspects)} |" for n, cells in lines.items()]
    return "\n".join(rows) + "\n"


def absent_table(names: Sequence[str]) -> str:
    """Returns the last table; an overload without a reason is missing."""
    rows = [(name, reason_for(name)) for name in names]
    missing = sum(why is None for _, why in rows)
    head = f"{len(rows)} overloads: {len(rows) - missing} with a reason, {missing} missing.\n"
    cells = [f"| `{name}` | {why or 'missing'} |" for name, why in rows]
    return head + "\n".join(["", "| overload | why not |", "|---|---|", *cells]) + "\n"


def read_absent(text: str) -> set[str]:
    """Returns the overloads that a page lists as not declared."""
    return set(re.findall(r"^\| `([\w.]+)` \|", text.partition(ABSENT)[2], re.MULTILINE))


def read(text: str) -> Lines:
    """Returns the lines of a page, without those of overloads that are not declared."""
    found: Lines = {}
    aspects: list[str] = []
    for line in text.partition(ABSENT)[0].splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        if cells[0] == "overload":
            aspects = cells[1:]
        elif match := re.fullmatch(r"`([\w.]+)`", cells[0]):
            found[match[1]] = dict(zip(aspects, cells[1:], strict=True))
    return found
