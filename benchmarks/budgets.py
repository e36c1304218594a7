#!/usr/bin/env python3
"""Prints the budget tables: our figures beside PyTorch's and NumPy's, if these are installed.

Everything runs with one thread, alternating between the libraries, and measures CPU time, so that other
work on the machine has little effect; ratios within a run are more reliable than absolute figures. Sections:
calls, cpp, autograd, modules, footprint, generator, kernels, gemm, convolutions, build (minutes).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure import (  # noqa: E402
    autograd,
    calls,
    convolutions,
    cpp,
    footprint,
    generator,
    kernels,
    modules,
    peers,
)
from measure.table import Row, print_rows, show  # noqa: E402

SECTIONS = tuple("calls cpp autograd modules footprint generator kernels gemm convolutions".split())


def default_harness() -> Path | None:
    """Returns the folder of a side-by-side harness beside the repository; None where there is none."""
    place = ROOT.parent / "shared" / "bench"
    return place if (place / "run.py").is_file() else None


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", default=",".join(SECTIONS), help=f"sections, of {', '.join(SECTIONS)}, build"
    )
    parser.add_argument("--rounds", type=int, default=15, help="samples of each peer (default 15)")
    parser.add_argument("--no-instructions", action="store_true", help="leave callgrind out")
    parser.add_argument("--harness", type=Path, default=default_harness(), help="a side-by-side harness")
    parser.add_argument(
        "--suites", default="", help="run these suites of the harness (overhead,elementwise,...)"
    )
    parser.add_argument("--jobs", type=int, default=2, help="compilers at a time, for the section build")
    return parser.parse_args()


def print_calls(o: argparse.Namespace) -> None:
    table = calls.python_calls(peers.load(), o.rounds)
    print_rows("Calls from Python", table, _mean(table))
    if not o.no_instructions:
        print_rows("Calls from Python, instructions", calls.python_instructions())


def print_cpp(o: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        figures = cpp.measure(Path(folder), o.harness, count=not o.no_instructions)
    if figures is None:
        print_rows("Calls from C++", [], ["They are left out: no C++ compiler or CMake was found."])
        return
    print_rows("Calls from C++", cpp.rows(figures), figures.notes)
    print_rows("Autograd from C++", autograd.cpp_rows(figures))


def print_autograd(o: argparse.Namespace) -> None:
    table = autograd.python_rows(peers.load(), o.rounds)
    print_rows("Autograd from Python, one thread", table, _mean(table))


def print_modules(o: argparse.Namespace) -> None:
    print_rows("Modules, data and optimizers, one thread", modules.rows(peers.load(), o.rounds))


def print_footprint(o: argparse.Namespace) -> None:
    table, notes = footprint.imports_and_sizes(ROOT)
    print_rows("Import, size, headers", [*table, *footprint.headers()], notes)


def print_generator(o: argparse.Namespace) -> None:
    table, notes = generator.rows(ROOT)
    print_rows("Generator", table, notes)


def print_kernels(o: argparse.Namespace) -> None:
    table = kernels.rows(peers.load(), o.rounds)
    print_rows("Kernels, one thread", table, _mean(table))
    if o.harness is not None and o.suites:
        with tempfile.TemporaryDirectory() as folder:
            lines = kernels.with_harness(o.harness, Path(folder), o.suites, o.rounds)
        print_rows("Kernels, all cases of the harness", [], lines)


def print_gemm(o: argparse.Namespace) -> None:
    print_rows("Matrix products, one thread", kernels.gemm(peers.load(), o.rounds))


def print_convolutions(o: argparse.Namespace) -> None:
    table = convolutions.rows(peers.load(), o.rounds)
    print_rows("Convolutions, one thread", table, _mean(table))


def print_build(o: argparse.Namespace) -> None:
    table, notes = generator.clean_build(ROOT, o.jobs)
    print_rows("Clean build", table, notes)


def _mean(table: list[Row]) -> list[str]:
    mean = kernels.geomean(table)
    return [f"Geometric mean of ours/PyTorch: {show(mean)}"] if mean else []


PRINTERS: dict[str, Callable[[argparse.Namespace], None]] = {
    "calls": print_calls,
    "cpp": print_cpp,
    "autograd": print_autograd,
    "modules": print_modules,
    "footprint": print_footprint,
    "generator": print_generator,
    "kernels": print_kernels,
    "gemm": print_gemm,
    "convolutions": print_convolutions,
    "build": print_build,
}


def main() -> int:
    o = options()
    wanted = o.only.split(",")
    if unknown := [name for name in wanted if name not in PRINTERS]:
        print(f"no such section: {', '.join(unknown)}", file=sys.stderr)
        return 2
    for name in wanted:
        PRINTERS[name](o)
    return 0


if __name__ == "__main__":
    sys.exit(main())
