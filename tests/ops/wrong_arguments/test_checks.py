"""Calls that break one condition of schemas/checks.yaml raise, those at its limit pass."""

from __future__ import annotations

from collections.abc import Iterator

import borders
import damaged
import pytest
from opgen.model.checks import MAY_BE, Check
from valid_calls import valid_calls

CHECKED = {n: [c for c in cs if c.relation != MAY_BE] for n, cs in borders.checks().items()}
NAMES = sorted(n for n, cs in CHECKED.items() if cs)
pytestmark = pytest.mark.slow
# Calls that do nothing, and check nothing, as in PyTorch.
DOES_NOTHING = {"diff": {"n": 0}, "diff.out": {"n": 0}}


def bases(name: str) -> Iterator[damaged.Base]:
    for base in filter(damaged.accepted, map(damaged.completed, valid_calls()[name])):
        idle = DOES_NOTHING.get(name)
        if idle is None or any(base.given[k] != v for k, v in idle.items()):
            yield base


def types(base: damaged.Base) -> dict[str, str]:
    return {s.path[0]: s.type for s in base.sites if s.path[1] is None}


def outcome(base: damaged.Base, check: Check, value: object) -> Exception | None:
    meta = damaged.undamaged(base).meta
    try:
        base.attempt(damaged.Damage("declared", {(check.argument, None): value}, meta)).call()
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize("name", NAMES)
def test_a_call_that_breaks_a_condition_raises(name: str) -> None:
    tried = {str(c): 0 for c in CHECKED[name]}
    wrong = []
    for base in bases(name):
        for check in CHECKED[name]:
            for value in borders.violations(check, base.given, types(base)):
                tried[str(check)] += 1
                error = outcome(base, check, value)
                told = f"{check} with {check.argument}={value}: {type(error).__name__}: {error}"
                if not isinstance(error, (RuntimeError, IndexError)) or "INTERNAL" in str(error):
                    wrong.append(told)
    assert not wrong, "\n".join(wrong)
    assert all(tried.values()), [c for c, n in tried.items() if not n]


@pytest.mark.parametrize("name", NAMES)
def test_a_call_at_the_border_of_a_condition_passes_it(name: str) -> None:
    for base in bases(name):
        for check in CHECKED[name]:
            for value in borders.just_held(check, base.given, types(base)):
                assert f"expected {check}" not in str(outcome(base, check, value)), value
