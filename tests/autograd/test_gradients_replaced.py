"""`.grad` that is replaced while a backward pass adds to it, and gradients of roots on another device."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import aten
import pytest


@pytest.mark.parametrize("value", [lambda x: None, lambda x: aten.ones_like(x), lambda x: x.detach().clone()])
@pytest.mark.parametrize("earlier", [False, True])
def test_a_hook_replaces_the_gradient(value: Callable[[Any], Any], earlier: bool) -> None:
    """A backward pass adds to the gradient that the hook has set."""
    x = aten.full((3,), 2.0).requires_grad_()
    if earlier:
        x.grad = aten.full((3,), 10.0)

    def replace(g: Any) -> None:
        x.grad = value(x)

    x.register_hook(replace)
    (x * 3).sum().backward()
    before = value(x)
    assert x.grad.tolist() == [3.0 + (0.0 if before is None else before[0].item())] * 3


def test_another_thread_replaces_the_gradient() -> None:
    """Neither reader nor writer uses a gradient that is freed."""
    x = aten.ones(64).requires_grad_()
    stop = threading.Event()

    def replace() -> None:
        while not stop.is_set():
            x.grad = None
            x.grad = aten.zeros(64)
            if x.grad is not None:
                x.grad.sum().item()

    threads = [threading.Thread(target=replace) for _ in range(2)]
    for t in threads:
        t.start()
    for _ in range(1000):
        (x * 2).sum().backward()
    stop.set()
    for t in threads:
        t.join()
    assert x.grad is None or set(x.grad.tolist()) <= {2.0 * i for i in range(1001)}


F = aten.nn.functional
OUTPUTS: dict[str, Callable[[Any], Any]] = {
    "mul": lambda x: x * 2,
    "adaptive_avg_pool2d": lambda x: F.adaptive_avg_pool2d(x, 2),
    "max_pool3d": lambda x: F.max_pool3d(x, 2),
    "max_unpool2d": lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2),
    "pdist": lambda x: F.pdist(x[0, 0]),
    "cdist": lambda x: aten.cdist(x[0], x[0]),
    "softmax": lambda x: x.softmax(-1),
    "cat": lambda x: aten.cat([x, x]),
    "conv2d": lambda x: F.conv2d(x, aten.ones(1, 3, 2, 2)),
}


@pytest.mark.parametrize("name", list(OUTPUTS))
@pytest.mark.parametrize("by_edge", [False, True])
def test_a_gradient_of_a_root_on_another_device(name: str, by_edge: bool) -> None:
    x = aten.ones(2, 3, 4, 4).requires_grad_()
    y = OUTPUTS[name](x)
    given = aten.empty(y.shape, device="meta")
    with pytest.raises(RuntimeError, match=r"Mismatch in device: .* is on meta and .* on cpu"):
        if by_edge:
            aten.autograd.backward((aten.autograd.graph.get_gradient_edge(y),), (given,))
        else:
            y.backward(given)
    with pytest.raises(RuntimeError, match="Mismatch in device"):
        aten.autograd.grad(y, x, given)
