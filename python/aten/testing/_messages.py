"""Descriptions of how numbers and tensors differ."""

from __future__ import annotations

import math

from .._functions import unravel_index

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from .._C import Tensor


def _difference(kind: str, value: float, place: str, tolerance: float | None) -> str:
    allowed = "" if tolerance is None else f" (up to {tolerance} allowed)"
    return f"{kind} difference: {value}{place}{allowed}"


def _tolerances(rtol: float, atol: float) -> tuple[str, float | None, float | None]:
    """Returns what the values should be, and the tolerances to mention: none if both are 0."""
    return ("equal", None, None) if rtol == atol == 0 else ("close", rtol, atol)


def numbers(actual: complex, expected: complex, rtol: float, atol: float) -> str:
    """Describes how two numbers differ."""
    wanted, relative, absolute = _tolerances(rtol, atol)
    gap = abs(actual - expected)
    ratio = math.inf if expected == 0 else gap / abs(expected)
    return "\n".join(
        [
            f"Scalars are not {wanted}!\n",
            f"Expected {expected} but got {actual}.",
            _difference("Absolute", gap, "", absolute),
            _difference("Relative", ratio, "", relative),
        ]
    )


def _greatest(kind: str, values: Tensor, tolerance: float | None) -> str:
    value, index = values.flatten().max(0)
    place = tuple(int(i) for i in unravel_index(index, values.shape))
    return _difference(f"Greatest {kind}", value.item(), f" at index {place}", tolerance)


def tensors(actual: Tensor, expected: Tensor, matches: Tensor, rtol: float, atol: float) -> str:
    """Describes how two tensors differ where `matches` is False."""
    wanted, relative, absolute = _tolerances(rtol, atol)
    if not actual.is_floating_point() and not actual.is_complex():
        actual, expected = actual.long(), expected.long()
    gaps = (actual - expected).abs().masked_fill(matches, 0)
    ratios = (gaps / expected.abs()).masked_fill(matches, 0)
    count, total = int((~matches).sum()), matches.numel()
    return "\n".join(
        [
            f"Tensor-likes are not {wanted}!\n",
            f"Mismatched elements: {count} / {total} ({count / total:.1%})",
            _greatest("absolute", gaps, absolute),
            _greatest("relative", ratios, relative),
        ]
    )
