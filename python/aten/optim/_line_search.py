"""The line search of L-BFGS."""

from __future__ import annotations

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable

    from .._C import Tensor

    Point = tuple[
        float, float, Tensor, float
    ]  # the step, the loss, the gradient, its slope along the direction


class _Search:
    """A line search; `evaluate(t)` is the loss and gradient at a step, the others are those at step 0."""

    def __init__(
        self,
        evaluate: Callable[[float], tuple[float, Tensor]],
        direction: Tensor,
        loss: float,
        gradient: Tensor,
        slope: float,
        max_iterations: int,
    ) -> None:
        self.evaluate = evaluate
        self.direction = direction
        self.start: Point = (0.0, loss, gradient.clone(), slope)
        self.max_iterations = max_iterations
        self.iterations = self.evaluations = 0
        self.done = False

    def point(self, t: float) -> Point:
        loss, gradient = self.evaluate(t)
        self.evaluations += 1
        return t, loss, gradient, float(gradient.dot(self.direction))

    def insufficient(self, new: Point) -> bool:
        return new[1] > self.start[1] + 1e-4 * new[0] * self.start[3]

    def flat(self, new: Point) -> bool:
        return abs(new[3]) <= -0.9 * self.start[3]

    def bracket(self, t: float) -> list[Point]:
        """Two points with a step between them that fulfils the conditions, or a point that does."""
        previous, new = self.start, self.point(t)
        while self.iterations < self.max_iterations:
            if self.insufficient(new) or (self.iterations > 1 and new[1] >= previous[1]):
                return [previous, new]
            if self.flat(new):
                self.done = True
                return [new]
            if new[3] >= 0:
                return [previous, new]
            bounds = new[0] + 0.01 * (new[0] - previous[0]), new[0] * 10
            t = cubic_minimum(previous, new, bounds)
            previous, new = new, self.point(t)
            self.iterations += 1
        return [self.start, new]

    def narrow(self, bracket: list[Point], tolerance: float) -> Point:
        """The best point of the bracket, which is narrowed until that fulfils the conditions."""
        largest = float(self.direction.abs().max())
        stalled = False
        low, high = (0, 1) if bracket[0][1] <= bracket[-1][1] else (1, 0)
        while not self.done and self.iterations < self.max_iterations:
            if abs(bracket[1][0] - bracket[0][0]) * largest < tolerance:
                break
            t, stalled = inside(bracket, cubic_minimum(bracket[0], bracket[1]), stalled)
            new = self.point(t)
            self.iterations += 1
            if self.insufficient(new) or new[1] >= bracket[low][1]:
                bracket[high] = new
                low, high = (0, 1) if bracket[0][1] <= bracket[1][1] else (1, 0)
            else:
                if self.flat(new):
                    self.done = True
                elif new[3] * (bracket[high][0] - bracket[low][0]) >= 0:
                    bracket[high] = bracket[low]
                bracket[low] = new
        return bracket[low]


def strong_wolfe(
    evaluate: Callable[[float], tuple[float, Tensor]],
    t: float,
    direction: Tensor,
    loss: float,
    gradient: Tensor,
    slope: float,
    max_iterations: int,
    tolerance: float = 1e-9,
) -> tuple[float, Tensor, float, int]:
    """Searches a step that fulfils the strong Wolfe conditions (Nocedal and Wright, algorithms 3.5 and 3.6):
    the loss decreases by 1e-4 of what the slope at 0 promises, and the slope to 0.9 of that. `evaluate(t)` is
    the loss and gradient at a step. Returns loss, gradient, step and the number of evaluations."""
    search = _Search(evaluate, direction, loss, gradient, slope, max_iterations)
    t, loss, gradient, _ = search.narrow(search.bracket(t), tolerance)
    return loss, gradient, t, search.evaluations


def inside(bracket: list[Point], t: float, stalled: bool) -> tuple[float, bool]:
    """The step `t`, moved a tenth of the bracket away from its nearer end if it is closer than that a second
    time, or outside; and whether the next such step is the second one."""
    first, last = sorted(p[0] for p in bracket)
    margin = 0.1 * (last - first)
    if min(last - t, t - first) >= margin:
        return t, False
    if not (stalled or t >= last or t <= first):
        return t, True
    return (last - margin if abs(t - last) < abs(t - first) else first + margin), False


def cubic_minimum(a: Point, b: Point, bounds: tuple[float, float] | None = None) -> float:
    """The step where the cubic through two points with their slopes is smallest, within the bounds: by
    default the two steps. Their middle, if the cubic has no minimum."""
    if a[0] > b[0]:
        a, b = b, a
    low, high = bounds or (a[0], b[0])
    if a[0] == b[0]:
        return (low + high) / 2
    d1 = a[3] + b[3] - 3 * (a[1] - b[1]) / (a[0] - b[0])
    square = d1 * d1 - a[3] * b[3]
    if square < 0:
        return (low + high) / 2
    d2 = float(square**0.5)
    divisor = b[3] - a[3] + 2 * d2
    if divisor == 0:
        return (low + high) / 2
    return min(max(b[0] - (b[0] - a[0]) * ((b[3] + d2 - d1) / divisor), low), high)
