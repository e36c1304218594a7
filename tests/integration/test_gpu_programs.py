"""The programs of `make test-gpu` and `make bench-gpu`, run on the CPU, since a GPU is rarely available."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def output_of(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a Python program and returns its outcome."""
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        cwd=ROOT,
        check=False,
    )


def test_samples_go_to_the_device() -> None:
    """Operands are moved to `cpu:0` as they would be to `cuda`."""
    some = "sum or add or where or arange or normal or sort"
    command = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", "-k", some)
    done = output_of(*command, "tests/ops/test_samples.py", ATEN_TEST_DEVICE="cpu:0")
    assert done.returncode == 0, done.stdout[-4000:]
    elsewhere = output_of(*command, "-x", "tests/ops/test_samples.py", ATEN_TEST_DEVICE="meta")
    assert elsewhere.returncode == 1, "operands did not go where ATEN_TEST_DEVICE says"


def test_benchmark() -> None:
    done = output_of("benchmarks/gpu.py", "--device", "cpu", "--elements", "16384", "--rounds", "1")
    assert done.returncode == 0, done.stderr
    assert "| matmul 128, bfloat16 " in done.stdout and "ours: " not in done.stdout, done.stdout


def test_without_a_gpu(tmp_path: Path) -> None:
    """The program reports that there is no GPU, and doesn't build anything."""
    done = output_of("tests/tools/gpu.py", "generated/aten", "--build", tmp_path, PATH=str(tmp_path))
    assert done.returncode == 77 and "no GPU is available here" in done.stdout
    assert not list(tmp_path.iterdir())
