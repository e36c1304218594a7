"""Modules of the tests have names of their own: pytest imports them by name alone, from whatever folder."""

from __future__ import annotations

from collections import Counter

from house import files, name


def test_no_two_modules_have_one_name() -> None:
    found = [f for f in files("tests", ".py") if "expected" not in f.parts and f.name != "conftest.py"]
    counts = Counter(f.name for f in found)
    assert len(found) > 100
    assert [name(f) for f in found if counts[f.name] > 1] == []
