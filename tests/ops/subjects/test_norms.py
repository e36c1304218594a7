"""Normalisations and embedding bags equal PyTorch's: writes in place, dtypes, layouts, errors."""

from __future__ import annotations

import itertools
from typing import Any

import aten
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch, the oracle, is not installed")

from oracle import assert_same, to_aten  # noqa: E402

LOOSE = {"float32": (1e-5, 1e-4), "bfloat16": (5e-2, 1e-1), "float16": (1e-2, 2e-2)}
F, AF = torch.nn.functional, aten.nn.functional
SHAPES = ((4, 3), (2, 3, 7), (3, 5, 4, 6), (2, 3, 2, 3, 4))


def parameters(channels: int, dtype: Any) -> list[Any]:
    return [(torch.rand(channels) + 0.5).to(dtype) for _ in range(4)]


def inputs(shape: tuple[int, ...], dtype: Any) -> list[Any]:
    """Returns the same values contiguous, with channels last, and transposed."""
    x = torch.randn(shape).to(dtype)
    found = [x, x.mT.contiguous().mT] if len(shape) > 2 else [x]
    formats = {4: torch.channels_last, 5: torch.channels_last_3d}
    if len(shape) in formats:
        found.append(x.contiguous(memory_format=formats[len(shape)]))
    return found


def check(ours: Any, theirs: Any, args: Any, what: str) -> None:
    """Checks that both give the same, and leave the arguments the same."""
    copies = to_aten([a.clone() if isinstance(a, torch.Tensor) else a for a in args])
    got, expected = ours(*copies), theirs(*args)
    assert_same(got, expected, what, tolerance=LOOSE)
    assert_same(copies, list(args), f"{what}: arguments after the call", tolerance=LOOSE)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16], ids=str)
def test_batch_norm_moves_running_statistics(training: bool, mixed: bool, dtype: Any) -> None:
    for shape in SHAPES:
        for x in inputs(shape, dtype):
            kind = torch.float32 if mixed and dtype in (torch.bfloat16, torch.float16) else dtype
            weight, bias, mean, var = parameters(shape[1], kind)
            args = (x, mean, var, weight, bias, training, 0.3, 1e-3)
            check(AF.batch_norm, F.batch_norm, args, f"batch_norm {shape}")


@pytest.mark.parametrize("own", [True, False])
def test_instance_norm_moves_running_statistics(own: bool) -> None:
    for shape in SHAPES[1:]:
        for x in inputs(shape, torch.float32):
            weight, bias, mean, var = parameters(shape[1], torch.float32)
            args = (x, mean, var, weight, bias, own, 0.3, 1e-3)
            check(AF.instance_norm, F.instance_norm, args, f"instance_norm {shape}")


def test_impl_index() -> None:
    x, (weight, bias, mean, var) = torch.randn(2, 3, 4), parameters(3, torch.float32)
    for data in (x, x[:0]):
        args = (data, weight, bias, mean, var, True, 0.1, 1e-5, True)
        expected = torch.ops.aten._batch_norm_impl_index(*args)
        got = aten.ops.aten._batch_norm_impl_index.default(*to_aten(args))
        values = data.numel() > 0  # there are no statistics of no elements
        assert_same(list(got[:4]), list(expected[:4]), "_batch_norm_impl_index", values=values)
        assert got[4] == expected[4] == 0
        _, save_mean, save_invstd, reserve, _ = expected
        args = (0, data, data, weight, mean, var, save_mean, save_invstd, True, 1e-5, [True] * 3, reserve)
        expected = torch.ops.aten._batch_norm_impl_index_backward(*args)
        got = aten.ops.aten._batch_norm_impl_index_backward.default(*to_aten(args))
        assert_same(list(got), list(expected), "_batch_norm_impl_index_backward", tolerance=LOOSE)


