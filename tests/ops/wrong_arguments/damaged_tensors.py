"""Replacements for a tensor argument of a call."""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import aten
import numpy as np
from calls import on_meta
from damaged_values import Bounds
from hostile_arguments import DTYPES
from tensors import FLOATS, INTEGERS, LAYOUTS, Operand, dtype_of, same_strides

COUNTS = (2**24, 2**31, 2**48, 2**62)  # elements of expanded tensors


@dataclass(frozen=True)
class Other:
    """A replacement for a tensor, made anew for each call; shared ones are kept in a dict."""

    text: str
    make: Callable[[dict[str, Any]], Any]


def on(o: Operand, change: Callable[[Any], Any], text: str) -> Other:
    return Other(text, lambda _: change(o.tensor()))


def tensors(o: Operand, bounds: Bounds) -> Iterator[tuple[str, Any]]:
    """Yields the kind of damage, and the tensor."""
    yield from (("type", other) for other in (None, 1, 1.5, "text", [], object()))
    for dtype in DTYPES:
        if dtype != o.dtype:
            yield "dtype", on(o, lambda t, d=dtype: t.to(dtype_of(d)), f"as {dtype}")
    yield from (("shape", other) for other in shapes(o))
    yield from (("layout", other) for other in layouts(o))
    yield from (("state", other) for other in states(o))
    yield from (("element", other) for other in elements(o, bounds))


def shapes(o: Operand) -> Iterator[Other]:
    """Yields shapes with a dimension more or less, a longer, shorter or empty one, two exchanged."""
    rank = o.stored.ndim
    yield on(o, lambda t: t.unsqueeze(0), "unsqueezed at 0")
    yield on(o, lambda t: t.unsqueeze(-1), "unsqueezed at -1")
    yield on(o, lambda t: t.reshape((1,) * (64 - rank) + tuple(t.shape)), "with 64 dimensions")
    yield on(o, lambda t: t.reshape(-1), "flattened")
    if o.stored.size:
        yield on(o, lambda t: t.reshape(-1)[0].clone(), "its first element")
    if rank > 1:
        yield on(o, lambda t: t.transpose(0, -1), "transposed")
    for d in range(rank):
        size = o.stored.shape[d]
        if size:
            yield on(o, lambda t, d=d: t.select(d, 0), f"without dimension {d}")
        for n in sorted({0, 1, size - 1} & set(range(size))):
            yield on(o, lambda t, d=d, n=n: t.narrow(d, 0, n), f"{n} long at {d}")
        yield on(o, lambda t, d=d: t.new_zeros(longer(t, d)), f"one longer at {d}")


def longer(t: Any, dim: int) -> list[int]:
    return [n + (d == dim) for d, n in enumerate(t.shape)]


def layouts(o: Operand) -> Iterator[Other]:
    """Yields the same shape and elements with other strides or addresses."""
    for name, change in LAYOUTS.items():
        if name != "contiguous":
            yield Other(name, lambda _, c=change: Operand(c(np.array(o.stored)), o.dtype).tensor())
    if o.stored.ndim:
        yield on(o, lambda t: t.flip(0).as_strided(t.shape, (1,) * t.dim()), "overlapping itself")


def states(o: Operand) -> Iterator[Other]:
    """Yields tensors in states that forbid writing, or that autograd records."""
    yield Other("in read-only memory", lambda _: read_only(o))
    if o.dtype in FLOATS or o.dtype.startswith("complex"):
        yield on(o, lambda t: t.requires_grad_(), "a leaf that requires grad")
        yield on(o, lambda t: t.requires_grad_() * 1, "with a history")
    yield Other("of inference mode", lambda _: in_inference_mode(o))
    yield on(o, lambda t: t.detach(), "detached")


def read_only(o: Operand) -> Any:
    """Returns a tensor in memory pages that cannot be written: writing crashes."""
    stored = np.ascontiguousarray(o.stored)
    with tempfile.TemporaryFile() as file:
        file.write(stored.tobytes() or b"\0")
        file.flush()
        pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    t = aten.from_numpy(np.frombuffer(pages, stored.dtype, stored.size).reshape(o.stored.shape))
    return t.view(aten.bfloat16) if o.dtype == "bfloat16" else t


def in_inference_mode(o: Operand) -> Any:
    with aten.inference_mode():
        return o.tensor() * 1 if o.dtype != "bool" else o.tensor().clone()


def elements(o: Operand, bounds: Bounds) -> Iterator[Other]:
    """Yields tensors with the first, the last or all elements replaced."""
    if o.dtype in INTEGERS:
        info = np.iinfo(o.stored.dtype)
        given = (*bounds.numbers, 2**31, 2**40, 2**62, info.max, info.min)
        made: tuple[Any, ...] = tuple(n for n in dict.fromkeys(given) if info.min <= n <= info.max)
    elif o.dtype in FLOATS and o.dtype != "bfloat16":
        made = (float("nan"), float("inf"), float("-inf"), -1.0, 0.0, 1e30 if o.dtype != "float16" else 6e4)
    else:
        return
    for value in made:
        for at in (0, -1):
            yield Other(f"{value} at {at}", lambda _, v=value, at=at: with_element(o, at, v))
        yield Other(f"all {value}", lambda _, v=value: with_element(o, slice(None), v))


def with_element(o: Operand, at: Any, value: Any) -> Any:
    stored = same_strides(o.stored)
    if stored.size:
        stored[np.unravel_index(at % stored.size, stored.shape) if isinstance(at, int) else ...] = value
    return aten.from_numpy(stored)


def expanded(o: Operand, device: str) -> Iterator[Other]:
    """Yields tensors with more elements than memory, expanded from one element or from one of each other
    dimension.
    """
    for d in sorted({0, o.stored.ndim - 1}) if o.stored.size and o.stored.ndim else ():
        for count in COUNTS:
            rest = max(1, o.stored.size // max(1, o.stored.shape[d]))
            shape = [*o.stored.shape[:d], max(1, count // rest), *o.stored.shape[d + 1 :]]

            def make(_: Any, d: int = d, shape: list[int] = shape) -> Any:
                t = on_meta(o) if device == "meta" else o.tensor()
                return t.narrow(d, 0, 1).expand(shape)

            yield Other(f"expanded to {shape}", make)


def sharing(first: Operand, second: Operand) -> Iterator[tuple[Other, Other]]:
    """Yields the same tensor twice; two views of the same memory, of all of it or one element apart."""
    if first.dtype != second.dtype:
        return

    def of_base(o: Operand, offset: int) -> Callable[[dict[str, Any]], Any]:
        def make(shared: dict[str, Any]) -> Any:
            if "base" not in shared:
                longest = max(first.stored.size, second.stored.size) + 1
                values = np.resize(first.values.reshape(-1), longest)
                shared["base"] = aten.from_numpy(np.array(values)).to(dtype_of(o.dtype))
            return shared["base"][offset : offset + o.stored.size].view(o.stored.shape)

        return make

    def whole(shared: dict[str, Any]) -> Any:
        if "tensor" not in shared:
            shared["tensor"] = second.tensor()
        return shared["tensor"]

    yield Other("the same tensor", whole), Other("the same tensor", whole)
    for a, b in ((0, 0), (0, 1), (1, 0)):
        yield Other(f"memory from {a}", of_base(first, a)), Other(f"memory from {b}", of_base(second, b))
