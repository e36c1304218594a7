"""The version of PyTorch whose names and behaviour these are."""

from __future__ import annotations

import re

from .. import __version__ as _own

_PACKAGE = __name__.partition(".torch.")[0]


class Version(str):
    """A version that is ordered by its numbers: "2.13.0" is above "2.2" and (2, 12)."""

    def __lt__(self, other: object) -> bool:
        return _numbers(self) < _numbers(other)

    def __le__(self, other: object) -> bool:
        return _numbers(self) <= _numbers(other)

    def __gt__(self, other: object) -> bool:
        return _numbers(self) > _numbers(other)

    def __ge__(self, other: object) -> bool:
        return _numbers(self) >= _numbers(other)


def _numbers(version: object) -> tuple[int, ...]:
    parts = version if isinstance(version, tuple) else re.split(r"[^\d.]", str(version))[0].split(".")
    numbers = [int(part) for part in parts if str(part).isdecimal()]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


__version__ = Version(f"2.13.0+{_PACKAGE}.{_own}")
