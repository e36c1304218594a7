"""Every operator overload is called by a test, or is listed here with the reason."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import hostile
from calls import forms_of
from samples import ROWS

HERE = Path(__file__).parent
# Overload: why no test calls it. The list should stay empty.
UNCALLED: dict[str, str] = {}


@functools.cache
def called_by_samples() -> set[str]:
    found: set[str] = set()
    for row in ROWS:
        for dtype in {row.dtypes[0], row.dtypes[-1], "float32" if "float32" in row.dtypes else row.dtypes[0]}:
            for call in row.calls(dtype):
                found.update(form.name for form in forms_of(row.name, call))
    return found


def called_by_text() -> set[str]:
    """Returns the overloads that a test names: ops.aten.<operator>.<overload>(...), or without aten."""
    text = "".join(p.read_text() for p in HERE.rglob("test_*.py") if p.name != Path(__file__).name)
    named = {f"{op}.{overload}" for op, overload in re.findall(r"\bops\.(?:aten\.)?(\w+)\.(\w+)\(", text)}
    return {n.removesuffix(".default") for n in named}


def test_every_overload_is_called() -> None:
    names = set(hostile.overloads())
    missing = sorted(names - called_by_samples() - called_by_text() - set(UNCALLED))
    assert not missing, f"{len(missing)} of {len(names)} overloads are called by no test: {' '.join(missing)}"


def test_the_list_is_true() -> None:
    """Listed overloads exist and no test calls them."""
    names = set(hostile.overloads())
    stale = sorted(n for n in UNCALLED if n not in names or n in called_by_samples() | called_by_text())
    assert not stale, f"remove from the list: {' '.join(stale)}"
