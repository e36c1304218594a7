"""The versions that a library may have: those that wheels, CMake and `opgen breaking --check-bump` read
alike.
"""

from __future__ import annotations

import re

_NUMBERS = r"(?:0|[1-9]\d{0,8})"
_VERSION = re.compile(
    rf"{_NUMBERS}(?:\.{_NUMBERS}){{0,2}}"
    rf"(?:(?:a|b|rc){_NUMBERS})?(?:\.post{_NUMBERS})?(?:\.dev{_NUMBERS})?(?:\+[a-z0-9]+(?:\.[a-z0-9]+)*)?\Z",
    re.ASCII,
)


def fault(version: str) -> str | None:
    """Returns what is wrong with `version`; None if nothing is."""
    if _VERSION.match(version):
        return None
    return "expected up to three numbers and what Python adds to them, such as 1.4.0, 1.4.0rc1 or 1.4.0+cu12"
