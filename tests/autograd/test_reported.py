"""Wrong answers that users of the library found, each with the right one."""

from __future__ import annotations

import math

import aten
import pytest
from expect import raises


@pytest.fixture
def weights():
    return aten.arange(12, dtype=aten.float64).reshape(3, 4)


def scattered(x, weights, *geometry):
    x, src = x.detach().requires_grad_(), aten.ones(2, 2, dtype=aten.float64, requires_grad=True)
    (aten.as_strided_scatter(x, src, *geometry) * weights.reshape(x.shape)).sum().backward()
    return x.grad.tolist(), src.grad.tolist()


def test_as_strided_scatter_of_memory_that_begins_later(weights) -> None:
    # The view's offset counts from the beginning of the memory, in which the tensor begins at 4.
    x = aten.zeros(20, dtype=aten.float64)[4:16].view(3, 4)
    expected = [[0, 0, 0, 3], [4, 0, 0, 7], [8, 9, 10, 11]]
    assert scattered(x, weights, (2, 2), (4, 1), 5) == (expected, [[1, 2], [5, 6]])
    expected = [[0, 0, 2, 3], [0, 0, 6, 7], [8, 9, 10, 11]]
    assert scattered(x, weights, (2, 2), (4, 1)) == (expected, [[0, 1], [4, 5]])


def test_as_strided_scatter_of_a_transposed_tensor(weights) -> None:
    x = aten.zeros(3, 4, dtype=aten.float64).t()
    given, src = scattered(x, weights, (2, 2), (4, 1), 1)
    # Element i of the memory is at [i % 4, i // 4].
    assert src == [[3, 6], [4, 7]]
    assert given == [[0, 1, 2], [0, 0, 5], [0, 0, 8], [9, 10, 11]]


def test_as_strided_scatter_into_the_gaps_of_a_tensor() -> None:
    x = aten.zeros(4, 6, dtype=aten.float64)[:, ::2]
    given, src = scattered(x, aten.arange(12, dtype=aten.float64), (2, 2), (6, 1), 0)
    assert src == [[0, 0], [3, 0]]  # the second column is no part of x
    assert given == [[0, 1, 2], [0, 4, 5], [6, 7, 8], [9, 10, 11]]


def test_as_strided_scatter_of_an_expanded_tensor(weights) -> None:
    x = aten.zeros(1, 4, dtype=aten.float64).expand(3, 4)
    given, src = scattered(x, weights, (2, 2), (4, 1), 1)
    assert src == [[1, 2], [5, 6]]
    assert given == [[0, 0, 0, 3], [4, 0, 0, 7], [8, 9, 10, 11]]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([[1.0, math.nan, 3.0, 1.5], [math.nan, math.nan, 5.0, 2.0]], [[0, 0, 0, 1], [0, 0, 0, 2]]),
        ([[math.nan, math.nan], [1.0, 2.0]], [[1, 0], [2, 0]]),
        ([[4.0, 2.0, 3.0], [1.0, math.nan, 0.0]], [[0, 0, 1], [0, 0, 2]]),
    ],
)
def test_gradient_of_nanmedian(rows, expected) -> None:
    x = aten.tensor(rows, dtype=aten.float64, requires_grad=True)
    values, _ = aten.nanmedian(x, 1)
    (values * aten.tensor([1.0, 2.0], dtype=aten.float64)).sum().backward()
    assert x.grad.tolist() == expected


def test_results_without_gradient_are_written_to_out() -> None:
    x = aten.tensor([1.0, 3.0, 2.0], requires_grad=True)
    out = aten.empty(3, dtype=aten.bool)
    assert aten.eq(x, x, out=out) is out and out.all()
    assert aten.argmax(x, out=aten.empty((), dtype=aten.int64)).item() == 1
    for function in (aten.isnan, aten.isinf):
        assert not function(x).requires_grad
    with raises("add", "out"):
        aten.add(x, x, out=aten.empty(3))


def test_data_of_a_leaf_that_requires_grad_has_a_gradient() -> None:
    x = aten.ones(3, requires_grad=True)
    with raises("data", "floating point or complex"):
        x.data = aten.ones(3, dtype=aten.int64)
    x.data = aten.ones(3, dtype=aten.float64)
    assert x.dtype == aten.float64 and x.requires_grad


def test_data_of_the_same_kind_goes_on_with_the_graph() -> None:
    x = aten.ones(3, requires_grad=True)
    y = (x * 2).sum()
    x.data = aten.zeros(3)
    y.backward()
    assert x.grad.tolist() == [2, 2, 2]


def test_backward_of_a_view_that_was_made_without_recording() -> None:
    leaf = aten.ones(3, requires_grad=True)
    for base in (leaf, leaf * 2):
        with aten.no_grad():
            view = base[0]
        with raises("", "does not require grad and does not have a grad_fn"):
            view.backward()
        with raises("", "does not require grad|not have a grad_fn"):
            aten.autograd.grad(view, leaf)
    assert leaf.grad is None


def test_a_view_of_the_same_dtype_is_another_tensor() -> None:
    x = aten.ones(3)
    y = x.view(x.dtype)
    assert y is not x and y.data_ptr() == x.data_ptr()
    y.add_(1)
    assert x.tolist() == [2, 2, 2] and x._version == 1


def test_index_add_takes_no_source_without_dimensions() -> None:
    for index in (aten.tensor([1]), aten.tensor(1)):
        with raises("index_add", "source"):
            aten.zeros(3).index_add_(0, index, aten.tensor(5.0))
    assert aten.zeros(()).index_add_(0, aten.tensor([0]), aten.tensor(5.0)).item() == 5


def test_native_dropout_of_complex_numbers() -> None:
    x = aten.full((100,), 1 + 1j, requires_grad=True)
    made, mask = aten.native_dropout(x, 0.5, True)
    assert mask.dtype == aten.bool and 0 < mask.sum() < 100 and not mask.requires_grad
    assert aten.equal(made.detach(), aten.where(mask, 2 + 2j, 0j))
    made.real.sum().backward()
    assert aten.equal(x.grad, aten.where(mask, 2 + 0j, 0j))
    assert aten.native_dropout(x, 1.0, True)[0].abs().sum() == 0


def test_a_composite_kernel_of_python_without_formula_has_no_gradient() -> None:
    library = aten.library.Library("reported", "DEF")
    try:
        library.define("double(Tensor x) -> Tensor")
        library.impl("double", lambda x: x * 2, "CompositeExplicitAutograd")
        library.define("triple(Tensor x) -> Tensor")
        library.impl("triple", lambda x: x * 3, "CompositeImplicitAutograd")
        x = aten.ones(2, requires_grad=True)
        y = aten.ops.reported.double(x)
        assert y.requires_grad and y.tolist() == [2, 2]
        with raises("reported::double", "derivative|formula|not implemented"):
            y.sum().backward()
        aten.ops.reported.triple(x).sum().backward()
        assert x.grad.tolist() == [3, 3]
    finally:
        library._destroy()
