"""assert_close: what it accepts, and the texts of its errors, compared with PyTorch's."""

from __future__ import annotations

import math
import types
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import aten
import numpy as np
import pytest
from aten.testing import assert_close

# Programs that make the arguments from the package: (actual, expected) or (actual, expected, options).
CASES: dict[str, Callable[[types.ModuleType], tuple[Any, ...]]] = {
    "equal": lambda p: (p.arange(3.0), p.arange(3.0)),
    "close": lambda p: (p.ones(3), p.ones(3) + 1e-6),
    "two differ": lambda p: (p.tensor([1.0, 2.0, 3.0]), p.tensor([1.0, 2.5, 4.0])),
    "a matrix": lambda p: (p.ones(2, 3), p.ones(2, 3) - p.eye(3)[:2]),
    "integers": lambda p: (p.tensor([1, 2, 9]), p.tensor([1, 3, 0])),
    "booleans in tensors": lambda p: (p.tensor([True, False]), p.tensor([True, True])),
    "unsigned": lambda p: (p.tensor([1], dtype=p.uint8), p.tensor([255], dtype=p.uint8)),
    "complex tensors": lambda p: (p.tensor([1 + 1j, 2j]), p.tensor([1 + 1j, 2.5j])),
    "of no dimension": lambda p: (p.tensor(1.5), p.tensor(2.5)),
    "empty": lambda p: (p.zeros(0, 2), p.zeros(0, 2)),
    "infinities": lambda p: (p.tensor([math.inf, -math.inf]), p.tensor([math.inf, -math.inf])),
    "an infinity": lambda p: (p.tensor([math.inf, 1.0]), p.tensor([-math.inf, 1.0])),
    "nan": lambda p: (p.tensor([math.nan, 1.0]), p.tensor([math.nan, 1.0])),
    "equal nan": lambda p: (p.tensor([math.nan]), p.tensor([math.nan]), {"equal_nan": True}),
    "tolerances": lambda p: (p.ones(2), p.tensor([1.5, 1.0]), {"rtol": 0.1, "atol": 0.2}),
    "within tolerances": lambda p: (p.ones(2), p.tensor([1.5, 1.0]), {"rtol": 0.0, "atol": 0.6}),
    "no tolerance": lambda p: (p.ones(2), p.tensor([1.5, 1.0]), {"rtol": 0, "atol": 0}),
    "one tolerance": lambda p: (p.ones(2), p.ones(2), {"rtol": 0.1}),
    "the other tolerance": lambda p: ([1.0], [1.0], {"atol": 0.1}),
    "shapes": lambda p: (p.ones(2), p.ones(2, 1)),
    "dtypes": lambda p: (p.ones(2), p.ones(2).double()),
    "dtypes unchecked": lambda p: (p.ones(2), p.ones(2).double(), {"check_dtype": False}),
    "dtypes unchecked, different": lambda p: (p.ones(2), p.ones(2).half() / 3, {"check_dtype": False}),
    "unsigned dtypes": lambda p: (
        p.tensor([1, 2], dtype=p.uint16),
        p.tensor([1, 3], dtype=p.int32),
        {"check_dtype": False},
    ),
    "strides": lambda p: (p.ones(2, 3), p.ones(3, 2).t(), {"check_stride": True}),
    "strides unchecked": lambda p: (p.ones(2, 3), p.ones(3, 2).t()),
    "devices": lambda p: (p.ones(2), p.ones(2, device="meta")),
    "meta": lambda p: (p.ones(2, device="meta"), p.zeros(2), {"check_device": False}),
    "meta shapes": lambda p: (p.ones(2, device="meta"), p.zeros(3, device="meta")),
    "numbers": lambda p: (1.0, 1.0 + 1e-8),
    "numbers differ": lambda p: (1.0, 1.5),
    "integers differ": lambda p: (3, 4),
    "expected 0": lambda p: (1.0, 0.0),
    "complex numbers": lambda p: (1 + 1j, 1 - 1j),
    "infinite numbers": lambda p: (math.inf, 1.0),
    "nan numbers": lambda p: (math.nan, math.nan),
    "equal nan numbers": lambda p: (math.nan, math.nan, {"equal_nan": True}),
    "types of numbers": lambda p: (1, 1.0),
    "types of numbers unchecked": lambda p: (1, 1.0, {"check_dtype": False}),
    "booleans": lambda p: (True, False),
    "none": lambda p: (None, None),
    "one none": lambda p: (None, 1),
    "numpy's numbers": lambda p: (np.float64(1.0), 2.0),
    "numpy's boolean": lambda p: (np.bool_(True), True),
    "numpy's arrays": lambda p: (np.ones(2), np.ones(2) * 2),
    "sequences": lambda p: ([p.ones(2), 1.0], (p.ones(2), 1.0)),
    "in a sequence": lambda p: ([1.0, [2.0, p.ones(2)]], [1.0, [2.0, p.zeros(2)]]),
    "lengths": lambda p: ([1, [2, 3]], [1, [2]]),
    "mappings": lambda p: ({"a": 1, "b": 2}, OrderedDict(b=2, a=1)),
    "in a mapping": lambda p: ({"b": [1, 2], "a": 1}, {"a": 1, "b": [1, 3]}),
    "keys": lambda p: ({"a": 1, "c": 3}, {"a": 1, "b": 2}),
    "unrelated types": lambda p: (p.ones(2), [1.0, 1.0]),
    "unrelated in a sequence": lambda p: ([p.ones(2)], [1.0]),
    "strings": lambda p: ("a", "a"),
    "subclasses": lambda p: (p.nn.Parameter(p.ones(2)), p.ones(2)),
    "subclasses refused": lambda p: (p.nn.Parameter(p.ones(2)), p.ones(2), {"allow_subclasses": False}),
    "a message": lambda p: (1.0, 2.0, {"msg": "they differ"}),
    "a message by a function": lambda p: ([1.0], [2.0], {"msg": lambda text: f"<{text}>"}),
    "no message for structures": lambda p: ([1.0], [], {"msg": "they differ"}),
}


