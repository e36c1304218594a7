"""Checks of values in pickles, whose size and depth anyone may have chosen."""

from __future__ import annotations

from pickle import UnpicklingError
from typing import Any

_SIMPLE = (str, int, float, bool, bytes, complex, type(None))
_KEY_PARTS = 1000  # of a dict's key: hashing takes time and stack in proportion


def shown(value: object) -> str:
    """A short text for a value of a pickle, which may be large or refer to itself."""
    if isinstance(value, int) and value.bit_length() > 128:
        return f"an int of {value.bit_length()} bits"
    if isinstance(value, (str, bytes)):
        return repr(value[:120])
    return repr(value) if type(value) in _SIMPLE else f"a {type(value).__name__}"


def check_key(key: Any) -> None:
    """UnpicklingError for a key that takes much time or stack to hash."""
    if type(key) in _SIMPLE:
        return
    left, count = [key], 0
    while left:
        part = left.pop()
        if isinstance(part, (tuple, frozenset)):
            count += len(part) + 1
            if count > _KEY_PARTS:
                raise UnpicklingError(f"a dict's key or a set's element has more than {_KEY_PARTS} parts")
            left.extend(part)