def test_group_norm_of_sizes_that_are_not_the_shapes() -> None:
    """An input with N * C * HxW elements is enough, whatever its dimensions."""
    x, weight, bias = torch.randn(3, 8, 5), torch.rand(4), torch.rand(4)
    expected = torch.native_group_norm(x, weight, bias, 6, 4, 5, 2, 1e-5)
    found = aten.native_group_norm(to_aten(x), to_aten(weight), to_aten(bias), 6, 4, 5, 2, 1e-5)
    for ours, theirs in zip(found, expected, strict=True):
        assert_same(ours, theirs, "native_group_norm", tolerance=LOOSE)
    with pytest.raises(RuntimeError, match=r"Expected an input of N \* C \* HxW elements"):
        aten.native_group_norm(to_aten(x), to_aten(weight), to_aten(bias), 6, 4, 6, 2, 1e-5)


def test_sparse_gradients_are_refused() -> None:
    weight = aten.ones((4, 2)).requires_grad_()
    bags = AF.embedding_bag(aten.tensor([0, 1]), weight, aten.tensor([0]), mode="sum", sparse=True)
    with pytest.raises(NotImplementedError, match="sparse"):
        bags.sum().backward()
    ints = aten.tensor([0, 1])
    with pytest.raises(NotImplementedError, match="sparse"):
        aten.ops.aten._embedding_bag_sparse_backward.default(
            aten.ones((1, 2)), ints, aten.tensor([0]), ints, ints, 4, False, 0, None
        )


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
@pytest.mark.parametrize("padding", [None, 2])
def test_gradients_of_bags(mode: str, padding: int | None) -> None:
    table, factors = torch.randn(6, 5), torch.rand(7)
    where, offsets = torch.tensor([1, 2, 2, 5, 0, 3, 2]), torch.tensor([0, 3, 3, 4])
    results = []
    for functional, convert in ((F, lambda t: t.clone()), (AF, lambda t: to_aten(t.clone()))):
        weight = convert(table).requires_grad_()
        scale = convert(factors).requires_grad_() if mode == "sum" else None
        out = functional.embedding_bag(
            convert(where), weight, convert(offsets), mode=mode, per_sample_weights=scale, padding_idx=padding
        )
        (out * out).sum().backward()
        results.append([out.detach(), weight.grad, *([scale.grad] if scale is not None else [])])
    assert_same(results[1], results[0], f"embedding_bag {mode}", tolerance=LOOSE)


def test_gradients_over_frequencies() -> None:
    """Each row's gradient is divided by the number of its indices; PyTorch divides by that of another row."""
    where, offsets = [1, 2, 2, 5, 0, 3, 2], aten.tensor([0, 3, 4])
    found = []
    for scaled in (False, True):
        weight = aten.ones((6, 5)).requires_grad_()
        bags = AF.embedding_bag(aten.tensor(where), weight, offsets, mode="mean", scale_grad_by_freq=scaled)
        (bags * aten.arange(15.0).reshape(3, 5)).sum().backward()
        found.append(weight.grad.numpy())
    counts = [max(where.count(row), 1) for row in range(6)]
    assert np.allclose(found[1], (found[0].T / counts).T)


def test_embedding_with_max_norm() -> None:
    table, where = torch.randn(6, 5) * 3, torch.tensor([[1, 4], [1, 0]])
    for p in (1.0, 2.0, float("inf")):
        theirs, ours = table.clone(), to_aten(table.clone())
        expected = F.embedding(where, theirs, max_norm=1.5, norm_type=p)
        assert_same(AF.embedding(to_aten(where), ours, max_norm=1.5, norm_type=p), expected, "embedding")
        assert_same(ours, theirs, "weight after the call")


