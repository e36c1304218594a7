"""The files generated from the twelve operators of native_functions.yaml equal the expected ones.

After a wanted change: `python tests/golden/golden.py`, and read the difference.
"""

from __future__ import annotations

import difflib

import golden


def test_generation_is_the_golden_one():
    found, wanted = golden.generated(), golden.expected()
    assert sorted(found) == sorted(wanted)
    for path in sorted(found):
        if found[path] != wanted[path]:
            old, new = (text[path].decode().splitlines() for text in (wanted, found))
            raise AssertionError("\n".join([path, *difflib.unified_diff(old, new, "expected", "found", n=2)]))
