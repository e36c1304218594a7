"""The progress of a build, on standard error."""

from __future__ import annotations

import sys
import time

from opgen.colours import coloured
from opgen.diagnostics import visible

_WIDTH = 110
_EVERY = 10.0  # seconds between two lines where there is no terminal


class Progress:
    """One updated line on a terminal; a plain line every few seconds elsewhere; `quiet`: neither, only
    warnings. `verbose`: the tools' output, as it comes.
    """

    def __init__(self, quiet: bool = False, verbose: bool = False):
        self._terminal = sys.stderr.isatty()
        self._quiet = quiet
        self.verbose = verbose
        self._begun = time.monotonic()
        self._last = 0.0

    def say(self, text: str) -> None:
        if not self._quiet:
            self.warn(text)

    def warn(self, text: str) -> None:
        self._clear()
        print(coloured(visible(text), sys.stderr), file=sys.stderr, flush=True)

    def step(self, done: int, total: int, text: str) -> None:
        now = time.monotonic()
        hurry = not self._terminal and now - self._last < _EVERY and done != total
        if self._quiet or self.verbose or hurry:
            return
        self._last = now
        line = visible(f"  [{done}/{total}, {total - done} left, {clock(self.elapsed)}] {text}")
        if self._terminal:
            print("\r\x1b[K" + line[:_WIDTH], end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._begun

    def _clear(self) -> None:
        if self._terminal:
            print("\r\x1b[K", end="", file=sys.stderr)


def clock(seconds: float) -> str:
    """Returns the time as in 1:05."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
