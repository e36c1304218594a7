"""Programs whose operators PyTorch decomposes as this package does; `T` is the package."""

from __future__ import annotations

from typing import Any


def _seeded(T: Any, *shape: int) -> Any:
    count = 1
    for size in shape:
        count *= size
    return (T.arange(count, dtype=T.float32) / count).reshape(shape)


def inputs(T: Any) -> list[Any]:
    """Made before the profile begins."""
    made = [_seeded(T, 4, 6), _seeded(T, 5, 6), _seeded(T, 2, 3, 8, 8), _seeded(T, 4, 3, 3, 3)]
    return [t.detach().requires_grad_() for t in made]


def elementwise(T: Any, x: Any, w: Any, image: Any, kernel: Any) -> None:
    y = (x + 1) * x - x.exp()
    y.relu().sigmoid().clamp(0, 1)


def layer(T: Any, x: Any, w: Any, image: Any, kernel: Any) -> None:
    T.nn.functional.linear(x, w).relu()


def products(T: Any, x: Any, w: Any, image: Any, kernel: Any) -> None:
    x.mm(w.t())
    T.matmul(x, w.t()).softmax(-1)


def joined(T: Any, x: Any, w: Any, image: Any, kernel: Any) -> None:
    T.cat([x, w]).sum(0).mean()
    T.stack([x, x]).transpose(0, 1)


def convolved(T: Any, x: Any, w: Any, image: Any, kernel: Any) -> None:
    T.nn.functional.max_pool2d(T.nn.functional.conv2d(image, kernel), 2)


def in_place(T: Any, x: Any, w: Any, image: Any, kernel: Any) -> None:
    with T.no_grad():
        y = x.clone()
        y.add_(1).mul_(y)
        T.add(y, 1, out=y)


def factories(T: Any, x: Any, w: Any, image: Any, kernel: Any) -> None:
    T.zeros(3)
    T.empty(2, 2)
    T.ones_like(x)


def trained(T: Any, x: Any, w: Any, image: Any, kernel: Any) -> None:
    (T.nn.functional.linear(x, w).exp() * 2).sum().backward()


PROGRAMS = [elementwise, layer, products, joined, convolved, in_place, factories, trained]
