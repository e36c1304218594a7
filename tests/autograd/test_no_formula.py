"""Operators without a formula: which ones there are, and that backward reports them."""

from __future__ import annotations

import aten
import declared
import pytest
from exceptions import NO_FORMULA
from expect import raises
from opgen.api.autograd import Autograd
from opgen.model import Kind


def without_entry() -> list[str]:
    autograd = Autograd(declared.program())
    return [
        f.qualified_name
        for f in declared.program().functions
        if f.kind in (Kind.functional, Kind.inplace)
        and not declared.is_composite(f)
        and f.schema.arguments.has_tensor()
        and any(r.type.is_tensor_like() for r in f.schema.returns)
        and not autograd.of(f)
    ]


def test_operators_without_an_entry_are_listed() -> None:
    missing = sorted(set(without_entry()) - set(NO_FORMULA))
    assert not missing, f"derivatives.yaml does not mention {' '.join(missing)}"
    stale = sorted(set(NO_FORMULA) - set(without_entry()))
    assert not stale, f"derivatives.yaml has entries for: {' '.join(stale)}"


@pytest.fixture
def own():
    """An operator with a kernel and no entry about its derivative."""
    library = aten.library.Library("unformulated", "DEF")
    library.define("double(Tensor x) -> Tensor")
    library.impl("double", lambda x: aten.full((2,), 6.0), "CPU")
    yield aten.ops.unformulated.double
    library._destroy()


def test_backward_through_an_operator_without_formula(own) -> None:
    x = aten.full((2,), 3.0, requires_grad=True)
    y = own(x)
    assert y.requires_grad and y.tolist() == [6, 6]
    with raises("unformulated::double", "derivative|formula|not implemented"):
        (y * 2).sum().backward()
    assert x.grad is None
    with aten.no_grad():
        assert not own(x).requires_grad
    assert not own(aten.ones(2)).requires_grad


def test_tangents_through_an_operator_without_formula(own) -> None:
    forward_ad = aten.autograd.forward_ad
    with forward_ad.dual_level():
        x = forward_ad.make_dual(aten.ones(2), aten.ones(2))
        with raises("unformulated::double|double", "forward", error=(NotImplementedError, RuntimeError)):
            own(x)
