"""Minimax polynomials by the exchange algorithm of E. Remez (1934), on a grid, and their rounding to a type.

An approximation is a polynomial in v(x) whose error, times a weight, is to be least over an interval of x.
"""

from __future__ import annotations

from dataclasses import dataclass

from mpmath import matrix, mpf
from mpmath import mp as context

POINTS_PER_TERM = 20
MOST_EXCHANGES = 12  # rounding errors of the grid may let it turn in circles


@dataclass
class Grid:
    """What is to be approximated, at the points of an interval: the variable, its values, their weights."""

    v: list[mpf]
    values: list[mpf]
    weights: list[mpf]

    def errors(self, terms: list[mpf]) -> list[mpf]:
        return [(horner(terms, v) - f) * w for v, f, w in zip(self.v, self.values, self.weights, strict=True)]

    def without(self, term: mpf) -> Grid:
        """What the higher terms are to be when the lowest is this."""
        rest = [(f - term) / v for v, f in zip(self.v, self.values, strict=True)]
        return Grid(self.v, rest, [w * abs(v) for v, w in zip(self.v, self.weights, strict=True)])


def points(low: mpf, high: mpf, count: int) -> list[mpf]:
    """Zeros of a Chebyshev polynomial: denser at the ends, where the errors of good polynomials turn."""
    middle, half = (low + high) / 2, (high - low) / 2
    return [middle - half * context.cospi((2 * i + 1) / mpf(2 * count)) for i in range(count)]


def horner(terms: list[mpf], v: mpf) -> mpf:
    total = mpf(0)
    for term in reversed(terms):
        total = total * v + term
    return total


def turns(errors: list[mpf], count: int) -> list[int]:
    """Where the error has its extrema of alternating sign, the `count` neighbours with the greatest."""
    found: list[int] = []
    for i, error in enumerate(errors):
        if found and (error > 0) == (errors[found[-1]] > 0):
            if abs(error) > abs(errors[found[-1]]):
                found[-1] = i
        else:
            found.append(i)
    while len(found) > count:
        del found[0 if abs(errors[found[0]]) < abs(errors[found[-1]]) else -1]
    return found


def interpolating(v: list[mpf], values: list[mpf]) -> list[mpf]:
    """The polynomial through these points."""
    rows = matrix(len(v), len(v))
    for row, one in enumerate(v):
        for power in range(len(v)):
            rows[row, power] = one**power
    return list(context.lu_solve(rows, matrix(values)))


def solved(grid: Grid, chosen: list[int]) -> tuple[list[mpf], mpf]:
    """The polynomial whose errors at the chosen points are equal but for their signs, and that error."""
    count = len(chosen) - 1
    rows, right = matrix(count + 1, count + 1), matrix(count + 1, 1)
    for row, i in enumerate(chosen):
        power = mpf(1)
        for column in range(count):
            rows[row, column] = power
            power *= grid.v[i]
        rows[row, count] = (-1) ** row / grid.weights[i]
        right[row] = grid.values[i]
    found = context.lu_solve(rows, right)
    return [found[k] for k in range(count)], abs(found[count])


def minimax(grid: Grid, count: int, chosen: list[int] | None = None) -> tuple[list[mpf], list[int]]:
    """The best polynomial with so many terms, and where its error is greatest; `chosen` is a guess of it."""
    last = len(grid.v) - 1
    spread = [round(last * k / mpf(count)) for k in range(count + 1)]  # the points are dense at the ends
    sizes = [exchange(grid, count, first) for first in (chosen, spread) if first]
    return min(sizes, key=lambda found: found[0])[1:]


def exchange(grid: Grid, count: int, chosen: list[int]) -> tuple[mpf, list[mpf], list[int]]:
    """The greatest error, the terms, and the points of the best polynomial that the exchanges come across."""
    best = (mpf("inf"), [mpf(0)] * count, chosen)
    for _ in range(MOST_EXCHANGES):
        try:
            terms, level = solved(grid, chosen)
        except ZeroDivisionError:  # the points are too close
            break
        errors = grid.errors(terms)
        size = max(abs(error) for error in errors)
        if size < best[0]:
            best = size, terms, chosen
        found = turns(errors, count + 1)
        if len(found) <= count or size <= level * mpf("1.001"):
            break
        chosen = found
    return best


def nearest(value: mpf, digits: int) -> mpf:
    """The number with so many bits nearest to a value."""
    with context.workprec(digits):
        return +value


def rounded(grid: Grid, count: int, digits: int) -> list[mpf]:
    """A good polynomial with terms of so many bits: those of the best one are rounded by themselves, or the
    rest is fitted anew after each; then their last digits are moved.
    """
    best, turned = minimax(grid, count)
    apart, chosen, left = [nearest(best[0], digits)], turned, grid
    for power in range(1, count):
        left = left.without(apart[-1])
        terms, chosen = minimax(left, count - power, chosen[1:])
        apart.append(nearest(terms[0], digits))
    found = [polished(grid, terms, digits) for terms in ([nearest(term, digits) for term in best], apart)]
    return min(found, key=lambda terms: max(abs(error) for error in grid.errors(terms)))


def polished(grid: Grid, terms: list[mpf], digits: int) -> list[mpf]:
    """Terms whose last digits, of two at a time, are moved as long as that makes the greatest error less."""
    terms, scale = list(terms), max(abs(e) for e in grid.errors(terms))
    errors = [float(e / scale) for e in grid.errors(terms)]
    steps = [context.ldexp(1, context.frexp(term)[1] - digits) for term in terms]
    moves = [
        [float(step * v**k * w / scale) for v, w in zip(grid.v, grid.weights, strict=True)]
        for k, step in enumerate(steps)
    ]
    tries = [((k, a),) for k in range(len(terms)) for a in (-1, 1)]
    tries += [(one, other) for (one,) in tries for (other,) in tries if one[0] < other[0]]
    least = max(map(abs, errors))
    for _ in range(MOST_EXCHANGES):
        before = least
        for chosen in tries:
            moved = errors
            for k, sign in chosen:
                moved = [e + sign * m for e, m in zip(moved, moves[k], strict=True)]
            if (size := max(map(abs, moved))) < least:
                least, errors = size, moved
                for k, sign in chosen:
                    terms[k] += sign * steps[k]
        if least == before:
            break
    return terms
