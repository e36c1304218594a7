"""NumPy's objects and everyday calls, without PyTorch to compare with: values, types, and what errors say."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import aten
import aten.nn.functional as F
import pytest

np = pytest.importorskip("numpy")

M = aten.arange(12.0).reshape(3, 4)


@pytest.mark.parametrize(
    ("data", "dtype"),
    [
        ([np.ones(2)], "float64"),
        ([np.ones(2, np.float32), np.ones(2, np.float16)], "float32"),
        ([np.float64(1), 2], "float64"),
        ([np.int8(1), np.int16(2)], "int16"),
        (np.uint64(3), "uint64"),
        ([aten.tensor(1.5, dtype=aten.float64)], "float64"),
        ([1, 2.5], "float32"),
        ([True, 2], "int64"),
        ([1j, np.float64(2)], "complex128"),
    ],
)
def test_data_keep_the_dtypes_of_arrays_and_numpy_scalars(data: Any, dtype: str) -> None:
    assert aten.tensor(data).dtype is getattr(aten, dtype)
    assert aten.as_tensor(data).dtype is getattr(aten, dtype)
    assert np.array_equal(aten.tensor(data).numpy(), np.array(data, dtype=dtype))


@pytest.mark.parametrize(
    "name", ["bool", "uint8", "int16", "int64", "uint64", "float16", "float32", "complex64"]
)
def test_lists_of_arrays(name: str) -> None:
    arrays = [np.arange(4).astype(name).reshape(2, 2), np.ones((2, 2), name)]
    made = aten.tensor(arrays)
    assert made.shape == (2, 2, 2) and np.array_equal(made.numpy(), np.stack(arrays))
    assert np.array_equal(aten.tensor([arrays, arrays]).numpy(), np.stack([arrays, arrays]))


INDICES = (
    np.array([0, 2]),
    np.array([0, -1]),
    np.array([True, False, True]),
    np.array([[0, 1], [2, 2]]),
    np.int64(1),
    (np.array([0, 1]), np.array([1, 3])),
    (slice(None), np.array([3, 0])),
    (np.array([2, 0]), None, slice(1, 3)),
    (..., np.array([1, 1])),
    np.ix_([0, 2], [1, 3]),
    (np.array([[True, False, True, False]] * 3),),
)


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_indexing_is_numpys(index: Any) -> None:
    array = M.numpy().copy()
    assert np.array_equal(M[index].numpy(), array[index])
    changed = M.clone()
    changed[index] = np.float64(7.5)
    array[index] = 7.5
    assert np.array_equal(changed.numpy(), array)


def test_equality_with_arrays_is_by_elements() -> None:
    assert (M[0] == np.arange(4)).all() and not (M[0] != np.arange(4)).any()
    assert (np.arange(4.0) == M[0]).dtype is aten.bool
    assert (M[0] == np.array(["a"] * 4)) is False
    with pytest.raises(RuntimeError, match="must match the size"):
        _ = M[0] == np.arange(3)


@pytest.mark.parametrize(
    ("call", "start"),
    [
        (lambda: aten.fft.fftn(M, dim=5), "aten.fft.fftn(): "),
        (lambda: aten.fft.rfft("a"), "aten.fft.rfft(): argument 'input'"),
        (lambda: aten.linalg.svd(M[0]), "linalg.svd: The input tensor A must have at least 2 dimensions."),
        (lambda: aten.linalg.svd("a"), "aten.linalg.svd(): argument 'A'"),
        (lambda: aten.linalg.matmul(M, M), "aten.linalg.matmul(): "),
        (lambda: aten.special.gammaln("a"), "aten.special.gammaln(): argument 'input'"),
        (lambda: F.cross_entropy(M, "a"), "aten.nn.functional.cross_entropy(): argument 'target'"),
        (lambda: F.nll_loss(M, M[:, 0]), "aten.nn.functional.nll_loss(): "),
        (lambda: F.unfold(M[0], 2), "aten.nn.functional.unfold(): "),
        (lambda: F.logsigmoid("a"), "aten.nn.functional.logsigmoid(): argument 'input'"),
        (lambda: aten.mm(M, M), "aten.mm(): "),
    ],
)
def test_errors_name_the_function_that_was_called(call: Callable[[], Any], start: str) -> None:
    with pytest.raises((TypeError, RuntimeError, IndexError)) as error:
        call()
    assert str(error.value).startswith(start)


def test_ints_beyond_64_bits() -> None:
    assert (M[0] + 2**63).tolist() == [2.0**63] * 4
    assert aten.tensor([2**64 - 1], dtype=aten.uint64).item() == 2**64 - 1
    for call in (lambda: M.sum(2**63), lambda: M[2**63], lambda: aten.tensor([2**63])):
        with pytest.raises(ValueError, match="64 bits"):
            call()
    with pytest.raises(TypeError, match="64 bits"):
        M.view([2**70])
    with pytest.raises(OverflowError):
        _ = M + 2**70


def test_pickles_keep_the_order_in_memory() -> None:
    for t in (M.t(), M.reshape(3, 2, 2).permute(2, 0, 1), M):
        copied = pickle.loads(pickle.dumps(t))
        assert copied.stride() == t.stride() and copied.equal(t)
    with aten.device("meta"):
        assert pickle.loads(pickle.dumps(M)).equal(M)


@pytest.mark.parametrize("bias", [True, False])
def test_linear_of_rows_that_are_not_contiguous(bias: bool) -> None:
    x = aten.arange(24.0, dtype=aten.float64).reshape(4, 2, 3).requires_grad_()
    w = aten.arange(15.0, dtype=aten.float64).reshape(5, 3) / 7
    b = aten.arange(5.0, dtype=aten.float64) if bias else None
    for view in (x.transpose(0, 1), x.permute(1, 0, 2)[:, ::2], x.expand(4, 2, 3), x[:, :1].expand(4, 2, 3)):
        x.grad = None
        made = F.linear(view, w, b)
        assert made.is_contiguous() and aten.allclose(made, view @ w.t() + (0 if b is None else b))
        made.sum().backward()
        seen = aten.autograd.grad((view * w.sum(0)).sum(), x)[0]
        assert aten.allclose(x.grad, seen)


def test_named_results_print_a_line_each() -> None:
    assert repr(aten.ones(2).max(0)) == "aten.return_types.max(\nvalues=tensor(1.),\nindices=tensor(0))"
