"""Operators that return Python values, and forms that don't fit into sample rows."""

from __future__ import annotations

import string

import aten
import numpy as np
import pytest
from tensors import DTYPES, INTEGERS, dtype_of


@pytest.mark.parametrize("dtype", DTYPES)
def test_item(dtype: str) -> None:
    x = aten.ones((1, 1), dtype=dtype_of(dtype))
    value = aten.ops.aten.item.default(x)
    assert value == 1 and value == aten.ops.aten._local_scalar_dense.default(x)
    kind = {"b": bool, "i": int, "u": int, "f": float, "c": complex}[
        np.dtype("float32" if dtype == "bfloat16" else dtype).kind
    ]
    assert type(value) is kind
    assert aten.ops.aten.is_nonzero.default(x) is True
    with pytest.raises(RuntimeError):
        aten.ops.aten.item.default(aten.ones(2))
    with pytest.raises(RuntimeError):
        aten.ops.aten.is_nonzero.default(aten.ones(2))


def test_equal_and_allclose() -> None:
    x = aten.arange(6.0).view(2, 3)
    assert aten.ops.aten.equal.default(x, x.t().contiguous().t())
    assert not aten.ops.aten.equal.default(x, x.view(3, 2))
    assert not aten.ops.aten.equal.default(x, x + 1e-3)
    nan = aten.full((2,), float("nan"))
    assert not aten.ops.aten.equal.default(nan, nan)
    assert aten.ops.aten.allclose.default(x, x + 1e-9)
    assert not aten.ops.aten.allclose.default(nan, nan)
    assert aten.ops.aten.allclose.default(nan, nan, equal_nan=True)


def test_where_alone() -> None:
    condition = aten.tensor([[True, False], [True, True]])
    rows, columns = aten.ops.aten.where.default(condition)
    assert rows.tolist() == [0, 1, 1] and columns.tolist() == [0, 0, 1]


def test_to() -> None:
    x = aten.arange(4.0)
    assert aten.ops.aten.to.device(x, aten.device("cpu"), aten.float32) is x
    assert aten.ops.aten.to.device(x, aten.device("cpu"), aten.int8).tolist() == [0, 1, 2, 3]
    assert aten.ops.aten.to.other(x, aten.ones(1, dtype=aten.int64)).dtype == aten.int64
    assert aten.ops.aten.to.dtype_layout(x, dtype=aten.float64, copy=True).dtype == aten.float64
    out = aten.empty(4)
    assert aten.ops.aten._to_copy.out(x, out=out) is out and aten.equal(out, x)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_imaginary_numbers_are_true(dtype: str) -> None:
    numbers = np.array([0, 1, 2j, -0.0, 1 + 1j] * 20, dtype)
    assert aten.from_numpy(numbers).bool().tolist() == numbers.astype(bool).tolist()


@pytest.mark.parametrize("dtype", INTEGERS)
def test_einsum_sums_integers_as_int64(dtype: str) -> None:
    """Sums and elementwise products of integers give int64, as in PyTorch; matrix products keep the dtype."""
    a, b = aten.ones((2, 3), dtype=dtype_of(dtype)), aten.ones((3,), dtype=dtype_of(dtype))
    outer = aten.einsum("ik,j->ij", a, b)
    assert outer.dtype is aten.int64 and outer.tolist() == [[3, 3, 3], [3, 3, 3]]
    assert aten.einsum("ik,k->i", a, b).dtype is a.dtype
    assert aten.einsum("ik->i", a).dtype is aten.int64


def test_narrow_by_tensor() -> None:
    x = aten.arange(10)
    assert aten.ops.aten.narrow.Tensor(x, 0, aten.tensor(3), 2).tolist() == [3, 4]
    with pytest.raises(RuntimeError):
        aten.ops.aten.narrow.Tensor(x, 0, aten.tensor([3]), 2)


@pytest.mark.parametrize("dtype", DTYPES)
def test_factories_with_out(dtype: str) -> None:
    """out= decides the dtype, and is resized."""
    d = dtype_of(dtype)
    for out in (aten.empty((0,), dtype=d), aten.empty((2, 3), dtype=d)):
        assert aten.ops.aten.zeros.out([2, 3], out=out) is out and not aten.any(out).item()
        assert aten.ops.aten.ones.out([2, 3], out=out) is out and aten.all(out).item()
        assert aten.ops.aten.full.out([2, 3], 1, out=out) is out and aten.all(out == 1).item()
        assert tuple(aten.ops.aten.empty.out([2, 3], out=out).shape) == (2, 3)
        assert tuple(aten.ops.aten.empty_strided.out([2, 3], [3, 1], out=out).shape) == (2, 3)
    assert aten.ops.aten.scalar_tensor.out(1, out=aten.empty((), dtype=d)).item() == 1


