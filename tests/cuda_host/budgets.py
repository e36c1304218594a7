"""The budgets of calls on CUDA, in budgets.txt: python tests/cuda_host/budgets.py [--write] [NAME...]

Counts the calls of budget_cases.py on the emulated device, and prints where each asks for more sectors or
passes than it needs. --write puts what was counted into budgets.txt.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import host
import traffic

FILE = host.HERE / "budgets.txt"
SLACK = 1.1  # a budget that is more than this above what was counted is too wide
RATIOS = {"requests": None, "sectors": 1.5, "passes": 1.0}  # and their goals


@dataclass(frozen=True)
class Limit:
    """What a count may be today, and what it should come to; None: no such count, no goal."""

    budget: float | None
    goal: float | None

    def fault(self, found: float | None) -> str:
        if (found is None) != (self.budget is None):
            return "is counted for the first time" if self.budget is None else "is not counted any more"
        if found is None or self.budget is None:
            return ""
        if found > self.budget + 1e-9:
            return f"is {found:.4g}, more than its budget of {self.budget:g}"
        if found * SLACK < self.budget:
            return f"is {found:.4g}, its budget is {self.budget:g}: lower it"
        return ""


@dataclass(frozen=True)
class Row:
    launches: Limit  # of kernels
    other: Limit  # copies, fills and calls of libraries
    requests: Limit  # of warps, by the fewest: of 16 bytes for each lane
    sectors: Limit  # by the fewest that hold the bytes
    passes: Limit  # through shared memory, by the fewest

    def faults(self, found: traffic.Traffic) -> list[str]:
        faults = [
            f"{name} {fault}"
            for name, count in counts(found).items()
            if (fault := getattr(self, name).fault(count))
        ]
        return [f"{'; '.join(faults)}\n{details(found)}"] if faults else []


def counts(found: traffic.Traffic) -> dict[str, float | None]:
    return {
        "launches": found.operations("launch"),
        "other": found.operations("copy", "fill", "library"),
        "requests": found.narrowness(),
        "sectors": found.ratio("global"),
        "passes": found.ratio("shared"),
    }


def details(found: traffic.Traffic, most: int = 3) -> str:
    """The accesses that are furthest above the ideal."""
    worst = [*found.worst("global")[:most], *found.worst("shared")[:most]]
    places = host.places({line.place for line in worst})
    return "\n".join(
        f"    {line.what}: {line.units / line.requests:.1f} of {line.ideal / line.requests:.1f} "
        f"in {line.requests} requests: {line.kernel} at {' <- '.join(short(places[line.place]))}"
        for line in worst
    )


def short(place: Sequence[str]) -> list[str]:
    """Without the arguments of templates."""
    return [frame.partition("<")[0] for frame in place[:2]]


def measure(names: Sequence[str] = ()) -> dict[str, traffic.Traffic]:
    """What the emulator counts of the calls: all, or those of these names."""
    with tempfile.TemporaryDirectory(prefix="traffic-") as folder:
        file = Path(folder) / "counts"
        program = [sys.executable, str(host.HERE / "budget_cases.py"), str(host.OUT / "libcuda_emulator.so")]
        settings = {**host.environment(), "EMULATOR_TRAFFIC": str(file)}
        outcome = host.outcome_of([*program, *names], settings, timeout=540)
        faults = "\n".join(map(str, host.unreviewed(outcome.reports)))
        if outcome.returncode != 0 or faults:
            raise RuntimeError(f"the calls could not be counted: {outcome.stderr}{faults}")
        return {title: found for title, found in traffic.read(file).items() if title not in ("-", "before")}


def read() -> dict[str, Row]:
    rows = {}
    for line in FILE.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, *cells = (cell.strip() for cell in line.split("|"))
            numbers = [None if cell == "-" else float(cell) for cell in cells]
            limits = [Limit(*pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]
            rows[name] = Row(*limits)
    return rows


def tightened(found: traffic.Traffic, before: Row | None) -> Row:
    """The row with what was counted, ratios rounded up to 0.05, and the goals that it had."""
    limits = {}
    for name, count in counts(found).items():
        old: Limit | None = getattr(before, name, None)
        if count is not None and name in RATIOS:
            count = math.ceil(count * 20 - 1e-9) / 20
        limits[name] = Limit(count, RATIOS.get(name) if old is None or old.budget is None else old.goal)
    return Row(**limits)


def cell(number: float | None) -> str:
    return "-" if number is None else f"{number:g}"


def lines(rows: dict[str, Row]) -> list[str]:
    width = max(map(len, rows))
    return [
        " | ".join(
            [name.ljust(width)]
            + [
                cell(number).rjust(4)
                for limit in vars(row).values()
                for number in (limit.budget, limit.goal if limit.budget is not None else None)
            ]
        )
        for name, row in rows.items()
    ]


def write(found: dict[str, traffic.Traffic]) -> None:
    before = read()
    rows = {**before, **{name: tightened(one, before.get(name)) for name, one in found.items()}}
    comments = [line for line in FILE.read_text().splitlines() if line.startswith("#")]
    FILE.write_text("\n".join([*comments, *lines(rows)]) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="change budgets.txt")
    parser.add_argument("names", nargs="*", help="of calls; default: all")
    given = parser.parse_args()
    found = measure(given.names)
    for name, one in found.items():
        print(f"{name}: {', '.join(f'{what} {cell(count)}' for what, count in counts(one).items())}")
        if one_place := details(one):
            print(one_place)
    if given.write:
        write(found)


if __name__ == "__main__":
    main()
