"""Times Python statements of several peers alternately in one process, so that noise affects all equally."""

from __future__ import annotations

import dataclasses
import gc
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

LOOP = """
def loop(_n, _clock, {names}):
    _range = range(_n)
    _start = _clock()
    for _ in _range:
        {code}
    return _clock() - _start
"""


@dataclasses.dataclass(frozen=True, slots=True)
class Statement:
    code: str
    names: Mapping[str, Any]

    def compile(self) -> Callable[[int], float]:
        """Returns a function that runs the statement n times and returns the CPU seconds."""
        scope: dict[str, Any] = {}
        given = ", ".join(f"{name}={name}" for name in self.names) or "_none=None"
        exec(LOOP.format(names=given, code=self.code), dict(self.names), scope)
        loop = scope["loop"]
        return lambda n: loop(n, time.process_time)


@dataclasses.dataclass(frozen=True, slots=True)
class Timing:
    """Nanoseconds per run: the median of each peer, and the median ratio of two peers within a round."""

    ns: dict[str, float]
    samples: dict[str, list[float]]

    def ratio(self, peer: str, other: str) -> float | None:
        if peer not in self.samples or other not in self.samples:
            return None
        pairs = zip(self.samples[peer], self.samples[other], strict=True)
        return statistics.median(a / b for a, b in pairs)


def calibrate(run: Callable[[int], float], seconds: float) -> int:
    """Returns the number of runs for a sample of about `seconds`."""
    n = 1
    while (taken := run(n)) < seconds / 4 and n < 1 << 22:
        n *= 2
    return max(1, int(n * seconds / max(taken, 1e-9)))


def compare(statements: Mapping[str, Statement], rounds: int = 15, seconds: float = 2e-3) -> Timing:
    """Runs the peers' statements alternately, in rotating order. The time of an empty loop is subtracted."""
    runs = {peer: statement.compile() for peer, statement in statements.items()}
    empty = Statement("pass", {}).compile()
    floor = min(empty(20_000) for _ in range(7)) / 20_000 * 1e9
    counts = {peer: calibrate(run, seconds) for peer, run in runs.items()}
    samples: dict[str, list[float]] = {peer: [] for peer in runs}
    order = list(runs)
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for peer in order:
                taken = runs[peer](counts[peer]) / counts[peer] * 1e9
                samples[peer].append(max(taken - floor, 0.1))
            order = order[1:] + order[:1]
    finally:
        gc.enable()
    return Timing({peer: statistics.median(times) for peer, times in samples.items()}, samples)
