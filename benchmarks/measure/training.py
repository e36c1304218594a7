"""Training steps as a user would write them for each peer, with the same values."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from .peers import Peer

Step = Callable[[], Any]
Make = Callable[[Peer], Step | None]


def values(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).uniform(-1, 1, shape).astype(np.float32)


def parameter(peer: Peer, array: np.ndarray) -> Any:
    return peer.tensor(array).requires_grad_()


def functional(peer: Peer) -> Any:
    return importlib.import_module(f"{peer.module.__name__}.nn.functional")


def mlp(sizes: tuple[int, ...], batch: int) -> Make:
    """Linear layers with relu between them, cross entropy, gradient descent."""

    def make(peer: Peer) -> Step:
        weights = [0.05 * values(o, i) for i, o in itertools.pairwise(sizes)]
        x, y = values(batch, sizes[0]), np.random.default_rng(0).integers(0, sizes[-1], batch)
        return (torch_like_mlp if peer.torch_like else numpy_mlp)(peer, weights, x, y)

    return make


def torch_like_mlp(peer: Peer, arrays: list[np.ndarray], images: np.ndarray, labels: np.ndarray) -> Step:
    T, F = peer.module, functional(peer)
    weights = [parameter(peer, w) for w in arrays]
    biases = [T.zeros(len(w), requires_grad=True) for w in arrays]
    x, y = peer.tensor(images), peer.tensor(labels).unsqueeze(1)

    def step() -> None:
        h = F.linear(x, weights[0], biases[0])
        for w, b in zip(weights[1:], biases[1:], strict=True):
            h = F.linear(T.relu(h), w, b)
        (-T.log_softmax(h, 1).gather(1, y).mean()).backward()
        with T.no_grad():
            for p in (*weights, *biases):
                p.sub_(p.grad, alpha=0.01)
                p.grad = None

    return step


def numpy_mlp(peer: Peer, weights: list[np.ndarray], x: np.ndarray, labels: np.ndarray) -> Step:
    """Like mlp(), with hand-written gradients."""
    biases = [np.zeros(len(w), np.float32) for w in weights]
    rows = np.arange(len(labels))

    def step() -> None:
        inputs = [x]
        for i, (w, b) in enumerate(zip(weights, biases, strict=True)):
            z = inputs[-1] @ w.T
            z += b
            inputs.append(np.maximum(z, 0, out=z) if i + 1 < len(weights) else z)
        z = inputs.pop()
        g = np.exp(z - z.max(1, keepdims=True))
        g /= g.sum(1, keepdims=True)
        g[rows, labels] -= 1
        g /= len(labels)
        for i in reversed(range(len(weights))):
            gw, gb = g.T @ inputs[i], g.sum(0)
            if i:
                g = (g @ weights[i]) * (inputs[i] > 0)
            weights[i] -= np.float32(0.01) * gw
            biases[i] -= np.float32(0.01) * gb

    return step


def block(batch: int, tokens: int, width: int, heads: int, train: bool = True) -> Make:
    """A transformer block with causal attention: its forward pass, or a training step."""

    def make(peer: Peer) -> Step | None:
        if not peer.torch_like:
            return None
        T, F = peer.module, functional(peer)

        def weight(*shape: int) -> Any:
            made = peer.tensor(0.05 * values(*shape))
            return made.requires_grad_() if train else made

        qkv, out, up, down = (
            (weight(o, i), weight(o))
            for o, i in ((3 * width, width), (width, width), (4 * width, width), (width, 4 * width))
        )
        norm1, norm2 = ((weight(width), weight(width)) for _ in range(2))
        x = peer.tensor(values(batch, tokens, width))
        future = peer.tensor(~np.tri(tokens, dtype=bool))
        shape = (batch, tokens, 3, heads, width // heads)

        def forward() -> Any:
            h = F.linear(F.layer_norm(x, (width,), *norm1), *qkv)
            q, k, v = h.view(*shape).permute(2, 0, 3, 1, 4).unbind(0)
            scores = (T.matmul(q, k.transpose(2, 3)) * shape[-1] ** -0.5).masked_fill(future, float("-inf"))
            a = T.matmul(T.softmax(scores, -1), v).transpose(1, 2).reshape(batch, tokens, width)
            y = x + F.linear(a, *out)
            return y + F.linear(F.gelu(F.linear(F.layer_norm(y, (width,), *norm2), *up)), *down)

        parameters = [p for pair in (qkv, out, up, down, norm1, norm2) for p in pair]

        def step() -> None:
            forward().sum().backward()
            for p in parameters:
                p.grad = None

        return step if train else forward

    return make


def both_ways(function: Callable[..., Any], *shapes: tuple[int, ...]) -> Make:
    """Forward and backward of an operator, with a gradient of ones."""

    def make(peer: Peer) -> Step | None:
        if not peer.torch_like:
            return None
        operands = [parameter(peer, values(*shape)) for shape in shapes]
        F = functional(peer)
        gradient = peer.module.ones_like(function(peer.module, F, *operands).detach())

        def step() -> None:
            function(peer.module, F, *operands).backward(gradient)
            for x in operands:
                x.grad = None

        return step

    return make


def softmax(rows: int, columns: int) -> Make:
    return both_ways(lambda T, F, x: T.softmax(x, -1), (rows, columns))


def layer_norm(rows: int, columns: int) -> Make:
    shapes = ((rows, columns), (columns,), (columns,))
    return both_ways(lambda T, F, x, w, b: F.layer_norm(x, (columns,), w, b), *shapes)


def gelu(count: int) -> Make:
    return both_ways(lambda T, F, x: F.gelu(x), (count,))


def add_row(rows: int, columns: int) -> Make:
    return both_ways(lambda T, F, x, row: T.add(x, row), (rows, columns), (columns,))


def embedding(count: int, rows: int, columns: int) -> Make:
    indices = np.random.default_rng(0).integers(0, rows, count)
    return both_ways_of_indices(indices, (rows, columns))


def both_ways_of_indices(indices: np.ndarray, shape: tuple[int, ...]) -> Make:
    def make(peer: Peer) -> Step | None:
        if not peer.torch_like:
            return None
        chosen = peer.tensor(indices)
        return both_ways(lambda T, F, weight: F.embedding(chosen, weight), shape)(peer)

    return make
