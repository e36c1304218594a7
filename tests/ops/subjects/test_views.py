"""Views share memory with their base: writes through one show in the other, and copies share nothing."""

from __future__ import annotations

from collections.abc import Callable

import aten
import numpy as np
import pytest
from compare import assert_aliases, storage_address
from tensors import DTYPES, dtype_of

T = aten.Tensor
VIEWS: dict[str, Callable[[T], T]] = {
    "view": lambda x: x.view(6, 4),
    "view_as": lambda x: x.view_as(aten.empty(4, 6)),
    "reshape": lambda x: x.reshape(-1),
    "reshape_as": lambda x: x.reshape_as(aten.empty(24)),
    "expand": lambda x: x[:, :1].expand(2, 5, 4),
    "expand_as": lambda x: x[:1].expand_as(aten.empty(3, 3, 4)),
    "broadcast_to": lambda x: x.broadcast_to(5, 2, 3, 4),
    "permute": lambda x: x.permute(2, 0, 1),
    "transpose": lambda x: x.transpose(0, 2),
    "t": lambda x: x[0].t(),
    "T": lambda x: x[0].T,
    "mT": lambda x: x.mT,
    "select": lambda x: x.select(1, 2),
    "slice": lambda x: x[:, 1:],
    "slice_inverse": lambda x: x[:, 1:].slice_inverse(x, 1, 1),
    "narrow": lambda x: x.narrow(2, 1, 2),
    "unsqueeze": lambda x: x.unsqueeze(1),
    "squeeze": lambda x: x[:, :1].squeeze(1),
    "split": lambda x: x.split(2, 2)[1],
    "chunk": lambda x: x.chunk(2, 2)[0],
    "unbind": lambda x: x.unbind(1)[2],
    "flatten": lambda x: x.flatten(1),
    "as_strided": lambda x: x.as_strided((2, 2), (3, 1), 5),
    "alias": lambda x: aten.ops.aten.alias.default(x),
    "detach": lambda x: x.detach(),
    "index": lambda x: x[1, ..., None, 2],
    "contiguous": lambda x: x.contiguous(),
    "to": lambda x: x.to(x.dtype),
}
COPIES: dict[str, Callable[[T], T]] = {
    "clone": lambda x: x.clone(),
    "contiguous": lambda x: x.transpose(0, 1).contiguous(),
    "reshape": lambda x: x.transpose(0, 1).reshape(-1),
    "to": lambda x: x.to(x.dtype, copy=True),
    "_to_copy": lambda x: aten.ops.aten._to_copy.default(x),
    "index": lambda x: x[aten.tensor([0, 1])],
    "flatten": lambda x: x.transpose(0, 1).flatten(),
}


def base(dtype: str = "int64") -> T:
    return aten.arange(24).to(dtype_of(dtype)).view(2, 3, 4)


@pytest.mark.parametrize("name", VIEWS)
def test_writes_show_in_the_base(name: str) -> None:
    x = base()
    view = VIEWS[name](x)
    assert_aliases(view, x, name)
    before = x.numpy().copy()
    one = view[(0,) * view.dim()] if view.dim() else view
    one.fill_(-100)
    after = x.numpy()
    assert (after == -100).sum() == 1 and (after != before).sum() == 1


@pytest.mark.parametrize("name", VIEWS)
def test_writes_to_the_base_show_in_the_view(name: str) -> None:
    x = base()
    view = VIEWS[name](x)
    x.zero_()
    assert not view.numpy().any()


def test_the_inverse_of_a_slice_is_what_it_is_a_slice_of() -> None:
    leaf = aten.arange(24.0).view(2, 3, 4).requires_grad_()
    x = leaf.clone()
    for dim, piece in ((0, (1, 2, 1)), (1, (0, 3, 2)), (2, (1, None, 1))):
        part = aten.ops.aten.slice(x, dim, *piece)
        whole = part.slice_inverse(x, dim, *piece)
        assert aten.equal(whole, x) and whole.stride() == x.stride()
        (gradient,) = aten.autograd.grad(whole.sum(), leaf, retain_graph=True)
        assert aten.equal(gradient, aten.ones_like(x))  # of the slice through self, of the rest through src
    with pytest.raises(RuntimeError, match="storage"):
        x[0].slice_inverse(aten.empty(25))


def test_writes_count_versions() -> None:
    x = base()
    view = x.view(-1)
    x.zero_()
    assert x._version == view._version == 1


@pytest.mark.parametrize("name", COPIES)
def test_copies_share_nothing(name: str) -> None:
    x = base()
    copy = COPIES[name](x)
    assert storage_address(copy) != storage_address(x)
    x.zero_()
    assert copy.numpy().any()


def wrapped(size: int, before: int, after: int) -> list[int]:
    """Returns the places in a dimension of the elements of its circular padding."""
    first, end = max(-before, 0), size - max(-after, 0)
    return [first + (i - max(before, 0)) % (end - first) for i in range(size + before + after)]


