#!/usr/bin/env python3
"""Prints what one more operator costs: the table at the end of docs/adding-an-operator.md.

A copy of each example of that guide is added under a new name, right after the original, to a copy of the
sources in a temporary folder. Both trees are generated, with CUDA, and compared. The table counts
hand-written files and lines (without blank ones), new or changed generated files, and the objects that
depend on the changes: for an operator that is only a function, and for one that is also a method. No
compiler is needed. It takes some minutes.

With --time, the elementwise example is added to a copy, and the objects that depend on the changes are
compiled: for this machine's CPU capability, and with nvcc if it is installed. The table shows the elapsed
seconds, and the CPU's seconds in brackets.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(Path(__file__).resolve().parent), str(ROOT / "docs"), str(ROOT / "cli")]

from excerpts import GUIDE, Example, examples  # noqa: E402
from measure.objects import Tree, compiled_again, objects  # noqa: E402
from measure.rebuilds import Rebuilds, opgen  # noqa: E402

COPIED = ("cli", "core", "cpu", "cuda", "ops", "python", "schemas", "templates")
# Objects are counted by library, with one copy of the vectorised kernels.
LIBRARIES = {
    "library": ("core", "glue", "cpu", "simd"),
    "CUDA": ("cuda",),
    "Python": ("python",),
}


def renamed(text: str, operator: str) -> str:
    """Renames `prod_stub` to `prod2_stub`, the class `Prod` to `Prod2`; `cumprod` and `products` stay."""
    names = f"{operator}|{operator.capitalize()}"
    return re.sub(rf"(?<![A-Za-z0-9])({names})(?![A-Za-z0-9])", r"\g<1>2", text)


def add_again(example: Example, root: Path, method: bool) -> None:
    """Adds a copy of the example's lines under a new name, right after the originals."""
    whole = example.whole_files()
    for file, numbers in example.parts(ROOT).items():
        if not (root / file).is_file():
            continue  # a file of a test
        lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
        if file in whole and renamed(file, example.operator) != file:
            made = renamed((ROOT / file).read_text(encoding="utf-8"), example.operator)
            (root / renamed(file, example.operator)).write_text(made, encoding="utf-8")
            continue
        copied = (root / file).read_text(encoding="utf-8").splitlines()
        for run in _runs(numbers):
            text = lines[run.start : run.stop]
            end = _end(copied, text)
            copied[end:end] = _added(file, [renamed(line, example.operator) for line in text], method)
        (root / file).write_text("\n".join(copied) + "\n", encoding="utf-8")


def _runs(numbers: list[int]) -> list[range]:
    """Returns runs of consecutive lines."""
    found: list[range] = []
    for number in numbers:
        if found and found[-1].stop == number:
            found[-1] = range(found[-1].start, number + 1)
        else:
            found.append(range(number, number + 1))
    return found


def _end(lines: list[str], text: list[str]) -> int:
    """Returns the position after `text`; lines may have been added above it."""
    starts = (n for n in range(len(lines)) if lines[n : n + len(text)] == text)
    return next(starts) + len(text)


def _added(file: str, lines: list[str], method: bool) -> list[str]:
    if not file.startswith("schemas/"):
        return lines
    if not method:
        lines = [re.sub("(?<=  variants: ).*", "function", line) for line in lines]
    return ["", *lines]  # entries are separated by blank lines


def copy_sources(root: Path) -> Path:
    for folder in COPIED:
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "LICENSE", root)
    return root


def generate(sources: Path, out: Path) -> Tree:
    """Generates the tree of `sources`, by their own opgen."""
    opgen(sources, "generate", "schemas", "--out", str(out), "--backend", "cuda")
    return Tree(out)


def differing(before: Tree, after: Tree) -> int:
    """Returns the number of new or changed generated files."""
    return sum(before.digests.get(path) != after.digests[path] for path in after.generated)


def by_library(found: Iterable[tuple[str, str]]) -> list[int]:
    kinds = [kind for kind, _ in found]
    return [sum(map(kinds.count, members)) for members in LIBRARIES.values()]


class Trees:
    """The original tree, and the trees with an additional operator."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.plain = generate(copy_sources(folder / "plain"), folder / "plain.tree")
        # If two sections show an operator, the first adds it and the second adds to it.
        self._last: dict[tuple[str, bool], tuple[Path, Tree]] = {}

    def with_one_more(self, example: Example, method: bool) -> tuple[Tree, Tree]:
        """Returns the trees before and after."""
        key = (example.operator, method)
        sources, before = self._last.get(key, (self.folder / "plain", self.plain))
        more = sources.with_name(f"{sources.name}+{example.operator}-{method}")
        shutil.copytree(sources, more)
        add_again(example, more, method)
        after = generate(more, more.with_name(f"{more.name}.tree"))
        self._last[key] = (more, after)
        return before, after


def row(example: Example, trees: Trees, changed: bool) -> list[str]:
    function = trees.with_one_more(example, method=False)
    method = trees.with_one_more(example, method=True)
    if changed:
        again = (" ".join(key) for key in compiled_again(*function))
        print(f"{example.kind}, {example.operator}:", *again, sep="\n  ")
    parts = example.parts(ROOT)
    figures = [len(parts), sum(map(len, parts.values())), differing(*function)]
    figures += [count for pair in (function, method) for count in by_library(compiled_again(*pair))]
    return [example.kind, f"`{example.operator}`", *map(str, figures)]


def table(folder: Path, changed: bool) -> Iterator[list[str]]:
    trees = Trees(folder)
    totals = zip(LIBRARIES, by_library(objects(trees.plain)), strict=True)
    of = [f"{library} (of {total})" for library, total in totals]
    yield ["class", "example", "files", "lines", "generated", *of, *(f"method: {name}" for name in LIBRARIES)]
    for example in examples(GUIDE.read_text(encoding="utf-8")):
        yield row(example, trees, changed)


def functor_edited(example: Example, root: Path) -> None:
    header = next(file for file in example.parts(ROOT) if "/functors/" in file)
    with (root / header).open("a", encoding="utf-8") as file:
        file.write("// one line more\n")


def made_method(example: Example, root: Path) -> None:
    """Changes the function that `add_again` added into one that is also a method."""
    file = root / "schemas" / "native_functions.yaml"
    entry = rf"(- func: {example.operator}2_?\(.*\n  variants: function)\n"
    file.write_text(re.sub(entry, r"\1, method\n", file.read_text(encoding="utf-8")), encoding="utf-8")


def times(folder: Path, jobs: int) -> Iterator[list[str]]:
    yield ["change", "library and Python", "CUDA"]
    root = copy_sources(folder / "sources")
    rebuilds = Rebuilds(root, folder, jobs)
    first = examples(GUIDE.read_text(encoding="utf-8"))[0]
    changes: list[tuple[str, Callable[[], None]]] = [
        ("A line of a functor", lambda: functor_edited(first, root)),
        (f"{first.kind}, a function", lambda: add_again(first, root, method=False)),
        (f"{first.kind}, made a method", lambda: made_method(first, root)),
    ]
    for what, change in changes:
        change()
        yield [what, *(str(seconds or "no nvcc") for seconds in rebuilds.after_change().values())]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--changed", action="store_true", help="name the objects that are compiled again")
    parser.add_argument("--time", action="store_true", help="print the seconds of compiling them instead")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="compilations at a time, with --time")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = times(Path(folder), given.jobs) if given.time else table(Path(folder), given.changed)
        for number, cells in enumerate(rows):
            print(f"| {' | '.join(cells)} |", flush=True)
            if number == 0:
                print(f"| {' | '.join(['---'] * len(cells))} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