def test_arange_with_out() -> None:
    assert aten.ops.aten.arange.out(4, out=aten.empty(0)).tolist() == [0, 1, 2, 3]
    assert aten.ops.aten.arange.start_out(1, 7, 2, out=aten.empty(0, dtype=aten.int16)).tolist() == [1, 3, 5]


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8"])
def test_integer_division_by_zero_raises(dtype: str) -> None:
    x, zero = aten.ones(40, dtype=dtype_of(dtype)), aten.zeros(40, dtype=dtype_of(dtype))
    for call in (
        lambda: aten.div(x, zero, rounding_mode="floor"),
        lambda: aten.div(x, zero, rounding_mode="trunc"),
        lambda: aten.floor_divide(x, zero),
        lambda: aten.remainder(x, zero),
        lambda: x.remainder_(0),
    ):
        with pytest.raises(RuntimeError, match=r"[Zz]ero"):
            call()
    assert aten.div(x, zero).numpy().tolist() == [float("inf")] * 40


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8"])
def test_integers_wrap(dtype: str) -> None:
    info = np.iinfo(dtype)
    x = aten.full((40,), int(info.max), dtype=dtype_of(dtype))
    assert (x + 1).tolist() == [int(info.min)] * 40
    assert (x * 2).tolist() == [int(np.array(info.max).astype(dtype) * np.array(2, dtype))] * 40
    low = aten.full((40,), int(info.min), dtype=dtype_of(dtype))
    assert (-low).tolist() == low.abs().tolist() == [int(info.min)] * 40
    assert (
        aten.div(low, aten.full((40,), -1, dtype=dtype_of(dtype)), rounding_mode="trunc").shape == (40,)
        if dtype != "uint8"
        else True
    )


def test_device_errors_name_the_operator() -> None:
    with pytest.raises(RuntimeError, match=r"add"):
        aten.add(aten.ones(2), aten.empty(2, device="meta"), out=aten.ones(2))


@pytest.mark.parametrize("name", ["isinf", "isfinite", "isnan"])
@pytest.mark.parametrize("dtype", ["float32", "complex64", "int32"])
def test_questions_keep_strides(name: str, dtype: str) -> None:
    """A dense tensor's strides are the result's, as with elementwise operators."""
    x = aten.zeros(2, 3, 4, dtype=getattr(aten, dtype)).permute(2, 0, 1)
    result = getattr(aten, name)(x)
    assert result.stride() == x.stride() == (1, 12, 4)
    assert result.dtype is aten.bool and result.tolist() == aten.full((4, 2, 3), name == "isfinite").tolist()


@pytest.mark.parametrize("name", ["embedding_backward", "embedding_dense_backward"])
def test_gradients_of_embeddings_are_where_the_indices_are(name: str) -> None:
    grad, indices = aten.ones((5, 6), device="meta"), aten.zeros(5, dtype=aten.int64)
    rest = (10, -1, False, False)[: 3 + (name == "embedding_backward")]
    with pytest.raises(RuntimeError, match="on one device, got meta and cpu"):
        getattr(aten.ops.aten, name)(grad, indices, *rest)


def test_abs_of_bool_is_refused() -> None:
    x = aten.tensor([True])
    out = aten.empty(1, dtype=aten.bool)
    for call in (lambda: aten.abs(x), lambda: x.abs_(), lambda: aten.abs(x, out=out)):
        with pytest.raises(NotImplementedError, match=r"abs.*Bool|abs.*bool"):
            call()


def test_embedding_with_max_norm_shortens_the_rows_it_takes() -> None:
    weight, indices = aten.ones(3, 2), aten.tensor([0, 2])
    embedding = aten.nn.functional.embedding
    assert embedding(indices, weight, None, None, 2.0, False, False).tolist() == [[1, 1], [1, 1]]
    taken = embedding(indices, weight, max_norm=1.0)
    np.testing.assert_allclose(taken.numpy(), np.full((2, 2), 0.5**0.5), 1e-6)
    np.testing.assert_allclose(weight.numpy(), [[0.5**0.5] * 2, [1, 1], [0.5**0.5] * 2], 1e-6)
    assert embedding(indices, weight, max_norm=2.0).tolist() == taken.tolist()


def test_shared_storage_does_not_grow() -> None:
    """See docs/decisions/resize-of-shared-storage.md."""
    base = aten.zeros(4)
    view = base.view(2, 2)
    with pytest.raises(RuntimeError, match=r"resize_.*shares its storage.*clone"):
        view.resize_(3, 3)
    assert view.resize_(1).shape == (1,) and base.shape == (4,)
    del view
    assert base.resize_(9).shape == (9,)


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("format", [aten.contiguous_format, aten.channels_last])
def test_resize_to_a_memory_format_takes_its_memory(format: aten.memory_format, device: str) -> None:
    """The sizes stay, but elements that shared an address get their own."""
    x = aten.empty_strided((2, 2, 2, 2), (0, 4, 2, 1), device=device)
    x.resize_(2, 2, 2, 2, memory_format=format)
    assert x.is_contiguous(memory_format=format)
    assert x.as_strided((16,), (1,)).numel() == 16  # the number of elements is the same
    base = aten.ones(1, 2, 2, 2, device=device)
    shared = base.expand(2, -1, -1, -1)
    with pytest.raises(RuntimeError, match=r"resize_.*shares its storage.*clone"):
        shared.resize_(2, 2, 2, 2, memory_format=format)
    assert shared.stride() == (0, 4, 2, 1)


