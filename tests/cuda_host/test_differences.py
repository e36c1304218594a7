"""Which samples the emulated device leaves out."""

from __future__ import annotations

import differences
import pytest

SAMPLE = "tests/ops/test_samples.py::test_sample"


LEFT_OUT = (
    "avg_pool2d-int64-out",
    "_convolution-deprecated-int64-functional",
    "conv1d-mode-uint8-meta",
    "detach-int64-inplace",
    "log_sigmoid_forward-float32-out",
)


@pytest.mark.parametrize("name", LEFT_OUT)
def test_left_out(name: str) -> None:
    assert differences.is_left_out(f"{SAMPLE}[{name}]")


@pytest.mark.parametrize(
    "name", ["avg_pool2d-float32-out", "conv1d-mode-float64-meta", "detach-int64-functional", "add-int64-out"]
)
def test_run(name: str) -> None:
    assert not differences.is_left_out(f"{SAMPLE}[{name}]")


def test_every_pattern_leaves_out_a_sample() -> None:
    import test_samples

    names = [f"{SAMPLE}[{case.id}]" for case in test_samples.cases()]
    assert len(names) > 10_000
    assert not [p.pattern for p in differences.patterns() if not any(map(p.search, names))]
