"""Each barrier of cuda/** dropped in turn: does the emulated device report it?

python tests/cuda_host/mutants.py [--count N] [--jobs N]

A mutant is one source, compiled without one of its barriers and linked into a package of its own; the cases
of test_kernels.py for that source run there. Grids are small, so that blocks take several rounds. A campaign
that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import build_rules
import host
import host_build as build

from tools.cuda_emulator import translate

sys.path.insert(0, str(host.ROOT / "tests" / "tools"))
from campaign import Campaign, say

CUDA = host.ROOT / "cuda"
FOLDER = host.OUT / "mutants"
BARRIER = re.compile(r"__sync(?:threads|warp)\([^;]*\);")
INSIDE = build.INSIDE
INCLUDED = re.compile(rf"#include <{INSIDE}/([\w/]+\.cuh)>")
CASES = re.compile(r"test_kernels\.py::\S+?\[(?P<source>\S+\.cu)\b.*\]$", re.MULTILINE)


@dataclass(frozen=True)
class Mutant:
    file: str  # in cuda/
    position: int  # of the barrier in the text; -1: nothing is dropped
    line: int = 0

    def __str__(self) -> str:
        return f"cuda/{self.file}:{self.line}" if self.position >= 0 else f"cuda/{self.file}, unchanged"

    def text(self) -> str:
        text = (CUDA / self.file).read_text()
        if self.position < 0:
            return text
        found = BARRIER.match(text, self.position)
        assert found is not None, self
        return f"{text[: self.position]};{text[found.end() :]}"


def barriers() -> Iterator[Mutant]:
    for file in sorted([*CUDA.rglob("*.cu"), *CUDA.rglob("*.cuh")]):
        text = file.read_text()
        for found in BARRIER.finditer(text):
            if not text[text.rfind("\n", 0, found.start()) : found.start()].lstrip().startswith("//"):
                line = text.count("\n", 0, found.start()) + 1
                yield Mutant(str(file.relative_to(CUDA)), found.start(), line)


@cache
def cases() -> dict[str, list[str]]:
    """The tests of each source."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", str(host.HERE / "test_kernels.py")]
    done = subprocess.run(
        command, cwd=host.ROOT, env=host.environment(), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"mutate-cuda: the cases of test_kernels.py can't be collected\n{done.stdout}{done.stderr}")
    found: dict[str, list[str]] = {}
    for match in CASES.finditer(done.stdout):
        found.setdefault(match["source"], []).append(match[0])
    return found


def mutants() -> list[Mutant]:
    """First each source as it is, which must pass: else nothing could be said of its mutants."""
    found = list(barriers())
    if missing := without_cases({m.file for m in found}, cases()):
        sys.exit("\n".join(f"mutate-cuda: {line}" for line in missing))
    return [*(Mutant(source, -1) for source in cases()), *found]


def sources_of(file: str, sources: Iterable[str]) -> list[str]:
    """Of the sources, those that a file of cuda/ is part of."""
    return [source for source in sources if source == file or file in headers_of(source)]


@cache
def headers_of(file: str) -> frozenset[str]:
    """The .cuh files that a file of cuda/ includes, and those that they include."""
    found = INCLUDED.findall((CUDA / file).read_text())
    return frozenset(found).union(*(headers_of(header) for header in found))


def without_cases(files: Iterable[str], with_cases: Iterable[str]) -> list[str]:
    """For each file with barriers that no case runs, what is missing: nothing could notice its mutants."""
    every = sorted(str(file.relative_to(CUDA)) for file in CUDA.rglob("*.cu"))
    return [
        f"cuda/{file} has barriers, but no case of tests/cuda_host/test_kernels.py runs them: add one whose "
        f"name begins with {' or '.join(sources_of(file, every)) or 'the name of a source that includes it'}"
        for file in sorted(files)
        if not sources_of(file, with_cases)
    ]


# ---- one mutant


def make_headers(folder: Path, mutant: Mutant) -> None:
    """Headers in front of the others: those that limit grids, and a mutated one."""
    texts = {name: (CUDA / name).read_text() for name in build.SHORT_LOOPS}
    if mutant.file.endswith(".cuh"):
        texts[mutant.file] = mutant.text()
    for name, text in texts.items():
        if name in build.SHORT_LOOPS:
            text = build.with_short_loops(name, text)
        translate.write(text, folder / "headers" / INSIDE / name, f"cuda/{name}")


