"""Which launches of the CUDA library the tests executed, of those that its sources and headers have.

The emulator appends the place of each launch to the file that EMULATOR_KERNELS names; a launch that no test
reaches is code that nothing has run. unexecuted.txt lists those that are known, with reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import host

# As translate.py writes a launch, below the file's name.
NAME = re.compile(r'#line 1 "([^"]+)"\n')
LAUNCH = re.compile(r'::emulator::launch\(\{"([^"]+)", \{__FILE__, __LINE__\}\}')


@dataclass(frozen=True, order=True)
class Launch:
    file: str  # as reports name it
    line: int
    kernel: str  # with its template arguments

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.kernel}"


def launches_in(text: str) -> list[Launch]:
    """Those of a translated source or header, whose first line gives its name."""
    name = NAME.match(text)
    if name is None:
        raise ValueError(f"no translated source: {text[:60]!r}")
    body = text[name.end() :]
    return [
        Launch(name[1], body.count("\n", 0, found.start()) + 1, found[1]) for found in LAUNCH.finditer(body)
    ]


def executed_in(files: Iterable[Path]) -> set[tuple[str, int]]:
    """The places that processes appended to the files."""
    lines = [line for file in files if file.exists() for line in file.read_text().splitlines()]
    places = (line.partition("\t")[0].rpartition(":") for line in lines)
    return {(file, int(line)) for file, _, line in places}


def known() -> dict[tuple[str, str], str]:
    """(file, kernel) of launches that nothing executes, and why."""
    lines = (host.HERE / "unexecuted.txt").read_text().splitlines()
    parts = [line.split(" | ") for line in lines if line.strip() and not line.startswith("#")]
    return {(file.strip(), kernel.strip()): reason.strip() for file, kernel, reason in parts}


def problems(
    every: Iterable[Launch], executed: set[tuple[str, int]], known: dict[tuple[str, str], str]
) -> list[str]:
    """A line for each launch that was not executed, and for each entry of the list that is out of date."""
    every = sorted(every)
    missing = [launch for launch in every if (launch.file, launch.line) not in executed]
    found = [
        f"{launch} was never executed: add a sample, or a line to tests/cuda_host/unexecuted.txt"
        for launch in missing
        if (launch.file, launch.kernel) not in known
    ]
    listed = {(launch.file, launch.kernel) for launch in missing}
    found += [
        f"{file} {kernel}: was executed, or is gone; take it off tests/cuda_host/unexecuted.txt"
        for file, kernel in known
        if (file, kernel) not in listed
    ]
    return found
