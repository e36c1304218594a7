"""Operators on lists: runs of tensors that one loop processes, checks of lists, versions and gradients."""

from __future__ import annotations

from typing import Any

import aten
import pytest


def mixed() -> list[aten.Tensor]:
    """Returns tensors that form runs and others: other dtypes, gaps, another order, 0-dim, empty."""
    plain = [aten.randn(shape) for shape in ((3, 5), (1,), (7,), (0,), (2, 3, 4))]
    others = [
        aten.randn(4, 6)[:, ::2],
        aten.randn(4, 6).t(),
        aten.randn(3, 4).t(),
        aten.tensor(2.0),
        aten.tensor(3.0),
        aten.randn(5).to(aten.float64),
        aten.randn(6).to(aten.float64),
        aten.randn(40).to(aten.bfloat16),
        aten.randn(33).to(aten.bfloat16),
        aten.randn(2).expand(3, 2),
        aten.arange(5),
        aten.arange(6),
    ]
    return [*plain, *others]


def same(got: list[aten.Tensor], expected: list[aten.Tensor]) -> None:
    assert len(got) == len(expected)
    for g, e in zip(got, expected, strict=True):
        assert g.dtype == e.dtype and g.shape == e.shape and g.stride() == e.stride()
        assert g.tolist() == e.tolist()


def test_mixed_lists() -> None:
    aten.manual_seed(0)
    a, b = mixed(), mixed()
    same(aten._foreach_exp(a), [aten.exp(x) for x in a])
    same(aten._foreach_mul(a, 3), [aten.mul(x, 3) for x in a])
    same(aten._foreach_add(a, b, alpha=2), [aten.add(x, y, alpha=2) for x, y in zip(a, b, strict=True)])
    scalars = [1.5] * 6 + [2.5] * (len(a) - 6)
    same(aten._foreach_mul(a, scalars), [aten.mul(x, s) for x, s in zip(a, scalars, strict=True)])
    same(aten._foreach_abs(a), [aten.abs(x) for x in a])
    real = [x for x in a if x.is_floating_point()]
    for order in (0, 1, 2, 3):
        same(aten._foreach_norm(real, order), [aten.linalg.vector_norm(x, order) for x in real])
    full = [x for x in a if x.numel() > 0]
    same(aten._foreach_max(full), [aten.max(x) for x in full])
    for power in (0, 1, 2, 3):
        same(aten._foreach_pow(real, power), [aten.pow(x, power) for x in real])


@pytest.mark.parametrize("size", (10, 100_000))
def test_tensors_given_twice(size: int) -> None:
    """Tensors that share memory are processed in order."""
    a, b, c = aten.ones(size), aten.full((size,), 2.0), aten.full((size,), 3.0)
    aten._foreach_add_([a, b, a], [b, a, a])
    assert (a[0].item(), b[-1].item()) == (6, 5)
    same(aten._foreach_mul([a, b], [a, c]), [aten.mul(a, a), aten.mul(b, c)])
    same(aten._foreach_addcmul([a, b], [c, c], [c, b]), [aten.addcmul(a, c, c), aten.addcmul(b, c, b)])
    whole = aten.arange(2 * size).to(aten.float32)
    with pytest.raises(RuntimeError, match="single memory location"):
        aten._foreach_add_([a, whole[1:]], [a, whole[:-1]])


def test_large_lists_on_threads() -> None:
    a = [aten.arange(n).to(aten.float32) for n in (70_001, 3, 200_003, 1, 65_536)]
    same(aten._foreach_mul(a, 2), [aten.mul(x, 2) for x in a])
    same(aten._foreach_norm(a), [aten.linalg.vector_norm(x) for x in a])
    aten._foreach_sub_(a, a)
    assert all(not x.any() for x in a)


def test_lists_are_checked() -> None:
    a = [aten.ones(2), aten.ones(3)]
    for call, message in (
        (lambda: aten._foreach_exp([]), "at least one"),
        (lambda: aten._foreach_add(a, a[:1]), "same number of tensors, got 2 and 1"),
        (lambda: aten._foreach_add(a, [1.0]), "same number of elements as scalar list"),
        (lambda: aten._foreach_mul(a, aten.ones(2)), "expected to be 0 dim"),
        (lambda: aten._foreach_addcmul(a, a, a, aten.tensor(1.0)), "dimension 1"),
        (lambda: aten._foreach_addcmul(a, a, a, aten.ones(3)), "length 2"),
        (lambda: aten._foreach_addcmul(a, a, a, aten.ones(4)[::2]), "contiguous"),
        (lambda: aten._foreach_addcmul(a, a, a, aten.ones(2, device="meta")), "on CPU"),
        (lambda: aten._foreach_max([aten.ones(0)]), "empty"),
        (lambda: aten._foreach_norm([aten.ones(0)], float("inf")), "empty"),
        (lambda: aten._foreach_add_([aten.arange(3)], 1.5), "can't be cast"),
    ):
        with pytest.raises(RuntimeError, match=message):
            call()


def test_versions_are_counted() -> None:
    a = [aten.ones(2), aten.ones(3), aten.ones(())]
    before = [t._version for t in a]
    assert aten._foreach_add_(a, 1) is a
    aten._foreach_mul_(a, a)
    assert [t._version for t in a] == [v + 2 for v in before]


def leaves(*shapes: Any) -> list[aten.Tensor]:
    return [aten.rand(shape).add(0.5).requires_grad_() for shape in shapes]


def test_gradients_in_place() -> None:
    x, y = leaves((2, 3), (4,)), leaves((2, 3), (4,))
    work = [t * 1 for t in x]
    aten._foreach_mul_(work, y)
    aten._foreach_exp_(work)
    sum(t.sum() for t in work).backward()
    for a, b in zip(x, y, strict=True):
        assert aten.allclose(a.grad, b * (a * b).exp())
        assert aten.allclose(b.grad, a * (a * b).exp())


def test_leaves_are_refused_before_anything_is_written() -> None:
    plain, leaf = aten.ones(2), aten.ones(2).requires_grad_()
    with pytest.raises(RuntimeError, match="leaf"):
        aten._foreach_add_([plain, leaf], 1)
    assert plain.tolist() == [1, 1]
    with aten.no_grad():
        aten._foreach_add_([plain, leaf], 1)
    assert plain.tolist() == leaf.tolist() == [2, 2]


def test_tangents() -> None:
    import aten.autograd.forward_ad as forward

    values = [aten.rand(3), aten.rand(2)]
    with forward.dual_level():
        duals = [forward.make_dual(v, aten.ones_like(v)) for v in values]
        for result, v in zip(aten._foreach_sin(duals), values, strict=True):
            assert aten.allclose(forward.unpack_dual(result).tangent, v.cos())
        work = [d * 1 for d in duals]
        aten._foreach_exp_(work)
        for result, v in zip(work, values, strict=True):
            assert aten.allclose(forward.unpack_dual(result).tangent, v.exp())