PADS = ((0, 0, 0, 0), (-1, 0, 0, 0), (0, 0, -1, -1), (-1, 0, 2, 0), (1, -1, 0, 0), (2, 3, -1, 1))


@pytest.mark.parametrize("pad", PADS, ids=str)
def test_circular_padding_is_a_new_contiguous_tensor(pad: tuple[int, ...]) -> None:
    x = aten.arange(48.0).reshape(2, 2, 3, 4)
    expected = x[:, :, wrapped(3, *pad[2:])][..., wrapped(4, *pad[:2])].contiguous()
    for input in (x, x.contiguous(memory_format=aten.channels_last), x.mT.contiguous().mT):
        padded = aten.nn.functional.pad(input, pad, mode="circular")
        assert storage_address(padded) != storage_address(input) and not padded._is_view()
        assert padded.stride() == expected.stride() and aten.equal(padded, expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_in_place_on_a_view(dtype: str) -> None:
    x = aten.ones((4, 6), dtype=dtype_of(dtype))
    x[1:3, ::2].zero_()
    expected = np.ones((4, 6))
    expected[1:3, ::2] = 0
    np.testing.assert_array_equal(x.to(aten.complex128).numpy(), expected)


def test_in_place_through_a_transposed_view() -> None:
    x = aten.arange(6.0).view(2, 3)
    x.t().add_(aten.arange(3.0).view(3, 1))
    np.testing.assert_array_equal(x.numpy(), [[0, 2, 4], [3, 5, 7]])


@pytest.mark.parametrize(
    ("name", "shape"),
    [("transpose_", (4, 3, 2)), ("t_", (4, 3)), ("unsqueeze_", (1, 2, 3, 4)), ("squeeze_", (2, 3, 4))],
)
def test_in_place_views_change_the_tensor_itself(name: str, shape: tuple[int, ...]) -> None:
    x = base()[0].clone() if name == "t_" else base()
    arguments = {"transpose_": (0, 2), "unsqueeze_": (0,)}.get(name, ())
    address = x.data_ptr()
    assert getattr(x, name)(*arguments) is x
    assert tuple(x.shape) == ((4, 3) if name == "t_" else shape)
    assert x.data_ptr() == address


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.expand(3, 3).add_(1),
        lambda x: x.expand(3, 3).copy_(aten.ones(3, 3)),
        lambda x: x.expand(3, 3).mul_(2),
        lambda x: aten.add(x, x, out=x.expand(3, 3)),
        lambda x: aten.exp(x, out=x.expand(3, 3)),
    ],
)
def test_writes_to_expanded_memory_raise(call: Callable[[T], object]) -> None:
    with pytest.raises(RuntimeError, match=r"single memory location|overlap"):
        call(aten.ones(3))


@pytest.mark.parametrize(
    "call",
    [
        lambda x: aten.add(x[:-1], 1, out=x[1:]),
        lambda x: x[1:].add_(x[:-1]),
        lambda x: aten.exp(x[:-1], out=x[1:]),
        lambda x: aten.mul(x[:-1], x[1:], out=x[1:]),
        lambda x: aten.cat((x[:2], x[2:4]), out=x[1:5]),
        lambda x: aten.gather(x, 0, aten.tensor([0, 1]), out=x[:2]),
        lambda x: aten.index_select(x, 0, aten.tensor([0, 1]), out=x[:2]),
    ],
)
def test_partial_overlap_raises(call: Callable[[T], object]) -> None:
    with pytest.raises(RuntimeError, match=r"overlap|memory location"):
        call(aten.arange(6.0))


def test_view_dtype() -> None:
    x = aten.arange(4, dtype=aten.int32)
    y = aten.ops.aten.view.dtype(x, aten.int16)
    assert tuple(y.shape) == (8,) and y.data_ptr() == x.data_ptr()
    np.testing.assert_array_equal(y.numpy(), x.numpy().view(np.int16))
    with pytest.raises(RuntimeError):
        aten.ops.aten.view.dtype(aten.ones(3, dtype=aten.int8), aten.int32)


@pytest.mark.parametrize("sizes", [(5,), (2, 2), (100,), (0,), ()])
def test_resize(sizes: tuple[int, ...]) -> None:
    """Elements that fit are kept; the storage grows if necessary."""
    x = aten.arange(6.0)
    assert aten.ops.aten.resize_.default(x, sizes) is x
    assert tuple(x.shape) == sizes
    kept = min(6, x.numel())
    np.testing.assert_array_equal(x.numpy().reshape(-1)[:kept], np.arange(6.0)[:kept])
    y = aten.ops.aten.resize.default(aten.arange(6.0), sizes)
    out = aten.ops.aten.resize.out(aten.arange(6.0), sizes, out=aten.empty(sizes))
    assert tuple(y.shape) == tuple(out.shape) == sizes
