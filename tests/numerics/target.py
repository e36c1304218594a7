"""A polynomial of ops/math and what it approximates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from headers import array
from mpmath import mpf, sqrt
from remez import Grid, interpolating, nearest, points

Real = Callable[[mpf], mpf]
BITS = {"float": 24, "double": 53, "13 bits": 13}


def square(x: mpf) -> mpf:
    return x * x


def same(x: mpf) -> mpf:
    return x


@dataclass(frozen=True)
class Target:
    """A polynomial in variable(x) that approximates function(x) for x from low to high.

    Its error times weight(x) is the relative error of what is computed from it.
    """

    name: str
    type: str
    file: str
    anchor: str  # the coefficients are in the first call of `opening` after it
    formula: str
    low: mpf
    high: mpf
    function: Real
    weight: Real
    variable: Real = same
    opening: str = "polynomial("
    leading: int = 0  # terms that aren't fitted, such as the 1 of an exponential
    accuracy: str = ""  # the type of the result, where that isn't the coefficients'
    origin: str = "not known"  # unless they are those of `interpolation`

    def coefficients(self) -> list[mpf]:
        return array(f"ops/math/{self.file}", self.anchor, self.opening)[self.leading :]

    def bits(self) -> int:
        return BITS[self.accuracy or self.type]

    def interpolation(self, count: int) -> list[mpf]:
        """The polynomial through the zeros of a Chebyshev polynomial of the variable, rounded."""
        low, high = (self.variable(mpf(end)) for end in (self.low, self.high))
        v = points(low, high, count)
        x = [sqrt(one) if self.variable is square else one - self.variable(mpf(0)) for one in v]
        terms = interpolating(v, [self.function(one or mpf("1e-15")) for one in x])
        return [nearest(term, BITS[self.type]) for term in terms]

    def grid(self, count: int) -> Grid:
        x = points(mpf(self.low), mpf(self.high), count)
        return Grid(
            [self.variable(one) for one in x],
            [self.function(one) for one in x],
            [abs(self.weight(one)) for one in x],
        )
