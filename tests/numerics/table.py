"""Puts the errors that tests/cpp/test_math.cpp measures into ops/math/README.md.

    python tests/numerics/table.py build/tests-cpp/test_math*          # prints the rows
    python tests/numerics/table.py --write build/tests-cpp/test_math*  # writes them
    python tests/numerics/table.py --check build/tests-cpp/test_math*  # fails where one is above its cell

Each program is the test compiled for one CPU capability. Columns of capabilities that none is for, or that
this processor doesn't have, are kept as they are.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys

from readme import rows, write

COLUMNS = ("DEFAULT", "AVX2", "AVX512")
LINE = re.compile(r"(\S+) +(\S+) +worst (\S+) of (\S+) ulp in (\d+) points, at (.*)")
SKIPPED = 77
Key = tuple[str, str]


class Row:
    """What is known of one function of one type."""

    def __init__(self, cells: list[str] | None = None) -> None:
        self.errors = dict(zip(COLUMNS, cells[2:5], strict=True)) if cells else dict.fromkeys(COLUMNS, "-")
        self.bound, self.points, self.at = cells[5:8] if cells else ("", "0", "")

    def text(self, key: Key) -> str:
        name, type = key
        cells = (f"`{name}`", type, *self.errors.values(), self.bound, self.points, self.at)
        return f"| {' | '.join(cells)} |"


def measured(output: str) -> tuple[str, dict[Key, tuple[float, float, int, str]]]:
    """The capability, and by function and type the worst error of all lines, the bound, points and place."""
    found: dict[Key, tuple[float, float, int, str]] = {}
    for name, type, error, bound, points, at in LINE.findall(output):
        key = (name, type)
        before = found.get(key, (-1.0, 0.0, 0, ""))
        worst = max(before[::3], (float(error), at))
        found[key] = (worst[0], float(bound), before[2] + int(points), worst[1])
    return re.search(r"^capability (\w+)$", output, re.MULTILINE)[1], found


def known() -> dict[Key, Row]:
    found = {}
    for line in rows("measured"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        found[cells[0].strip("`"), cells[1]] = Row(cells)
    return found


def faults(table: dict[Key, Row], column: str, new: dict[Key, tuple[float, float, int, str]]) -> list[str]:
    """Where what is measured isn't what the table has: it is rounded to two digits."""
    found = []
    for key, (error, bound, _, _) in new.items():
        row = table.get(key, Row())
        if row.errors[column] in ("-", "") or error > float(row.errors[column]) + 0.005:
            found.append(f"{' '.join(key)}: {error} ulp with {column}, the table has {row.errors[column]}")
        if row.bound != f"{bound:g}":
            found.append(f"{' '.join(key)}: the bound is {bound:g}, the table has {row.bound}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    table, wrong = known(), []
    for program in options.programs:
        done = subprocess.run([program], capture_output=True, text=True, check=False)
        if done.returncode == SKIPPED:
            print(f"{program} needs another processor", file=sys.stderr)
            continue
        column, new = measured(done.stdout)
        wrong += faults(table, column, new)
        for key, (error, bound, points, at) in new.items():
            row = table.setdefault(key, Row())
            row.errors[column], row.bound, row.points = f"{error:.2f}", f"{bound:g}", str(points)
            if column == "AVX2":
                row.at = at
    lines = [row.text(key) for key, row in table.items()]
    if options.check:
        sys.exit("\n".join(wrong) or 0)
    if options.write:
        write("measured", lines)
    else:
        print("\n".join(lines))


if __name__ == "__main__":
    main()
