"""Runs programs with the package whose CUDA device is emulated, and reads what the emulator reports.

    outcome = run("import aten; print((aten.ones([3]).to('cuda') + 1).cpu().numpy())")
    assert outcome.returncode == 0 and not unreviewed(outcome.reports)

The package is that of build/cuda_host, which `make test-cuda-host` builds.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OUT = ROOT / "build" / "cuda_host"
FAULTS = OUT / "faults"
ORDERS = ("forward", "reverse", "random")
MARK = "EMULATOR\t"


@dataclass(frozen=True)
class Report:
    """One line of the emulator. A place is "file:line function", innermost first where calls were inlined."""

    kind: str
    kernel: str
    launched: str  # file:line
    place: tuple[str, ...]
    other: tuple[str, ...]  # in a race: the access that came before
    text: str

    def __str__(self) -> str:
        at = " <- ".join(self.place[:3]) or "-"
        before = f"; before: {' <- '.join(self.other[:3])}" if self.other else ""
        what = f"{self.kind} in {self.kernel} (launched at {self.launched})"
        return f"{what}\n    at {at}{before}\n    {self.text}"


@dataclass(frozen=True)
class Outcome:
    returncode: int
    stdout: str
    stderr: str
    reports: list[Report] = field(default_factory=list)


def is_built(allocator: str = "exact") -> bool:
    return (OUT / allocator / "aten" / "lib" / "libaten_cuda.so").exists()


def environment(
    *,
    devices: int = 1,
    order: int = 0,
    lazy: bool = False,
    allocator: str = "exact",
    initialised: bool = False,
    short_loops: bool = False,
    capability: int = 75,
) -> dict[str, str]:
    """Of a process that imports the emulated package; reports go to stderr, or where EMULATOR_REPORT says.

    With `short_loops` it is the package in which few blocks do what many do elsewhere.
    """
    return {
        **os.environ,
        "PYTHONPATH": str(OUT / ("short_loops" if short_loops else allocator)),
        "ATEN_CUBLAS_PATH": str(OUT / "cublas"),
        "OMP_NUM_THREADS": "1",
        "EMULATOR_DEVICES": str(devices),
        "EMULATOR_ORDER": str(order),
        "EMULATOR_LAZY": str(int(lazy)),
        "EMULATOR_INITIALISED": str(int(initialised)),
        "EMULATOR_CAPABILITY": str(capability),
    }


def run(
    program: str | Path,
    *,
    devices: int = 1,
    order: int = 0,
    lazy: bool = False,
    allocator: str = "exact",
    initialised: bool = False,
    capability: int = 75,
    timeout: float = 600,
) -> Outcome:
    """Runs a file, or the text of a program, in a process of its own.

    `order` is that of threads and blocks (ORDERS); with `lazy`, work on a stream runs when something waits
    for it; `initialised` reports reads of device memory that nobody wrote; `capability` is that of compute
    which the device says it has.
    """
    command = [sys.executable, *([str(program)] if isinstance(program, Path) else ["-c", program])]
    settings = environment(
        devices=devices,
        order=order,
        lazy=lazy,
        allocator=allocator,
        initialised=initialised,
        capability=capability,
    )
    return outcome_of(command, settings, timeout)


def outcome_of(command: list[str], settings: dict[str, str], timeout: float) -> Outcome:
    with tempfile.NamedTemporaryFile(prefix="emulator-") as file:
        settings = {**settings, "EMULATOR_REPORT": file.name}
        done = subprocess.run(
            command, env=settings, capture_output=True, text=True, timeout=timeout, check=False
        )
        reports = read_reports(Path(file.name))
    return Outcome(done.returncode, done.stdout, done.stderr, reports)


def read_reports(file: Path) -> list[Report]:
    """What processes appended to the file, each report once."""
    lines = file.read_text(errors="replace").splitlines() if file.exists() else []
    parts = [line.split("\t", 6)[1:] for line in lines if line.startswith(MARK)]
    found = places({place for part in parts for place in part[3:5]})
    reports = [Report(p[0], p[1], p[2], found[p[3]], found[p[4]], p[5]) for p in parts]
    return list({(r.kind, r.kernel, r.launched, r.place, r.other): r for r in reports}.values())


def places(addresses: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """module+offset as the source lines that addr2line finds there."""
    by_module: dict[str, list[str]] = {}
    for address in addresses:
        module, plus, offset = address.rpartition("+")
        if plus:
            by_module.setdefault(module, []).append(offset)
    found: dict[str, tuple[str, ...]] = {"-": ()}
    for module, offsets in by_module.items():
        done = subprocess.run(
            ["addr2line", "-a", "-f", "-C", "-i", "-e", module, *offsets],
            capture_output=True,
            text=True,
            check=False,
        )
        blocks = re.split(r"^0x[0-9a-f]+\n", done.stdout, flags=re.MULTILINE)[1:]
        for offset, block in zip(offsets, blocks, strict=False):
            frames = block.splitlines()
            found[f"{module}+{offset}"] = tuple(
                f"{in_repository(place.partition(' (')[0])} {name.partition('(')[0]}"
                for name, place in zip(frames[::2], frames[1::2], strict=False)
            )
    return {address: found.get(address, (address,)) for address in {"-", *addresses}}


def in_repository(place: str) -> str:
    """Debug information names files from the repository on, so that all clones share a compile cache."""
    return os.path.normpath(ROOT / place).removeprefix(f"{OUT}/").removeprefix(f"{ROOT}/")


@dataclass(frozen=True)
class Review:
    """A line of reviewed.txt: reports that are right and no fault."""

    kind: str
    text: re.Pattern[str]
    access: re.Pattern[str]
    other: re.Pattern[str]
    reason: str

    def allows(self, report: Report) -> bool:
        """Both accesses of a race are those that were reviewed: with any other it is another race."""
        if report.kind != self.kind or not self.text.search(report.text):
            return False
        access, other = " <- ".join(report.place), " <- ".join(report.other)
        return any(
            self.access.search(a) and self.other.search(b) for a, b in ((access, other), (other, access))
        )


@lru_cache(maxsize=1)
def reviewed() -> list[Review]:
    entries = []
    for line in (HERE / "reviewed.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            kind, *patterns, reason = (part.strip() for part in line.split(" | "))
            entries.append(Review(kind, *map(re.compile, patterns), reason))
    return entries


def is_reviewed(report: Report) -> bool:
    return any(review.allows(report) for review in reviewed())


def unreviewed(reports: list[Report]) -> list[Report]:
    return [report for report in reports if not is_reviewed(report)]
