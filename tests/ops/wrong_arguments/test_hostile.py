"""Random arguments give a result or a Python exception that names the operator; no crash, no hang.

`make fuzz` makes hundreds of calls of each overload.
"""

from __future__ import annotations

import hostile
import pytest

NAMES = hostile.overloads()
GROUPS = [NAMES[i : i + 24] for i in range(0, len(NAMES), 24)]


@pytest.mark.parametrize("names", GROUPS, ids=lambda names: f"{names[0]}..{names[-1]}")
def test_hostile_calls(names: list[str]) -> None:
    problems = hostile.in_child([(n, seed) for n in names for seed in range(12)], hostile.make_call)
    assert not problems, "\n".join(problems)


@pytest.mark.slow
@pytest.mark.parametrize("names", GROUPS, ids=lambda names: f"{names[0]}..{names[-1]}")
def test_many_hostile_calls(names: list[str]) -> None:
    problems = hostile.in_child([(n, seed) for n in names for seed in range(12, 60)], hostile.make_call)
    assert not problems, "\n".join(problems)
