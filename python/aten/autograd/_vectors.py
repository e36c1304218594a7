"""Tensors as vectors of real components; a complex element has two components."""

from __future__ import annotations

import aten

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    Vector = list[float]


def as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def is_tensor(value: Any) -> bool:
    return isinstance(value, aten.Tensor)


def is_floating(value: Any) -> bool:
    return is_tensor(value) and bool(value.is_floating_point() or value.is_complex())


def differentiable(outputs: Any) -> list[Any]:
    return [o for o in as_tuple(outputs) if is_tensor(o) and o.requires_grad]


def components(t: Any) -> Vector:
    values = t.detach().reshape(-1).tolist()
    return [part for z in values for part in (z.real, z.imag)] if t.is_complex() else values


def dot(a: Vector, b: Vector) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True) if y)


def units(like: Any) -> Iterator[Any]:
    for k in range(like.numel()):
        for one in (1.0, 1j) if like.is_complex() else (1.0,):
            unit = aten.zeros(like.numel(), dtype=like.dtype)
            unit[k] = one
            yield unit.reshape(like.shape)


def random(like: Any, seed: int) -> Any:
    """Normally distributed values from a seed, so that failures are reproducible."""
    import random

    draw = random.Random(seed).gauss
    values: Sequence[complex] = [draw(0, 1) for _ in range(like.numel())]
    if like.is_complex():
        values = [complex(v, draw(0, 1)) for v in values]
    return aten.tensor(values, dtype=like.dtype).reshape(like.shape)


def scaled(t: Any) -> Any:
    """The vector, normalised."""
    return t * (1 / max(sum(c * c for c in components(t)) ** 0.5, 1e-300))


def apart(t: Any) -> Any:
    """The same values in a non-contiguous tensor."""
    return aten.stack([t, t], -1).detach().select(-1, 0)


def undefined(output: Any) -> Any:
    """The output itself; its gradient isn't propagated further."""

    class Undefined(aten.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.view_as(x)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> None:
            return None

    return Undefined.apply(output)