def outcome(package: types.ModuleType, case: str) -> str:
    actual, expected, *options = CASES[case](package)
    try:
        package.testing.assert_close(actual, expected, **(options[0] if options else {}))
    except Exception as error:
        return f"{type(error).__name__}: {error}".replace("torch.", "aten.")
    return "close"


@pytest.mark.parametrize("case", CASES)
def test_as_in_pytorch(case: str) -> None:
    torch = pytest.importorskip("torch")
    assert outcome(aten, case) == outcome(torch, case)


@pytest.mark.parametrize(
    ("dtype", "rtol", "atol"),
    [
        (aten.float16, 1e-3, 1e-5),
        (aten.bfloat16, 1.6e-2, 1e-5),
        (aten.float32, 1.3e-6, 1e-5),
        (aten.float64, 1e-7, 1e-7),
        (aten.complex64, 1.3e-6, 1e-5),
        (aten.complex128, 1e-7, 1e-7),
        (aten.int64, 0.0, 0.0),
    ],
    ids=str,
)
def test_default_tolerances(dtype: aten.dtype, rtol: float, atol: float) -> None:
    text = rf"up to {atol} allowed(.|\n)*up to {rtol} allowed" if rtol else "not equal"
    with pytest.raises(AssertionError, match=text):
        assert_close(aten.ones(2, dtype=dtype), aten.full((2,), 3, dtype=dtype))


def test_the_larger_default_tolerance_counts() -> None:
    wide, narrow = aten.tensor([64.5], dtype=aten.float64), aten.tensor([64.0], dtype=aten.bfloat16)
    assert_close(wide, narrow, check_dtype=False)
    with pytest.raises(AssertionError, match=r"up to 0\.016 allowed"):
        assert_close(wide + 1, narrow, check_dtype=False)


def test_a_boolean_is_no_integer() -> None:
    with pytest.raises(AssertionError, match=r"\(d\)types do not match: <class 'bool'> != <class 'int'>"):
        assert_close(True, 1)


def test_all_structures_are_compared_first() -> None:
    with pytest.raises(AssertionError, match="length of the sequences"):
        assert_close([1.0, [1]], [2.0, []])
