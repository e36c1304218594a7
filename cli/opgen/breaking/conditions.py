"""Implication between conditions: whether values that satisfy some conditions satisfy another one."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence

from opgen.model import Function
from opgen.model.checks import DEVICES, MAY_BE, UNDEFINED, Check, Range, Subject
from opgen.model.types import Base

_HOLDS = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "!=": operator.ne,
    "==": operator.eq,
}


def is_permission(check: Check) -> bool:
    """Whether the check allows what would be rejected without it: `device(x) may be any`, `x may be
    undefined`. `dim may be any` only stands in place of a condition, which is what changes.
    """
    return check.relation == MAY_BE and (check.subject is Subject.device or UNDEFINED in check.words)


def refused_without(permission: Check) -> str:
    """Describes the calls that only this permission allows."""
    of_devices = permission.subject is Subject.device
    return "tensors are on several devices" if of_devices else f"'{permission.argument}' is undefined"


def alike(one: Check, other: Check) -> bool:
    """Whether both are about the same property of the same argument."""
    return one.subject is other.subject and one.argument == other.argument


def not_implied(checks: Sequence[Check], given: Sequence[Check], function: Function) -> Iterator[Check]:
    """Yields those of `checks` that `given` doesn't imply, and its permissions that `checks` lack."""
    for check in checks:
        same = [c for c in given if alike(c, check)]
        if check.by is None and check.relation != MAY_BE and not _follows(check, same, function):
            yield check
    for permission in filter(is_permission, given):
        same = [c for c in checks if alike(c, permission)]
        if permission.by is None and not any(_permits(c, permission) for c in same):
            yield permission


def _permits(one: Check, other: Check) -> bool:
    if one.words == other.words:
        return True
    devices = one.subject is Subject.device and is_permission(one)
    return devices and DEVICES.index(one.words[0]) >= DEVICES.index(other.words[0])


def _follows(check: Check, same: Sequence[Check], function: Function) -> bool:
    if check.range is not None:
        return any(c.range is not None and _within(c.range, check.range) for c in same)
    if check.words:
        return any(c.words and set(c.words) <= set(check.words) for c in same)
    numeric = [c for c in same if c.numbers]
    values = _values([check, *numeric], function)
    return all(_holds(check, value) for value in values if all(_holds(c, value) for c in numeric))


def _within(one: Range, other: Range) -> bool:
    same = (one.kind, one.of, one.dim) == (other.kind, other.of, other.dim)
    return same and one.more <= other.more and one.wrapped <= other.wrapped


def _values(checks: Sequence[Check], function: Function) -> Iterator[float]:
    """Yields values on both sides of every bound and beyond all of them: what holds for these holds
    everywhere.
    """
    counts = checks[0].subject in (Subject.length, Subject.rank)
    steps = (-1.0, -0.5, 0.0, 0.5, 1.0) if _is_float(checks[0], function) else (-1, 0, 1)
    for number in {n for c in checks for n in c.numbers}:
        yield from (number + step for step in steps if not counts or number + step >= 0)


def _is_float(check: Check, function: Function) -> bool:
    types = (a.type for a in function.schema.arguments.all if a.name == check.argument)
    return check.subject is Subject.value and any(type.is_like(Base.float) for type in types)


def _holds(check: Check, value: float) -> bool:
    holds = _HOLDS.get(check.relation)
    return value in check.numbers if holds is None else holds(value, check.numbers[0])
