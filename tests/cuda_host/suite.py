"""The tests of CUDA code on the emulated device: python tests/cuda_host/suite.py [--all] [--jobs N]

Builds build/cuda_host, then runs the tests of this folder (the emulator's own, and programs on the device),
the operators' samples on `cuda`, and gradients there against those of the CPU. A report of the emulator
fails a part unless reviewed.txt lists it. --all has every dtype, the three orders of threads, lazy streams, a
second device, the caching allocator, and PyTorch's samples.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import host
import host_build as build

SAMPLES = ("tests/ops/test_samples.py",)
PYTORCH = ("tests/ops/pytorch/test_opinfo.py", "tests/autograd/test_gradients_opinfo.py")
KERNELS = ("tests/cuda_host/test_kernels.py",)
GRADIENTS = ("tests/cuda_host/test_gradients_on_device.py",)


@dataclass(frozen=True)
class Part:
    """Tests, with the settings that the emulator has in them."""

    name: str
    tests: tuple[str, ...]
    marks: str = ""
    device: str = "cuda"
    settings: dict[str, Any] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        name = {KERNELS: "ATEN_KERNELS_ON", GRADIENTS: "ATEN_GRADIENTS_ON"}.get(
            self.tests, "ATEN_TEST_DEVICE"
        )
        return {**host.environment(**self.settings), name: self.device}

    def command(self, jobs: int) -> list[str]:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", str(jobs)]
        marks = ["-m", self.marks] if self.marks else []
        known = [word for name in differences() for word in ("--deselect", name)]
        return [*command, "--dist", "worksteal", *marks, *known, *self.tests]


@cache
def differences() -> list[str]:
    """Tests that ask for what only the CPU gives."""
    lines = (host.HERE / "differences.txt").read_text().splitlines()
    return [line.partition("|")[0].strip() for line in lines if line.strip() and not line.startswith("#")]


SHORT = (
    Part("samples", SAMPLES, marks="not slow"),
    Part("kernels", KERNELS, settings={"initialised": True}),
    Part("gradients", GRADIENTS),
)
LONG = (
    Part("all samples", SAMPLES),
    *(Part(f"samples, {host.ORDERS[order]}", SAMPLES, settings={"order": order}) for order in (1, 2)),
    Part("samples, lazy streams", SAMPLES, settings={"lazy": True}),
    Part("samples, caching allocator", SAMPLES, settings={"allocator": "caching", "lazy": True}),
    Part("samples on cuda:1", SAMPLES, device="cuda:1", settings={"devices": 2, "lazy": True}),
    Part("kernels", KERNELS, settings={"initialised": True}),
    *(Part(f"kernels, {host.ORDERS[order]}", KERNELS, settings={"order": order}) for order in (1, 2)),
    Part("gradients", GRADIENTS),
    *(Part(f"gradients, {host.ORDERS[order]}", GRADIENTS, settings={"order": order}) for order in (1, 2)),
    Part("gradients on cuda:1", GRADIENTS, device="cuda:1", settings={"devices": 2, "lazy": True}),
    Part("PyTorch's samples", PYTORCH),
)


def programs(jobs: int) -> bool:
    """The tests that start processes on the device themselves, and read their reports."""
    print("cuda_host: the emulator's tests, and programs", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", str(jobs)]
    command.append(str(host.HERE))
    return subprocess.run(command, cwd=host.ROOT, check=False).returncode == 0


def passes(part: Part, jobs: int) -> bool:
    """Runs the tests; prints what the emulator reported that nobody has reviewed."""
    file = host.OUT / "reports" / f"{part.name.replace(' ', '-').replace(',', '')}.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    print(f"cuda_host: {part.name}", flush=True)
    start = time.monotonic()
    environment = {**part.environment(), "EMULATOR_REPORT": str(file), "EMULATOR_KERNELS": f"{file}.kernels"}
    code = subprocess.run(part.command(jobs), cwd=host.ROOT, env=environment, check=False).returncode
    reports = host.read_reports(file)
    faults = host.unreviewed(reports)
    for fault in faults:
        print(fault)
    seconds = time.monotonic() - start
    print(
        f"cuda_host: {part.name}: {len(faults)} reports, {len(reports) - len(faults)} more were reviewed, "
        f"{seconds:.0f} s",
        flush=True,
    )
    return code == 0 and not faults


def left_out() -> int:
    """How many samples only the long run has."""
    command = [sys.executable, "-m", "pytest", "-m", "slow", "--collect-only", "-q", *SAMPLES]
    done = subprocess.run(
        command, cwd=host.ROOT, env=SHORT[0].environment(), capture_output=True, text=True, check=False
    )
    return sum("::" in line for line in done.stdout.splitlines())


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--all", action="store_true", help="also what takes long")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--package", type=Path, help="the package aten of the CPU; default: the installed one"
    )
    parser.add_argument("--part", help="only the part of this name")
    given = parser.parse_args()
    start = time.monotonic()
    build.build(given.package or build.installed(), given.jobs)
    print(f"cuda_host: built in {(time.monotonic() - start) / 60:.1f} minutes", flush=True)
    parts = [p for p in (LONG if given.all else SHORT) if given.part in (None, p.name)]
    print(f"cuda_host: {len(differences())} tests are left out, with reasons: differences.txt")
    if not given.all:
        print(
            f"cuda_host: {left_out()} samples marked slow are left out; `make test-cuda-host-all` runs them"
        )
    results = [programs(given.jobs), *(passes(part, given.jobs) for part in parts)]
    minutes = (time.monotonic() - start) / 60
    print(f"cuda_host: {'all passed' if all(results) else 'failed'} in {minutes:.1f} minutes")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
