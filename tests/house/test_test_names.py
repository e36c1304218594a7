"""Test modules have unique names, since pytest imports them by name, regardless of the folder. No folder of
tests has a name that pytest skips, such as `build`.
"""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatch

import pytest
from house import ROOT, files, name

# pytest imports neither by its name alone.
KEPT = ("conftest.py", "__init__.py")


def test_no_two_modules_have_one_name() -> None:
    found = [f for f in files("tests", ".py") if "expected" not in f.parts and f.name not in KEPT]
    counts = Counter(f.name for f in found)
    assert len(found) > 100
    assert [name(f) for f in found if counts[f.name] > 1] == []


def test_pytest_looks_into_the_folders(pytestconfig: pytest.Config) -> None:
    passed_over = pytestconfig.getini("norecursedirs")
    assert "build" in passed_over
    folders = {f.parent.relative_to(ROOT) for f in files("tests", ".py") if f.name.startswith("test_")}
    assert len(folders) > 20
    found = [f for f in folders if any(fnmatch(part, each) for part in f.parts for each in passed_over)]
    assert found == []
