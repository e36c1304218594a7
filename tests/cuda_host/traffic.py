"""Reads what the emulator counted, in the file that EMULATOR_TRAFFIC names."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

OPERATIONS = ("launch", "copy", "fill", "library")
WIDEST = 32 * 16  # bytes that a warp can ask for at once


@dataclass(frozen=True)
class Line:
    """An instruction of the launches from one place, or an operation that the host asked for."""

    what: str  # "global", "shared", or one of OPERATIONS
    kernel: str
    launched: str  # file:line
    place: str  # module+offset
    requests: int  # of warps; of operations, how many
    units: int  # sectors of 32 bytes; in shared memory, passes
    ideal: int  # the fewest that hold the bytes asked for
    bytes: int  # that were asked for, by however many lanes


@dataclass(frozen=True)
class Traffic:
    lines: tuple[Line, ...]

    def of(self, kernel: str) -> Traffic:
        return Traffic(tuple(line for line in self.lines if line.kernel == kernel))

    def operations(self, *what: str) -> int:
        return sum(line.requests for line in self.lines if line.what in what)

    def requests(self, what: str) -> int:
        return sum(line.requests for line in self.lines if line.what == what)

    def units(self, what: str) -> int:
        return sum(line.units for line in self.lines if line.what == what)

    def ratio(self, what: str) -> float | None:
        """Of "global": sectors by the ideal; of "shared": passes by theirs. None without such a request."""
        ideal = sum(line.ideal for line in self.lines if line.what == what)
        return self.units(what) / ideal if ideal else None

    def narrowness(self) -> float | None:
        """Requests in device memory, by the fewest: of 16 bytes for each lane."""
        total = sum(line.bytes for line in self.lines if line.what == "global")
        return self.requests("global") * WIDEST / total if total else None

    def worst(self, what: str) -> list[Line]:
        """The instructions with the most units above the ideal."""
        above = [line for line in self.lines if line.what == what and line.units > line.ideal]
        return sorted(above, key=lambda line: line.ideal - line.units)


def read(file: Path) -> dict[str, Traffic]:
    """By title."""
    found: dict[str, list[Line]] = defaultdict(list)
    for text in file.read_text().splitlines():
        title, what, kernel, launched, place, *numbers = text.split("\t")
        found[title].append(Line(what, kernel, launched, place, *map(int, numbers)))
    return {title: Traffic(tuple(lines)) for title, lines in found.items()}
