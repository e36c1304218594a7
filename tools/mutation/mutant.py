"""A change of one place in one file, and the order in which a campaign tests them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Mutant:
    """One change. `start` and `end` are bytes of the file; `first` and `last` the lines of the statement.

    `names` are those that the statement binds when it runs once, at import: tests that use the names depend
    on it.
    """

    file: str
    start: int
    end: int
    line: int
    before: str
    after: str
    first: int
    last: int
    names: tuple[str, ...] = ()

    @property
    def package(self) -> str:
        """Returns the package under opgen, or the top folder of the C++ sources."""
        parts = Path(self.file).parts
        return parts[2].removesuffix(".py") if parts[0] == "cli" else parts[0]

    def applied(self, source: bytes) -> bytes:
        if source[self.start : self.end] != self.before.encode():
            raise ValueError(f"{self.file} is not the file that the mutant was made for")
        return source[: self.start] + self.after.encode() + source[self.end :]

    def lines(self, source: bytes) -> tuple[str, str]:
        """Returns the line, or lines, of the change: before and after it."""
        begin = source.rfind(b"\n", 0, self.start) + 1
        end = source.find(b"\n", self.end)
        end = len(source) if end < 0 else end
        whole = (source[begin:end], source[begin : self.start] + self.after.encode() + source[self.end : end])
        return tuple(" ".join(text.decode().split()) for text in whole)

    def record(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name not in ("first", "last", "names")}


def shuffled(mutants: Iterable[Mutant], sources: dict[str, bytes], seed: int) -> list[tuple[str, Mutant]]:
    """Returns (identity, mutant) in the order of a campaign.

    The identity is made from the changed lines, so that other changes of the sources, or a larger count,
    don't change the order of all other mutants.
    """
    seen: dict[str, int] = {}
    ordered = []
    for mutant in mutants:
        text = "\0".join((mutant.file, *mutant.lines(sources[mutant.file])))
        seen[text] = seen.get(text, 0) + 1
        digest = hashlib.sha256(f"{seed}\0{seen[text]}\0{text}".encode()).hexdigest()
        ordered.append((digest[:16], mutant))
    return sorted(ordered, key=lambda pair: pair[0])
