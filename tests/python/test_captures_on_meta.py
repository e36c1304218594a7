"""What captures on Meta rely on: modes see every value, and formulas are right for all inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import aten
import pytest
from aten.nn import functional as F
from aten.utils._python_dispatch import TorchDispatchMode


class Record(TorchDispatchMode):
    """Keeps the calls of operators."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[Any, tuple[Any, ...]]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.calls.append((func, args))
        return func(*args, **(kwargs or {}))

    @property
    def names(self) -> list[str]:
        return [func._schema.name.removeprefix("aten::") for func, _ in self.calls]


def meta(*size: int, dtype: aten.dtype = aten.float32, **options: Any) -> aten.Tensor:
    return aten.empty(size, dtype=dtype, device="meta", **options)


# ---- None is an undefined tensor


def test_results_that_are_undefined_can_be_passed_on() -> None:
    q = meta(1, 2, 4, 8, dtype=aten.float16)
    op = aten.ops.aten._scaled_dot_product_flash_attention
    out, logsumexp, cum_q, cum_k, max_q, max_k, seed, offset, _ = op(q, q, q)
    assert (cum_q, cum_k) == (None, None)
    back = aten.ops.aten._scaled_dot_product_flash_attention_backward
    arguments = (q, q, q, q, out, logsumexp, cum_q, cum_k, max_q, max_k, 0.0, False, seed, offset)
    for call in (back, back.default):
        assert [g.shape for g in call(*arguments)] == [q.shape] * 3


@pytest.mark.parametrize(
    "call",
    [
        lambda x: aten.ops.aten.relu.default(None),
        lambda x: aten.ops.aten.add.Tensor(x, None),
        lambda x: aten.ops.aten.mm.default(None, x),
        lambda x: aten.ops.aten.sum.default(self=None),
        lambda x: aten.ops.aten.reshape(None, [4]),
    ],
)
def test_kernels_refuse_undefined_tensors(call: Callable[[aten.Tensor], Any]) -> None:
    with pytest.raises(
        RuntimeError, match=r"argument '\w+' \(position \d\): expected a tensor, got an undefined"
    ):
        call(aten.ones(2, 2))


@pytest.mark.parametrize(
    "call",
    [
        lambda x: aten.ops.aten.add_.Tensor(None, x),
        lambda x: aten.ops.aten.add.out(x, x, out=None),
        lambda x: aten.ops.aten.cat.default([x, None]),
    ],
)
def test_what_is_written_and_elements_of_lists_are_tensors(call: Callable[[aten.Tensor], Any]) -> None:
    with pytest.raises(TypeError, match="expected Tensor"):
        call(aten.ones(2, 2))


# ---- numbers in calls


def test_numbers_are_seen_without_a_call() -> None:
    with Record() as seen:
        for number in (2, -7, 1.5, True, 1j, 2**63 + 1):
            meta(2, dtype=aten.complex64 if isinstance(number, complex) else aten.float32) * number
    assert set(seen.names) == {"empty", "mul"}
    numbers = [args[1] for func, args in seen.calls if func is aten.ops.aten.mul.Tensor]
    assert numbers == [2, -7, 1.5, True, 1j, 2**63 + 1]
    assert [type(n) for n in numbers] == [int, int, float, bool, complex, int]


# ---- identity of memory


def test_views_have_the_storage_id_of_their_base() -> None:
    for x in (aten.zeros(4, 6), meta(4, 6)):
        assert x[1:, ::2].t()._storage_id() == x._storage_id()
        assert x.detach()._storage_id() == x._storage_id()
        assert x.clone()._storage_id() != x._storage_id()


# ---- formulas


def test_the_gradient_of_cumprod_on_meta_does_not_divide_by_the_input() -> None:
    x = meta(4, requires_grad=True)
    with Record() as seen:
        x.cumprod(0).sum().backward()
    assert "div" not in seen.names
    y = aten.tensor([2.0, 0.0, 3.0], requires_grad=True)
    y.cumprod(0).sum().backward()
    assert y.grad.tolist() == [1.0, 8.0, 0.0]


def test_operands_of_attention_are_computed_in_order() -> None:
    q, k = meta(1, 1, 3, 4), meta(1, 1, 5, 4)
    with Record() as seen:
        F.scaled_dot_product_attention(q, k, k)
    shapes = [tuple(args[0].shape) for func, args in seen.calls if func is aten.ops.aten.mul.Scalar]
    assert shapes == [(1, 1, 3, 4), (1, 1, 4, 5)]


# ---- values that aren't there


def test_istft_on_meta() -> None:
    x = aten.stft(aten.randn(64), 16, return_complex=True)
    expected = aten.istft(x, 16)
    got = aten.istft(meta(*x.shape, dtype=x.dtype), 16)
    assert (got.shape, got.dtype, got.is_meta) == (expected.shape, expected.dtype, True)


def test_masked_fill_by_a_tensor_on_meta() -> None:
    x, mask = meta(2, 3), meta(2, 3, dtype=aten.bool)
    assert x.masked_fill(mask, meta()).shape == (2, 3)
    assert x.masked_fill_(mask, meta()) is x
    with pytest.raises(RuntimeError):
        aten.ones(2).masked_fill(aten.tensor([True, False]), meta())


@pytest.mark.parametrize(
    "function",
    [
        lambda w, i: F.embedding(i, w),
        lambda w, i: aten.index_select(w, 0, i),
        lambda w, i: aten.gather(w, 0, i.unsqueeze(1)),
        lambda w, i: aten.take(w, i),
        lambda w, i: aten.take_along_dim(w, i.unsqueeze(1), 0),
        lambda w, i: w.scatter(0, i.unsqueeze(1), w),
        lambda w, i: w.scatter_add(0, i.unsqueeze(1), w),
        lambda w, i: w.index_add(0, i, w),
        lambda w, i: w.index_copy(0, i, w),
        lambda w, i: w.index_fill(0, i, 1.0),
        lambda w, i: w.index_put((i,), w),
        lambda w, i: w[i],
        lambda w, i: F.embedding_bag(i, w, i),
    ],
)
def test_a_meta_index_of_a_cpu_tensor_is_an_error(
    function: Callable[[aten.Tensor, aten.Tensor], Any],
) -> None:
    with pytest.raises(RuntimeError, match="meta"):
        function(aten.zeros(3, 2), meta(3, dtype=aten.int64))