@pytest.mark.parametrize("affine", [False, True])
def test_layer_norm_of_a_long_row(affine: bool) -> None:
    """Its moments, and the sums of its gradient, are as exact as those of short rows."""
    n = 3_000_001
    x, grad = torch.rand(n) + 3, torch.rand(n)
    w, b = (torch.rand(n), torch.rand(n)) if affine else (None, None)
    found = []
    for layer_norm, convert in (
        (AF.layer_norm, to_aten),
        (F.layer_norm, lambda t: t.double()),
    ):
        leaves = [convert(t.clone()).requires_grad_() for t in (x, w, b) if t is not None]
        y = layer_norm(leaves[0], (n,), *leaves[1:])
        y.backward(convert(grad.clone()))
        found.append([y.detach().numpy(), *(leaf.grad.numpy() for leaf in leaves)])
    for ours, exact in zip(*found, strict=True):
        assert np.abs(ours - exact).max() < 4e-6


def backward(library: Any) -> Any:
    return library.ops.aten.native_batch_norm_backward.default


@pytest.mark.parametrize("training", [True, False])
def test_batch_norm_keeps_the_format_of_inputs_with_dimensions_of_size_one(training: bool) -> None:
    """Channels last, whatever the strides of these dimensions are; contiguous, if that holds too."""
    for shape in ((1, 3, 4, 5), (2, 3, 1, 4), (2, 1, 4, 5), (2, 3, 1, 1), (1, 3, 2, 1, 4)):
        x = torch.randn(shape)
        for order in itertools.permutations(range(len(shape))):
            permuted = x.permute(order)
            if training and permuted.numel() == permuted.shape[1]:
                continue
            weight, bias, mean, var = parameters(permuted.shape[1], torch.float32)
            args = (permuted, mean, var, weight, bias, training, 0.3, 1e-3)
            check(AF.batch_norm, F.batch_norm, args, f"batch_norm {shape} {order}")
            grad = torch.randn(shape).permute(order)  # of another format PyTorch gives wrong gradients
            gradient = (grad, permuted, weight, mean, var, mean, var, training, 1e-3, [True] * 3)
            check(backward(aten), backward(torch), gradient, f"gradient of batch_norm {shape} {order}")


WRONG = {
    "running_mean of another size": (RuntimeError, lambda x: AF.batch_norm(x, aten.ones(2), aten.ones(3))),
    "one running statistic": (RuntimeError, lambda x: AF.batch_norm(x, aten.ones(3), None)),
    "weight of another size": (
        RuntimeError,
        lambda x: AF.batch_norm(x, None, None, aten.ones(2), training=True),
    ),
    "one value per channel": (
        ValueError,
        lambda x: AF.batch_norm(x[:1, :, 0], None, None, training=True),
    ),
    "no statistics": (RuntimeError, lambda x: AF.batch_norm(x, None, None)),
    "a vector": (
        IndexError,
        lambda x: aten.batch_norm(x[0, 0], None, None, None, None, True, 0.1, 1e-5, True),
    ),
    "integers": (
        NotImplementedError,
        lambda x: aten.batch_norm(x.to(aten.int64), None, None, None, None, True, 0.1, 1e-5, True),
    ),
    "groups that don't divide": (RuntimeError, lambda x: AF.group_norm(x, 2)),
    "no groups": (RuntimeError, lambda x: AF.group_norm(x, 0)),
    "another shape to normalise": (RuntimeError, lambda x: AF.rms_norm(x, (5,))),
    "instances of one value": (ValueError, lambda x: AF.instance_norm(x[:, :, :1])),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments(case: str) -> None:
    error, call = WRONG[case]
    with pytest.raises(error):
        call(aten.ones((2, 3, 4)))


BAGS: dict[str, Any] = {
    "an index out of range": ([0, 9], [0]),
    "a negative index": ([0, -1], [0]),
    "bags that begin late": ([0, 1], [1]),
    "bags beyond the indices": ([0, 1], [0, 3]),
    "bags in disorder": ([0, 1, 2], [0, 2, 1]),
}


@pytest.mark.parametrize("case", BAGS)
@pytest.mark.parametrize("mode", [0, 1, 2])
def test_wrong_bags(case: str, mode: int) -> None:
    where, offsets = (aten.tensor(v) for v in BAGS[case])
    with pytest.raises((RuntimeError, IndexError)):
        aten.embedding_bag(aten.ones((4, 2)), where, offsets, False, mode)
