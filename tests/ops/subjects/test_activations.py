"""Activation functions beside PyTorch's: thresholds of 16-bit floats, and out=."""

from __future__ import annotations

from typing import Any

import aten
import pytest

torch = pytest.importorskip("torch", reason="PyTorch, the oracle, is not installed")

F, AF = torch.nn.functional, aten.nn.functional


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
@pytest.mark.parametrize("limit", [0.0998, 0.0999756, 0.1, 0.1000976, 0.1001])
def test_thresholds_are_not_rounded_to_16_bits(name: str, limit: float) -> None:
    found = []
    for library in (aten, torch):
        x = library.full((40,), 0.1, dtype=getattr(library, name))
        grad = library.ops.aten.threshold_backward(x + 1, x, limit)
        found.append((library.nn.functional.threshold(x, limit, 5.0).tolist(), grad.tolist()))
    assert found[0] == found[1]


def test_values_beyond_a_dtype_are_refused() -> None:
    for library in (aten, torch):
        x = library.ones(2, dtype=library.float16)
        assert library.nn.functional.threshold(x, 1e6, 2.0).tolist() == [2, 2]
        with pytest.raises(RuntimeError, match="without overflow"):
            library.nn.functional.threshold(x, 1.0, 1e6)


def test_log_sigmoid_writes_to_out() -> None:
    def call(library: Any) -> Any:
        x, out = library.tensor([-100.0, -1.0, 0.0, 2.0, 50.0]), library.empty(5)
        assert library.nn.functional.logsigmoid(x, out=out) is out
        with pytest.raises(RuntimeError, match=r"out=.*differentiation"):
            library.nn.functional.logsigmoid(x.requires_grad_(), out=out)
        return out.tolist()

    assert call(aten) == pytest.approx(call(torch))
