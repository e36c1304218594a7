"""ctc_loss beside PyTorch's: losses and gradients for padded and concatenated targets."""

from __future__ import annotations

from typing import Any

import aten
import numpy as np
import pytest

torch = pytest.importorskip("torch")

STEPS, BATCH, LABELS = 9, 4, 5
TARGETS = np.array([[1, 2, 2, 4], [3, 3, 3, 0], [1, 0, 0, 0], [4, 1, 0, 0]])
TARGET_LENGTHS, INPUT_LENGTHS = [4, 3, 0, 2], [9, 7, 8, 1]


def result(
    library: Any, reduction: int, joined: bool, zero_infinity: bool, tensors: bool
) -> list[np.ndarray]:
    x = library.from_numpy(np.random.default_rng(3).standard_normal((STEPS, BATCH, LABELS))).requires_grad_()
    rows = [row[:n] for row, n in zip(TARGETS, TARGET_LENGTHS, strict=True)]
    targets = library.from_numpy(np.concatenate(rows) if joined else TARGETS)
    lengths: list[Any] = [INPUT_LENGTHS, TARGET_LENGTHS]
    log_probs = library.log_softmax(x, 2)
    if tensors:
        given = [library.tensor(n) for n in lengths]
        loss = library.ops.aten.ctc_loss.Tensor(log_probs, targets, *given, 0, reduction, zero_infinity)
    else:
        loss = library.ops.aten.ctc_loss.IntList(log_probs, targets, *lengths, 0, reduction, zero_infinity)
    finite = loss if zero_infinity or reduction else loss[:3]
    (gradient,) = library.autograd.grad(finite.sum(), [x])
    return [loss.detach().numpy(), gradient.numpy()]


@pytest.mark.parametrize("reduction", (0, 1, 2))
@pytest.mark.parametrize("joined", (False, True))
@pytest.mark.parametrize("tensors", (False, True))
def test_as_pytorch(reduction: int, joined: bool, tensors: bool) -> None:
    for mine, theirs in zip(
        result(aten, reduction, joined, True, tensors),
        result(torch, reduction, joined, True, tensors),
        strict=True,
    ):
        np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-11)


def test_what_cannot_be_aligned_costs_infinitely() -> None:
    mine, theirs = result(aten, 0, False, False, False), result(torch, 0, False, False, False)
    assert np.isinf(mine[0][3])
    for a, b in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-11)


def test_operators() -> None:
    log_probs = aten.log_softmax(aten.from_numpy(np.random.default_rng(4).standard_normal((5, 2, 4))), 2)
    targets, lengths = aten.tensor([[1, 2], [3, 1]]), ([5, 4], [2, 1])
    loss, alpha = aten.ops.aten._ctc_loss.default(log_probs, targets, *lengths)
    again = aten.ops.aten._ctc_loss.Tensor(log_probs, targets, *(aten.tensor(n) for n in lengths))
    outs = aten.empty(0, dtype=aten.float64), aten.empty(0, dtype=aten.float64)
    aten.ops.aten._ctc_loss.out(log_probs, targets, *lengths, out0=outs[0], out1=outs[1])
    tensors = [aten.tensor(n) for n in lengths]
    aten.ops.aten._ctc_loss.Tensor_out(log_probs, targets, *tensors, out0=outs[0], out1=outs[1])
    assert loss.tolist() == again[0].tolist() == outs[0].tolist() and alpha.shape == outs[1].shape
    meta = aten.ops.aten._ctc_loss.default(log_probs.to("meta"), targets.to("meta"), *lengths)
    assert [t.shape for t in meta] == [loss.shape, alpha.shape]
    grad = aten.ones(2, dtype=aten.float64)
    args = (grad, log_probs, targets, *lengths, loss, alpha, 0)
    slope = aten.ops.aten._ctc_loss_backward.default(*args)
    same = aten.ops.aten._ctc_loss_backward.Tensor(*args[:3], *tensors, loss, alpha, 0)
    out = aten.empty(0, dtype=aten.float64)
    aten.ops.aten._ctc_loss_backward.out(*args, out=out)
    assert slope.tolist() == same.tolist() == out.tolist()


def test_refused() -> None:
    log_probs, targets = aten.zeros(5, 2, 4), aten.tensor([[1, 2], [3, 1]])
    for args, message in (
        ((log_probs[0], targets, [5, 5], [2, 2]), "3 dimensions"),
        ((log_probs, targets, [5], [2, 2]), "batch_size"),
        ((log_probs, targets, [6, 5], [2, 2]), "between 0 and 5"),
        ((log_probs, targets, [5, 5], [3, 2]), "at least 3"),
        ((log_probs, targets, [5, 5], [2, -1]), "at least 0"),
        ((log_probs, targets + 2, [5, 5], [2, 2]), "out of range"),
        ((log_probs, targets, [5, 5], [2, 2], 4), "label range"),
        ((log_probs, targets.to(aten.float32), [5, 5], [2, 2]), "Int or Long"),
    ):
        with pytest.raises(RuntimeError, match=message):
            aten.ops.aten._ctc_loss.default(*args)
