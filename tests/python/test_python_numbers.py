"""Tensors of one element as Python numbers, in every dtype: what int(), float(), complex(), bool() and
index() make of them is what they make of the element.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import aten
import pytest

INTEGERS = {"bool": True, "uint8": 200, "int8": -3, "int16": -300, "int32": -70_000, "int64": -(2**40)}
INTEGERS |= {"uint16": 60_000, "uint32": 2**32 - 1, "uint64": 2**40}
FLOATS = dict.fromkeys(("float16", "bfloat16", "float32", "float64"), -2.5)
COMPLEX = dict.fromkeys(("complex64", "complex128"), 1.5 + 2j)
FUNCTIONS = [int, float, complex, bool, operator.index]
NUMBERS = {**INTEGERS, **FLOATS, **COMPLEX}


def outcome(function: Callable[[Any], Any], value: Any) -> Any:
    """Returns the result with its type. Where Python raises TypeError for complex numbers, PyTorch and this
    library raise RuntimeError.
    """
    try:
        result = function(value)
    except (TypeError, RuntimeError):
        return "an error"
    return type(result), result


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shape", [(), (1,), (1, 1)], ids=str)
def test_is_what_python_makes_of_the_element(
    dtype: str, function: Callable[[Any], Any], shape: tuple[int, ...]
) -> None:
    number = NUMBERS[dtype]
    x = aten.tensor(number, dtype=getattr(aten, dtype)).reshape(shape)
    assert outcome(function, x) == outcome(function, number)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("count", [0, 2])
def test_several_elements_and_none_are_no_number(function: Callable[[Any], Any], count: int) -> None:
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        function(aten.ones(count, dtype=aten.int64))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_are_places_in_lists(dtype: str) -> None:
    one = aten.ones((), dtype=getattr(aten, dtype))
    assert "abc"[one] == "b" and list(range(one)) == [0] and [7] * one == [7]
