"""By default `opgen build` builds what this machine can run."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from opgen.build import machine
from opgen.commands import build

AVX2 = "fpu sse4_2 avx avx2 fma bmi1 bmi2"
AVX512 = f"{AVX2} avx512f avx512bw avx512dq avx512vl avx512cd"


@pytest.mark.parametrize(
    ("flags", "capability"),
    [(AVX512, "avx512"), (AVX512.replace("avx512dq", ""), "avx2"), (AVX2, "avx2"), ("fpu sse4_2", "default")],
)
def test_the_copy_of_kernels_is_the_processors_best(tmp_path: Path, flags: str, capability: str) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(f"processor\t: 0\nmodel name\t: any\nflags\t\t: {flags}\n\nprocessor\t: 1\n")
    assert machine.cpu_capability(cpuinfo) == capability


def test_an_unknown_processor_gets_the_copy_for_all(tmp_path: Path) -> None:
    assert machine.cpu_capability(tmp_path / "none") == "default"
    (tmp_path / "cpuinfo").write_text("processor : 0\nFeatures : fp asimd\n")
    assert machine.cpu_capability(tmp_path / "cpuinfo") == "default"


def test_a_gpu_has_a_device_file(tmp_path: Path) -> None:
    assert not machine.has_nvidia_gpu(tmp_path)
    (tmp_path / "nvidiactl").touch()
    assert not machine.has_nvidia_gpu(tmp_path)
    (tmp_path / "nvidia0").touch()
    assert machine.has_nvidia_gpu(tmp_path)


@pytest.mark.parametrize(
    ("given", "has_gpu", "expected"),
    [
        ("", False, ""),
        ("", True, "native"),
        ("80,90-real", True, "80;90-real"),
        ("native", False, "native"),
        ("all", False, "75-real;80-real;86-real;89-real;90-real;100-real;120"),
    ],
)
def test_architectures(given: str, has_gpu: bool, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "has_nvidia_gpu", lambda: has_gpu)
    option = next(p for p in build.command.params if p.name == "cuda_architectures")
    context = click.Context(build.command)
    assert option.process_value(context, given) == expected
