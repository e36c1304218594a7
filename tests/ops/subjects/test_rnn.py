"""Recurrent networks and packed sequences beside PyTorch's: results, and gradients of all inputs."""

from __future__ import annotations

from typing import Any

import aten
import numpy as np
import pytest

torch = pytest.importorskip("torch")

KINDS = ("lstm", "gru", "rnn_tanh", "rnn_relu")
INPUT, HIDDEN, BATCH, STEPS = 3, 4, 5, 6


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng([7, *shape]).standard_normal(shape)


def parameters(kind: str, layers: int, directions: int, biases: bool, projected: int = 0) -> list[np.ndarray]:
    gates = {"lstm": 4, "gru": 3}.get(kind, 1) * HIDDEN
    size, made = projected or HIDDEN, []
    for layer in range(layers):
        for _ in range(directions):
            made += [random(gates, INPUT if layer == 0 else directions * size), random(gates, size)]
            made += [random(gates), random(gates)] if biases else []
            made += [random(projected, HIDDEN)] if projected else []
    return made


def states(kind: str, groups: int, projected: int = 0) -> list[np.ndarray]:
    hidden = random(groups, BATCH, projected or HIDDEN)
    return [hidden, random(groups, BATCH, HIDDEN)] if kind == "lstm" else [hidden]


def leaves(library: Any, arrays: list[np.ndarray]) -> list[Any]:
    return [library.from_numpy(np.array(a)).requires_grad_() for a in arrays]


def whole(library: Any, kind: str) -> Any:
    return {
        "lstm": lambda *a: library.ops.aten.lstm.input(*a),
        "gru": lambda *a: library.ops.aten.gru.input(*a),
        "rnn_tanh": lambda *a: library.ops.aten.rnn_tanh.input(*a),
        "rnn_relu": lambda *a: library.ops.aten.rnn_relu.input(*a),
    }[kind]


def packed(library: Any, kind: str) -> Any:
    return {
        "lstm": lambda *a: library.ops.aten.lstm.data(*a),
        "gru": lambda *a: library.ops.aten.gru.data(*a),
        "rnn_tanh": lambda *a: library.ops.aten.rnn_tanh.data(*a),
        "rnn_relu": lambda *a: library.ops.aten.rnn_relu.data(*a),
    }[kind]


def run(
    library: Any,
    kind: str,
    given: list[np.ndarray],
    hx: list[np.ndarray],
    weights: list[np.ndarray],
    *options: Any,
    sizes: list[int] | None = None,
) -> list[np.ndarray]:
    """Returns results, then gradients of a weighted sum of them."""
    x, h, w = leaves(library, given), leaves(library, hx), leaves(library, weights)
    state = h if kind == "lstm" else h[0]
    results = (
        whole(library, kind)(x[0], state, w, *options)
        if sizes is None
        else packed(library, kind)(x[0], library.tensor(sizes), state, w, *options)
    )
    total = sum(
        ((r * library.from_numpy(random(*r.shape))).sum() for r in results[1:]), results[0].sin().sum()
    )
    gradients = library.autograd.grad(total, [*x, *h, *w])
    return [t.detach().numpy() for t in (*results, *gradients)]


def assert_equal(mine: list[np.ndarray], theirs: list[np.ndarray]) -> None:
    assert len(mine) == len(theirs)
    for a, b in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layers", (1, 3))
@pytest.mark.parametrize("bidirectional", (False, True))
@pytest.mark.parametrize("biases", (False, True))
@pytest.mark.parametrize("batch_first", (False, True))
def test_network(kind: str, layers: int, bidirectional: bool, biases: bool, batch_first: bool) -> None:
    directions = 2 if bidirectional else 1
    x = random(BATCH, STEPS, INPUT) if batch_first else random(STEPS, BATCH, INPUT)
    given = ([x], states(kind, layers * directions), parameters(kind, layers, directions, biases))
    options = (biases, layers, 0.0, True, bidirectional, batch_first)
    assert_equal(run(aten, kind, *given, *options), run(torch, kind, *given, *options))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bidirectional", (False, True))
@pytest.mark.parametrize("sizes", ([5, 5, 3, 3, 1, 1], [5], [5, 4, 3, 2, 1]))
def test_packed_network(kind: str, bidirectional: bool, sizes: list[int]) -> None:
    directions = 2 if bidirectional else 1
    given = ([random(sum(sizes), INPUT)], states(kind, 2 * directions), parameters(kind, 2, directions, True))
    options = (True, 2, 0.0, True, bidirectional)
    assert_equal(
        run(aten, kind, *given, *options, sizes=sizes), run(torch, kind, *given, *options, sizes=sizes)
    )


