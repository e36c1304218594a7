"""The duration of a build's steps, from Ninja's log in the build folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

LOG = ".ninja_log"
_OBJECT = re.compile(r"(?:.*/)?CMakeFiles/(?P<target>[^/]+)\.dir/(?P<source>.+)\.o\Z")


class Step(NamedTuple):
    """A build step: `output` is the file made, `hash` that of its command; milliseconds count from the start
    of Ninja.
    """

    start: int
    end: int
    output: str
    hash: str

    @property
    def seconds(self) -> float:
        return (self.end - self.start) / 1000

    @property
    def name(self) -> str:
        """Returns the source that was compiled and its target; for other steps the output."""
        found = _OBJECT.match(self.output)
        return f"{found['source']} ({found['target']})" if found else self.output


def read(build: Path) -> set[Step]:
    """Returns the last run of every step that was ever run in `build`."""
    try:
        text = (build / LOG).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return set()
    fields = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {Step(int(f[0]), int(f[1]), f[3], f[4]) for f in fields if len(f) == 5}


def table(steps: Iterable[Step], shown: int = 20) -> Iterator[str]:
    """Yields the lines of a table, the longest step first. A step with several outputs counts once."""
    found = sorted(
        {(s.start, s.end, s.hash): s for s in sorted(steps, reverse=True)}.values(), key=lambda s: -s.seconds
    )
    if not found:
        return
    yield f"{len(found)} steps took {sum(s.seconds for s in found):.1f} s of compilers and linkers; longest:"
    yield from (f"{step.seconds:8.1f} s  {step.name}" for step in found[:shown])
    if len(found) > shown:
        yield f"{sum(s.seconds for s in found[shown:]):8.1f} s  the other {len(found) - shown}"
