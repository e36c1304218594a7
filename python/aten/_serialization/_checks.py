"""Checks of values in pickles, whose size and depth anyone may have chosen."""

from __future__ import annotations

import sys
from pickle import UnpicklingError
from typing import Any

_SIMPLE = (str, int, float, bool, bytes, complex, type(None))
_KEY_PARTS = 1000  # of a dict's key: hashing takes time and stack in proportion
_SAME_HASH = 64  # different keys: a dict compares each with all of them


def shown(value: object) -> str:
    """A short text for a value of a pickle, which may be large or refer to itself."""
    if isinstance(value, int) and value.bit_length() > 128:
        return f"an int of {value.bit_length()} bits"
    if isinstance(value, (str, bytes)):
        return repr(value[:120])
    return repr(value) if type(value) in _SIMPLE else f"a {type(value).__name__}"


class Keys:
    """The keys of all dicts of a pickle, and the elements of its sets."""

    def __init__(self) -> None:
        self._by_hash: dict[int, list[Any]] = {}

    def check(self, key: Any) -> None:
        """UnpicklingError for a key that takes much time or stack to hash, or one of many with the same hash.
        Those of texts and bytes are different in each process; small integers have their own, and only
        dozens of floats share one.
        """
        if type(key) is int and abs(key) < sys.hash_info.modulus:
            return
        if type(key) not in (int, complex, tuple, frozenset):
            return
        _check_parts(key)
        same = self._by_hash.setdefault(hash(key), [])
        if key not in same:
            same.append(key)
        if len(same) > _SAME_HASH:
            raise UnpicklingError(f"more than {_SAME_HASH} keys of dicts or elements of sets have one hash")


def _check_parts(key: Any) -> None:
    left, count = [key], 0
    while left:
        part = left.pop()
        if isinstance(part, (tuple, frozenset)):
            count += len(part) + 1
            if count > _KEY_PARTS:
                raise UnpicklingError(f"a dict's key or a set's element has more than {_KEY_PARTS} parts")
            left.extend(part)