def test_padding_leaves_the_strides_of_an_out_that_fits() -> None:
    x = aten.arange(72.0).reshape(2, 3, 4, 3).contiguous(memory_format=aten.channels_last)
    out, empty = aten.zeros(2, 3, 6, 5), aten.zeros(0)
    pad = aten.ops.aten.reflection_pad2d.out
    assert pad(x, [1, 1, 1, 1], out=out).stride() == (90, 30, 5, 1)
    assert pad(x, [1, 1, 1, 1], out=empty).is_contiguous(memory_format=aten.channels_last)
    assert aten.equal(out, empty)


def test_bounds_of_floats_may_exceed_int64() -> None:
    x = aten.tensor([-1.0, 1.0, 1e30])
    assert x.clamp(0, 2**63).tolist() == [0, 1, 2**63]
    assert aten.clamp(x, 2**64 - 1).tolist() == [2**64, 2**64, aten.tensor(1e30).item()]
    with pytest.raises(RuntimeError, match="uint64"):
        aten.tensor([1]).clamp(0, 2**63)
    with pytest.raises(OverflowError):
        x.clamp(0, 2**64)


def test_writes_to_overlapping_memory_are_refused() -> None:
    """See docs/decisions/writes-to-overlapping-memory.md."""
    x = aten.zeros(1).expand(3)
    for write in (
        lambda: x.masked_fill_(aten.tensor([True, False, True]), 1.0),
        lambda: x.index_put_((aten.tensor([0, 1]),), aten.tensor([1.0, 2.0])),
        lambda: x.add_(1),
    ):
        with pytest.raises(RuntimeError, match=r"single memory location.*clone"):
            write()
    assert x.tolist() == [0, 0, 0]


@pytest.mark.parametrize("name", ["median", "nanmedian", "mode"])
def test_outputs_of_choices_are_on_the_inputs_device(name: str) -> None:
    x, values = aten.ones((2, 3)), aten.empty((3,))
    indices = aten.empty((3,), dtype=aten.int64, device="meta")
    with pytest.raises(RuntimeError, match=rf"{name}\(\).*(on cpu.*meta|on meta.*cpu)"):
        getattr(aten, name)(x, 0, out=(values, indices))


def test_differences_of_more_orders_than_elements_are_none() -> None:
    x = aten.ones((1,), requires_grad=True)
    result = x.expand(2**20).diff(2**40)
    assert result.shape == (0,)
    result.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [0]


@pytest.mark.parametrize("rows", [2**33, 2**46 + 1])
def test_pairs_of_rows_may_be_too_many_to_count(rows: int) -> None:
    x = aten.empty((1, 3), device="meta").expand(rows, 3)
    with pytest.raises(RuntimeError, match=f"the pairs of {rows} rows"):
        aten.pdist(x)
    assert aten.pdist(x[:5]).shape == (10,)
    assert aten.pdist(x[:4]).shape == (6,)


@pytest.mark.parametrize("dim", [0, 1])
def test_a_refused_stack_leaves_out_as_it_was(dim: int) -> None:
    parts = [aten.tensor([1 + 2j, -1j])] * 2
    out = aten.ones(())
    with pytest.raises(TypeError, match="can't be cast to the desired output type Float"):
        aten.stack(parts, dim, out=out)
    shared = aten.ones(4)
    with pytest.raises(RuntimeError, match="memory location"):
        aten.stack([shared[:2], shared[2:]], dim, out=shared)
    assert out.shape == () and shared.shape == (4,)


@pytest.mark.parametrize("name", ["_softmax_backward_data", "_log_softmax_backward_data"])
def test_a_softmax_was_computed_in_its_inputs_dtype_or_in_float_of_half(name: str) -> None:
    backward = getattr(aten.ops.aten, name)
    grad = aten.ones(3)
    assert backward(grad, grad, 0, aten.float16).dtype == aten.float16
    for dtype, of_input in ((aten.float64, aten.float16), (aten.float32, aten.float64)):
        grad = aten.ones(3, dtype=dtype)
        with pytest.raises(RuntimeError, match="expected input and grad types to match"):
            backward(grad, grad, 0, of_input)


def test_trilinear_names_the_dims_to_unroll() -> None:
    x = aten.ones((2, 3))
    with pytest.raises(RuntimeError, match=r"unroll_dim must be in \[0,1\], got 2"):
        aten.ops.aten._trilinear(x, x, x, [], [], [], [], 2)


def test_subscripts_of_einsum_are_letters() -> None:
    x = aten.arange(6.0).reshape(2, 3)
    for letter in string.ascii_letters:
        other = "b" if letter == "a" else "a"
        assert aten.einsum(f"{letter}{other}->{other}{letter}", x).tolist() == x.t().tolist()
        with pytest.raises(RuntimeError, match=f"output subscript {letter} does not appear"):
            aten.einsum(f"{other}...->{letter}", x)
    for beside in "@[`{0_":
        with pytest.raises(RuntimeError, match="invalid subscript"):
            aten.einsum(f"a{beside}->a", x)
