"""A long test in parts: parallel processes share it, and a run has as many as it has time for."""

from __future__ import annotations

from typing import Any

import pytest


def parts(count: int, short: int = 1, all_runs: int | None = None) -> list[Any]:
    """Returns the numbers of the parts for `parametrize`: the first `short` are in every run, the first
    `all_runs` (half of them, when not given) in `make test-all`, the others in `make left-out`.
    """
    most = count // 2 if all_runs is None else all_runs
    marks: list[list[Any]] = [[], [pytest.mark.slow], [pytest.mark.slow, pytest.mark.campaign]]
    return [pytest.param(i, marks=marks[(i >= short) + (i >= max(short, most))]) for i in range(count)]
