"""Calls of core overloads that no sample of PyTorch's database reaches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from recorded import Recorded

FLOATING = (torch.float32, torch.float64, torch.bfloat16)
INTEGERS = (torch.bool, torch.int64)
Given = Iterator[tuple[Any, ...]]


def numbers(dtype: torch.dtype, *shape: int) -> torch.Tensor:
    """Returns reproducible values around zero."""
    stream = torch.Generator().manual_seed(sum(shape) + 1)
    if dtype in INTEGERS:
        return torch.randint(-5, 6, shape, generator=stream).to(dtype)
    return (torch.rand(shape, dtype=dtype, generator=stream) - 0.5) * 6


def layouts(t: torch.Tensor) -> Iterator[torch.Tensor]:
    """Yields the same values: contiguous, and with the dimensions in another order in memory."""
    yield t
    if t.dim() > 1:
        yield t.transpose(0, -1).contiguous().transpose(0, -1)
    if t.dim() == 4:
        yield t.contiguous(memory_format=torch.channels_last)


def shapes(dtype: torch.dtype, *sizes: tuple[int, ...]) -> Iterator[torch.Tensor]:
    for size in sizes:
        yield from layouts(numbers(dtype, *size))


def scalars(dtype: torch.dtype) -> Given:
    for t in shapes(dtype, (), (0,), (7,), (3, 5)):
        yield t, 3
        yield t, True


def remainders(dtype: torch.dtype) -> Given:
    for t in shapes(dtype, (), (7,), (3, 5)):
        for divisor in (3, -2, 2.5):
            yield t, divisor


def rounded_quotients(dtype: torch.dtype) -> Given:
    for t in shapes(dtype, (), (7,), (3, 5)):
        for mode in (None, "trunc", "floor"):
            for divisor in (3, -2, 2.5):
                yield t, divisor, {"rounding_mode": mode}


def batch_norms(dtype: torch.dtype) -> Given:
    for t in shapes(dtype, (2, 3), (4, 3, 5), (2, 3, 4, 5), (2, 3, 2, 3, 2), (1, 3, 0, 2)):
        weight, bias = numbers(dtype, 3), numbers(dtype, 1, 3)[0]
        mean, variance = numbers(dtype, 3) / 2, numbers(dtype, 3).abs() + 0.5
        yield t, weight, bias, mean, variance, 0.1, 1e-5
        yield t, None, None, mean, variance, 0.1, 1e-3


def average_pools(dtype: torch.dtype) -> Given:
    for t in shapes(dtype, (3, 9), (2, 3, 9)):
        yield t, [3]
        yield t, [3], [2], [1]
        yield t, [2], [2], [1], True, False


def adaptive_pools(dtype: torch.dtype) -> Given:
    for t in shapes(dtype, (3, 9), (2, 3, 9)):
        for size in (1, 4, 9):
            yield t, [size]


def upsampled(dtype: torch.dtype) -> Given:
    for t in shapes(dtype, (1, 2, 3, 4), (2, 3, 5, 5)):
        yield t, [6, 7], None
        yield t, None, [2.0, 1.5]


def upsampled_linearly(dtype: torch.dtype) -> Given:
    for t, size, factors in upsampled(dtype):
        for corners in (True, False):
            yield t, size, corners, factors


def variances(dtype: torch.dtype) -> Given:
    for t in shapes(dtype, (5,), (3, 5), (2, 3, 4)):
        for unbiased in (True, False):
            yield t, [0], unbiased
            yield t, [-1], unbiased, True
            yield t, None, unbiased


def copies(dtype: torch.dtype) -> Given:
    for t in shapes(dtype, (), (3, 5), (2, 3, 4, 5)):
        yield t, numbers(torch.float64, *t.shape)
        yield t, numbers(torch.int64, *t.shape[-1:])


def dropped(dtype: torch.dtype) -> Given:
    for t in shapes(dtype, (), (0,), (3, 5)):
        for p in (0.0, 0.4, 1.0):
            yield t, p, True
        yield t, 0.4, False


def permutations(dtype: torch.dtype) -> Given:
    for n in (0, 1, 17):
        yield n, {"dtype": torch.int64}
        yield n, {"dtype": dtype}


def whole(dtype: torch.dtype) -> Given:
    for t in shapes(dtype, (), (0, 3), (3, 5), (2, 3, 4, 5)):
        yield (t,)
        yield (t[..., 1:] if t.dim() else t,)


def dims(dtype: torch.dtype) -> Given:
    for (t,) in whole(dtype):
        for dim in range(-t.dim(), t.dim()):
            yield t, dim


REAL = (*FLOATING, torch.int64, torch.bool)
ALL = (*REAL, torch.complex64)
CALLS: dict[str, tuple[Any, tuple[torch.dtype, ...]]] = {
    **{f"bitwise_{op}.Scalar": (scalars, INTEGERS) for op in ("and", "or", "xor")},
    "fmod.Scalar": (remainders, (*FLOATING, torch.int64)),
    "div.Scalar_mode": (rounded_quotients, (*FLOATING, torch.int64)),
    "_native_batch_norm_legit_no_training": (batch_norms, FLOATING),
    "avg_pool1d": (average_pools, FLOATING),
    "adaptive_avg_pool1d": (adaptive_pools, FLOATING),
    "upsample_nearest2d.vec": (upsampled, FLOATING),
    "upsample_bilinear2d.vec": (upsampled_linearly, FLOATING),
    "var.dim": (variances, (*FLOATING, torch.complex64)),
    "copy": (copies, ALL),
    "native_dropout": (dropped, FLOATING),
    "randperm": (permutations, (torch.int64, torch.float32)),
    **{f"sym_{what}": (whole, ALL) for what in ("numel", "storage_offset", "is_contiguous")},
    **{f"sym_{what}.int": (dims, ALL) for what in ("size", "stride")},
}


def direct_calls(name: str, dtype: torch.dtype) -> Iterator[Recorded]:
    make, dtypes = CALLS[name]
    packet, _, overload = name.partition(".")
    func = getattr(getattr(torch.ops.aten, packet), overload or "default")
    for given in make(dtype) if dtype in dtypes else ():
        kwargs = given[-1] if isinstance(given[-1], dict) else {}
        yield Recorded(func, given[: len(given) - bool(kwargs)], kwargs)
