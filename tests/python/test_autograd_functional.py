"""Errors of aten.autograd.functional, and derivatives that are zero."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture(params=["aten", "torch"])
def T(request):
    return pytest.importorskip(request.param)


def matrix(T, *rows):
    return T.tensor(rows, dtype=T.float64)


def test_v_can_be_left_out_for_one_element(T):
    F = T.autograd.functional
    x = matrix(T, 1.0, 2.0)
    assert F.vjp(lambda x: (x * x).sum(), x)[1].tolist() == [2, 4]
    with pytest.raises(RuntimeError):
        F.vjp(lambda x: x * x, x)
    with pytest.raises(RuntimeError):
        F.jvp(lambda x: x * x, x)
    with pytest.raises(RuntimeError):
        F.vjp(lambda x: x * x, x, matrix(T, 1.0))


@pytest.mark.parametrize("name", ["jacobian", "vjp", "jvp", "hessian", "vhp", "hvp"])
def test_independence_is_zero_or_an_error(T, name):
    function = getattr(T.autograd.functional, name)
    x, y = matrix(T, 2.0), matrix(T, 3.0)
    v = () if name in ("jacobian", "hessian") else ((x, y),) if name != "vjp" else (matrix(T, 1.0),)
    arguments = (lambda x, y: (x * x).sum().reshape(1), (x, y), *v)
    if name in ("hessian", "vhp", "hvp"):
        arguments = (lambda x, y: (x * x).sum(), *arguments[1:])
    found = function(*arguments)
    part = found[1] if name not in ("jacobian", "hessian") else found
    last = part[1] if name != "jvp" else part
    assert np.allclose(np.array((last[1] if isinstance(last, tuple) else last).tolist()), 0) or name == "jvp"
    with pytest.raises(RuntimeError, match="independent"):
        function(*arguments, strict=True)


def test_what_is_no_tensor(T):
    F = T.autograd.functional
    with pytest.raises(TypeError, match="Tensor"):
        F.jacobian(lambda x: x, 3.0)
    with pytest.raises(TypeError, match="Tensor"):
        F.jacobian(lambda x: 3.0, matrix(T, 1.0))
    with pytest.raises(RuntimeError, match="single element"):
        F.hessian(lambda x: x * x, matrix(T, 1.0, 2.0))


def test_what_is_not_there():
    import aten

    with pytest.raises(NotImplementedError, match="vectorize"):
        aten.autograd.functional.jacobian(lambda x: x, aten.ones(1), vectorize=True)
