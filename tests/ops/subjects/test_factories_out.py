"""Factories write to out= what they return without it."""

from __future__ import annotations

from typing import Any

import aten
import pytest

ops = aten.ops.aten
END = aten.tensor(2.0)
CALLS: tuple[tuple[Any, Any, tuple[Any, ...]], ...] = (
    (lambda *a, out: ops.bartlett_window.out(*a, out=out), ops.bartlett_window.default, (5,)),
    (lambda *a, out: ops.bartlett_window.periodic_out(*a, out=out), ops.bartlett_window.periodic, (5, False)),
    (lambda *a, out: ops.blackman_window.out(*a, out=out), ops.blackman_window.default, (5,)),
    (lambda *a, out: ops.blackman_window.periodic_out(*a, out=out), ops.blackman_window.periodic, (5, False)),
    (lambda *a, out: ops.hann_window.out(*a, out=out), ops.hann_window.default, (5,)),
    (lambda *a, out: ops.hann_window.periodic_out(*a, out=out), ops.hann_window.periodic, (5, False)),
    (lambda *a, out: ops.hamming_window.out(*a, out=out), ops.hamming_window.default, (5,)),
    (lambda *a, out: ops.hamming_window.periodic_out(*a, out=out), ops.hamming_window.periodic, (5, False)),
    (
        lambda *a, out: ops.hamming_window.periodic_alpha_out(*a, out=out),
        ops.hamming_window.periodic_alpha,
        (5, True, 0.6),
    ),
    (
        lambda *a, out: ops.hamming_window.periodic_alpha_beta_out(*a, out=out),
        ops.hamming_window.periodic_alpha_beta,
        (5, True, 0.6, 0.3),
    ),
    (lambda *a, out: ops.kaiser_window.out(*a, out=out), ops.kaiser_window.default, (5,)),
    (lambda *a, out: ops.kaiser_window.periodic_out(*a, out=out), ops.kaiser_window.periodic, (5, False)),
    (lambda *a, out: ops.kaiser_window.beta_out(*a, out=out), ops.kaiser_window.beta, (5, False, 8.0)),
    (lambda *a, out: ops.eye.out(*a, out=out), ops.eye.default, (3,)),
    (lambda *a, out: ops.eye.m_out(*a, out=out), ops.eye.m, (3, 4)),
    (lambda *a, out: ops.range.out(*a, out=out), ops.range.step, (0, 4, 2)),
    (lambda *a, out: ops.range.out_(*a, out=out), ops.range.default, (0, 4)),
    (lambda *a, out: ops.linspace.out(*a, out=out), ops.linspace.default, (0, 2, 5)),
    (lambda *a, out: ops.linspace.Tensor_Tensor_out(*a, out=out), ops.linspace.Tensor_Tensor, (END, END, 5)),
    (lambda *a, out: ops.linspace.Tensor_Scalar_out(*a, out=out), ops.linspace.Tensor_Scalar, (END, 4, 5)),
    (lambda *a, out: ops.linspace.Scalar_Tensor_out(*a, out=out), ops.linspace.Scalar_Tensor, (0, END, 5)),
    (lambda *a, out: ops.logspace.out(*a, out=out), ops.logspace.default, (0, 2, 5)),
    (lambda *a, out: ops.logspace.Tensor_Tensor_out(*a, out=out), ops.logspace.Tensor_Tensor, (END, END, 5)),
    (lambda *a, out: ops.logspace.Tensor_Scalar_out(*a, out=out), ops.logspace.Tensor_Scalar, (END, 4, 5)),
    (lambda *a, out: ops.logspace.Scalar_Tensor_out(*a, out=out), ops.logspace.Scalar_Tensor, (0, END, 5)),
)


@pytest.mark.parametrize(("written", "returned", "arguments"), CALLS)
def test_out_has_what_is_returned(written: Any, returned: Any, arguments: Any) -> None:
    expected = returned(*arguments)
    for out in (aten.empty(0, dtype=expected.dtype), aten.full_like(expected, 7)):
        assert written(*arguments, out=out) is out
        assert out.shape == expected.shape and aten.equal(out, expected)