def compile_source(folder: Path, mutant: Mutant, source: str) -> Path:
    cpp, result = folder / "mutant.cpp", folder / "mutant.o"
    text = mutant.text() if mutant.file == source else (CUDA / source).read_text()
    translate.write(text, cpp, f"cuda/{source}")
    command = [*os.environ.get("CXX", "g++").split(), *build_rules.FLAGS, *build_rules.DEVICE_FLAGS]
    command += [f"-I{folder / 'headers'}", *build_rules.INCLUDES]
    subprocess.run([*command, "-c", cpp, "-o", result], check=True)
    return result


def link(folder: Path, source: str, mutated: Path, package: Path) -> None:
    """A package like exact/, with the library that has the mutated object."""
    shutil.rmtree(folder / "aten", ignore_errors=True)
    shutil.copytree(host.OUT / "exact" / "aten", folder / "aten", copy_function=os.link)
    library = folder / "aten" / "lib" / "libaten_cuda.so"
    library.unlink()
    name = f"cuda_{source.replace('/', '_')}.o"
    objects = [str(o) for o in (host.OUT / "objects").glob("*.o") if is_linked(o.name) and o.name != name]
    flags = build_rules.link_flags(package)
    command = ["g++", "-shared", mutated, *objects, "-o", library, "-Wl,-soname,libaten_cuda.so", *flags]
    subprocess.run(command, check=True)


def is_linked(name: str) -> bool:
    return not name.startswith("emulator_") and "CUDACachingAllocator" not in name and name not in build.ALONE


def is_found(mutant: Mutant, package: Path) -> bool:
    folder = FOLDER / str(os.getpid())
    shutil.rmtree(folder, ignore_errors=True)
    try:
        make_headers(folder, mutant)
        return any(fails(folder, mutant, source, package) for source in sources_of(mutant.file, cases()))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def fails(folder: Path, mutant: Mutant, source: str, package: Path) -> bool:
    link(folder, source, compile_source(folder, mutant, source), package)
    settings = {
        **host.environment(initialised=True),
        "PYTHONPATH": str(folder),
        "ATEN_KERNELS_ON": "cuda",
    }
    tests = [f"{host.HERE}/{case}" for case in cases()[source]]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    outcome = host.outcome_of(command, settings, timeout=900)
    return outcome.returncode != 0 or bool(host.unreviewed(outcome.reports))


# ---- the campaign


def work(seed: int, first: int, count: int) -> list[str]:
    """The mutants that nothing notices, and sources that fail as they are."""
    package = Path(os.environ["MUTANTS_PACKAGE"])
    chosen = order(seed)[first : first + count]
    return [str(m) for m in chosen if is_found(m, package) == (m.position < 0)]


def order(seed: int) -> list[Mutant]:
    """Sources as they are first; then mutants of all files in turn, so that the first N are a sample."""
    whole = mutants()
    plain, changed = [m for m in whole if m.position < 0], [m for m in whole if m.position >= 0]
    step = next(s for s in range(7 + seed, 10_000) if len(changed) % s != 0 and is_prime(s))
    return [*plain, *(changed[i * step % len(changed)] for i in range(len(changed)))]


def is_prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=0, help="so many mutants; 0: all")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--package", type=Path, help="the package aten of the CPU; default: the installed one"
    )
    given = parser.parse_args()
    package = (given.package or build.installed()).resolve()
    build.build(package, given.jobs)
    os.environ["MUTANTS_PACKAGE"] = str(package)
    plain = len(cases())
    barriers_in_all = len(mutants()) - plain
    count = min(given.count or barriers_in_all, barriers_in_all)
    campaign = Campaign.open("mutate-cuda", plain + count, [CUDA, host.HERE], seed=0, folder=FOLDER)
    survivors: list[str] = []

    def report(failure: object) -> None:
        survivors.append(str(failure))
        say(f"  not noticed: {failure}" if "unchanged" not in str(failure) else f"  fails: {failure}")

    campaign.run(work, 1, given.jobs, report)
    say(f"mutate-cuda: {count} of {barriers_in_all} barriers dropped, {count - campaign.failures} found")
    return 1 if campaign.failures > count // 10 else 0


if __name__ == "__main__":
    sys.exit(main())
