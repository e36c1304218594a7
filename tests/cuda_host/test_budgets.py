"""Calls on CUDA keep to their budgets of launches, sectors and passes; what has become better lowers them."""

from __future__ import annotations

import budgets
import pytest
import traffic
from budgets import Limit, Row
from device_programs import needs_device


def launches(count: int, units: int) -> traffic.Traffic:
    """Of so many launches, and so many sectors where 100 do."""
    line = traffic.Line("global", "kernel", "cuda/Some.cuh:1", "-", 25, units, 100, 3200)
    return traffic.Traffic(
        (line, traffic.Line("launch", "kernel", "cuda/Some.cuh:1", "-", count, 0, 0, 0)),
    )


@needs_device
def test_calls_keep_to_their_budgets() -> None:
    rows, found = budgets.read(), budgets.measure()
    assert rows.keys() == found.keys(), "budgets.txt and budget_cases.py have different calls"
    faults = [f"{name}: {fault}" for name, row in rows.items() for fault in row.faults(found[name])]
    assert not faults, "\n".join(["python tests/cuda_host/budgets.py --write changes budgets", *faults])


@pytest.mark.parametrize(
    ("count", "units", "fault"),
    [
        (2, 150, ""),
        (3, 150, "launches is 3, more than its budget of 2"),
        (1, 150, "launches is 1, its budget is 2: lower it"),
        (2, 151, "sectors is 1.51, more than its budget of 1.5"),
        (2, 137, ""),
        (2, 136, "sectors is 1.36, its budget is 1.5: lower it"),
    ],
)
def test_what_breaks_a_budget(count: int, units: int, fault: str) -> None:
    row = Row(Limit(2, 1), Limit(0, 0), Limit(4, 1), Limit(1.5, 1.5), Limit(None, None))
    assert [text.splitlines()[0] for text in row.faults(launches(count, units))] == ([fault] if fault else [])


def test_a_count_that_comes_or_goes_breaks_a_budget() -> None:
    none, one = Limit(None, None), Limit(1, 1)
    [came] = Row(one, Limit(0, 0), Limit(4, 1), none, none).faults(launches(1, 100))
    assert came.startswith("sectors is counted for the first time")
    [went] = Row(one, Limit(0, 0), Limit(4, 1), one, one).faults(launches(1, 100))
    assert went.startswith("passes is not counted any more")