@pytest.mark.parametrize("bidirectional", (False, True))
def test_projection(bidirectional: bool) -> None:
    directions = 2 if bidirectional else 1
    given = (
        [random(STEPS, BATCH, INPUT)],
        states("lstm", 2 * directions, 2),
        parameters("lstm", 2, directions, True, 2),
    )
    options = (True, 2, 0.0, True, bidirectional, False)
    assert_equal(run(aten, "lstm", *given, *options), run(torch, "lstm", *given, *options))


def cell_results(library: Any, kind: str, biases: bool) -> list[np.ndarray]:
    x, *rest = leaves(library, [random(BATCH, INPUT), *states(kind, 1), *parameters(kind, 1, 1, biases)])
    count = 2 if kind == "lstm" else 1
    h = [t[0] for t in rest[:count]]
    op = {
        "lstm": lambda *a: library.ops.aten.lstm_cell.default(*a),
        "gru": lambda *a: (library.ops.aten.gru_cell.default(*a),),
        "rnn_tanh": lambda *a: (library.ops.aten.rnn_tanh_cell.default(*a),),
        "rnn_relu": lambda *a: (library.ops.aten.rnn_relu_cell.default(*a),),
    }[kind]
    results = op(x, h if kind == "lstm" else h[0], *rest[count:])
    gradients = library.autograd.grad(sum(r.sin().sum() for r in results), [x, *rest])
    return [t.detach().numpy() for t in (*results, *gradients)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("biases", (False, True))
def test_cell(kind: str, biases: bool) -> None:
    assert_equal(cell_results(aten, kind, biases), cell_results(torch, kind, biases))


@pytest.mark.parametrize("batch_first", (False, True))
def test_packed_sequences(batch_first: bool) -> None:
    def results(library: Any) -> list[np.ndarray]:
        (x,) = leaves(library, [random(BATCH, STEPS, 2) if batch_first else random(STEPS, BATCH, 2)])
        lengths = library.tensor([6, 4, 4, 2, 1])
        data, sizes = library.ops.aten._pack_padded_sequence.default(x, lengths, batch_first)
        padded, counts = library.ops.aten._pad_packed_sequence.default(data, sizes, batch_first, 0.5, 7)
        (gradient,) = library.autograd.grad(padded.sin().sum(), [x])
        size = [BATCH, STEPS, 2] if batch_first else [STEPS, BATCH, 2]
        again = library.ops.aten._pack_padded_sequence_backward.default(
            data.detach(), size, sizes, batch_first
        )
        return [t.detach().numpy() for t in (data, sizes, padded, counts, gradient, again)]

    assert_equal(results(aten), results(torch))
    x, lengths = aten.from_numpy(random(STEPS, BATCH, 2)), aten.tensor([6, 4, 4, 2, 1])
    outs = aten.empty(0, dtype=aten.float64), aten.empty(0, dtype=aten.int64)
    aten.ops.aten._pack_padded_sequence.out(x, lengths, False, out0=outs[0], out1=outs[1])
    assert outs[1].tolist() == [5, 4, 3, 3, 1, 1]


def test_refused() -> None:
    w = leaves(aten, parameters("lstm", 1, 1, True))
    h = leaves(aten, states("lstm", 1))
    x = aten.from_numpy(random(STEPS, BATCH, INPUT))
    options = (True, 1, 0.0, False, False, False)
    for wrong, message in (
        ((x, h[:1], w), "two hidden states"),
        ((x, h, w[:3]), "number of RNN parameters"),
        ((x[0], h, w), "3 dimensions"),
        ((x[:0], h, w), "sequence length"),
        ((x[:, :2], h, w), "batch of 2"),
    ):
        with pytest.raises(RuntimeError, match=message):
            aten.ops.aten.lstm.input(*wrong, *options)
    for sizes in ([3, 5], [0], [30], [4, -4, 30]):
        with pytest.raises(RuntimeError, match="batch"):
            aten.ops.aten.lstm.data(
                x.reshape(-1, INPUT), aten.tensor(sizes), h, w, True, 1, 0.0, False, False
            )
