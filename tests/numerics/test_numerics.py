"""The digits of the approximations: a changed one must not be worse than ops/math/README.md says."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("mpmath")

import constants
import matrix_exponential
from fit_polynomials import worst
from headers import ROOT
from readme import rows
from series import Series, all_series, compare
from target import Target
from targets import targets

TEST = (ROOT / "tests/cpp/test_math.cpp").read_text(encoding="utf-8")
NAMED = re.compile(r"\bCHECK_(UNARY|REGISTER|COMPLEX)\((\w+),|check_binary\(\s*\"(\w+)\"")
POINTS_PER_TERM = 4
ROUNDED = 1.06  # the figures of the table have two digits


def cells(table: str) -> list[list[str]]:
    return [[cell.strip(" `") for cell in row.strip("|").split(" | ")] for row in rows(table)]


def polynomials() -> dict[tuple[str, str], list[str]]:
    return {(row[0], row[1]): row for row in cells("polynomials")}


@pytest.mark.parametrize("target", targets(), ids=lambda target: f"{target.name}-{target.type}")
def test_a_polynomial_is_as_good_as_its_row_says(target: Target) -> None:
    code = target.coefficients()
    row = polynomials()[target.name, target.type]
    errors = target.grid(POINTS_PER_TERM * len(code)).errors(code)
    assert worst(errors, target.bits()) <= float(row[6]) * ROUNDED
    if row[9] == "interpolation":
        assert code == target.interpolation(len(code))


def test_every_polynomial_has_a_row() -> None:
    assert list(polynomials()) == [(target.name, target.type) for target in targets()]


@pytest.mark.slow
@pytest.mark.parametrize(
    "series", list(all_series()), ids=lambda one: f"{one.function_name}-{one.array_name}"
)
def test_a_chebyshev_series_has_the_nearest_doubles(series: Series) -> None:
    assert compare(series)[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("module", [constants, matrix_exponential], ids=lambda module: module.__name__)
def test_constants_are_what_they_are_called(module) -> None:
    assert [name for name, good in module.checks() if not good] == []


def test_the_table_has_the_functions_that_are_measured() -> None:
    names = set()
    for kind, macro, binary in NAMED.findall(TEST):
        names.add((macro or binary) + ("*" if kind == "REGISTER" else ""))
    missing = names - {row[0] for row in cells("measured")} - {"name", "name*"}
    assert not missing, "run python tests/numerics/table.py --write"
