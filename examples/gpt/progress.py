"""A line on the terminal that says how far a run is, and when it will be done."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

WIDTH = 30  # of the bar
PAUSE = 0.1  # seconds between two lines


class Progress:
    """Steps `first` to `last`. Nothing is written to what is no terminal."""

    def __init__(
        self,
        first: int,
        last: int,
        stream: TextIO = sys.stderr,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.first, self.last, self.stream, self.clock = first, last, stream, clock
        self.begun, self.shown, self.length = clock(), float("-inf"), 0

    def show(self, step: int, loss: float) -> None:
        now = self.clock()
        if not self.stream.isatty() or (now - self.shown < PAUSE and step < self.last):
            return
        self.shown = now
        done = step * WIDTH // self.last
        left = (now - self.begun) / (step - self.first) * (self.last - step)
        bar = "#" * done + "." * (WIDTH - done)
        line = f"[{bar}] {step}/{self.last}  loss {loss:.3f}  {duration(left)} left"
        self.stream.write(f"\r{line:{self.length}}")
        self.stream.flush()
        self.length = len(line)

    def clear(self) -> None:
        """Removes the line, so that another one can be printed."""
        if self.length:
            self.stream.write("\r" + " " * self.length + "\r")
            self.stream.flush()
            self.length = 0


def duration(seconds: float) -> str:
    """Returns "0:07", "12:30", "1:02:03"."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
