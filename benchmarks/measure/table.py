"""Rows of the budget tables, and their output."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence

HEAD = ("what", "unit", "budget", "ours", "PyTorch", "NumPy", "ours/PyTorch", "")


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """A row: figures of the three peers in `unit`; smaller is better unless `more` is set."""

    what: str
    unit: str
    budget: float | None = None
    ours: float | None = None
    torch: float | None = None
    numpy: float | None = None
    more: bool = False

    @property
    def ratio(self) -> float | None:
        return self.ours / self.torch if self.ours is not None and self.torch else None

    @property
    def verdict(self) -> str:
        if self.ours is None or self.budget is None:
            return ""
        good = self.ours >= self.budget if self.more else self.ours <= self.budget
        return "ok" if good else "over" if not self.more else "under"

    def cells(self) -> tuple[str, ...]:
        figures = (self.budget, self.ours, self.torch, self.numpy, self.ratio)
        return (self.what, self.unit, *(show(x) for x in figures), self.verdict)


def show(x: float | None) -> str:
    """Returns three significant digits, or a dash."""
    if x is None:
        return "-"
    if x == 0 or abs(x) >= 100:
        return f"{x:,.0f}"
    return f"{x:.{max(0, 2 - math.floor(math.log10(abs(x))))}f}"


def print_rows(title: str, rows: Sequence[Row], notes: Iterable[str] = ()) -> None:
    """Prints a Markdown table under a heading."""
    print(f"\n## {title}\n")
    if rows:
        lines = [HEAD, *(row.cells() for row in rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
        for number, line in enumerate(lines):
            cells = (
                c.ljust(w) if i < 2 else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True))
            )
            print("| " + " | ".join(cells) + " |")
            if number == 0:
                print("|" + "|".join("-" * (w + 2) for w in widths) + "|")
    for note in notes:
        print(f"\n{note}")
    print(flush=True)
