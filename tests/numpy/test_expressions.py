"""Hundreds of expressions with NumPy's objects and everyday calls, each evaluated here and with PyTorch."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator

import aten
import pytest
from both_libraries import outcome, same
from numpy_differences import DIFFERENCES

torch = pytest.importorskip("torch")


def cases() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The name of a table, a value in it, and the expressions with that value."""
    for name in DIFFERENCES:
        module = importlib.import_module(name)
        for data, calls in getattr(module, "TABLES", ()):
            for value in data:
                yield name, value, tuple(c.replace("{}", value) for c in calls)
        for expression in getattr(module, "EXPRESSIONS", ()):
            yield name, expression, (expression,)


def is_listed(name: str, expression: str) -> bool:
    return any(re.fullmatch(pattern, expression) for pattern, _, _ in DIFFERENCES[name])


@pytest.mark.parametrize(
    ("name", "value", "expressions"), list(cases()), ids=lambda p: p if isinstance(p, str) else ""
)
def test_outcomes(name: str, value: str, expressions: tuple[str, ...]) -> None:
    wrong = []
    for expression in expressions:
        ours, theirs = outcome(expression, aten), outcome(expression, torch)
        if not same(ours, theirs) and not is_listed(name, expression):
            wrong.append(f"{expression}: {ours}, but PyTorch's is {theirs}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", DIFFERENCES)
def test_listed_differences_are_some(name: str) -> None:
    for pattern, example, _ in DIFFERENCES[name]:
        assert re.fullmatch(pattern, example)
        assert not same(outcome(example, aten), outcome(example, torch)), example
