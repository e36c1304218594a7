"""The results of a campaign, one line of JSON for each mutant, of which the last one counts; and their
summary.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from .mutant import Mutant

REVIEWED = Path(__file__).with_name("equivalent.txt")
NOT_RUN = "not run"
LABELS = {"survived": "survived", NOT_RUN: "no test runs this line"}
KINDS = ("noticed", "timeout", "equivalent", "survived", NOT_RUN)


class Results:
    """The results, appended as mutants are tested, so that a campaign that was stopped can continue."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.by_identity: dict[str, dict[str, Any]] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                if line.endswith("}"):
                    record = json.loads(line)
                    self.by_identity[record["identity"]] = record

    def add(self, record: dict[str, Any]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


class Reviewed:
    """Changes without effects that a user could see, each with the reason: read from equivalent.txt.

    An entry is a file, the original line, the mutant's line, and why they are equivalent.
    """

    def __init__(self, path: Path = REVIEWED) -> None:
        self.reasons: dict[tuple[str, str, str], str] = {}
        for entry in path.read_text(encoding="utf-8").split("\n\n"):
            lines = [line for line in entry.strip().splitlines() if not line.startswith("#")]
            if lines:
                file, old, new, *reason = lines
                if not (old.startswith("- ") and new.startswith("+ ") and reason):
                    raise ValueError(
                        f"{path.name}: an entry is a file, '- ' line, '+ ' line, reason: {entry}"
                    )
                self.reasons[file, old[2:], new[2:]] = " ".join(reason)

    def has(self, record: dict[str, Any]) -> bool:
        return (record["file"], *record["lines"]) in self.reasons

    def outdated(
        self, sources: dict[str, bytes], mutants: Callable[[str, bytes], list[Mutant]]
    ) -> Iterator[str]:
        """Yields the entries of these files whose line has changed: they have to be looked at again."""
        listed = {file for file, _, _ in self.reasons} & sources.keys()
        there = {(file, *m.lines(sources[file])) for file in listed for m in mutants(file, sources[file])}
        for file, old, new in self.reasons:
            if file in listed and (file, old, new) not in there:
                yield f"warning: listed as equivalent, but no longer there: {file}\n  - {old}\n  + {new}"


def record(
    mutant: Mutant,
    source: bytes,
    *,
    seed: int,
    index: int,
    identity: str,
    kind: str,
    by: str | None,
    tests: int,
) -> dict[str, Any]:
    lines = mutant.lines(source)
    about = {"seed": seed, "index": index, "identity": identity, **mutant.record(), "lines": lines}
    return {**about, "outcome": kind, "by": by, "tests": tests}


def kind_of(record: dict[str, Any], reviewed: Reviewed) -> str:
    missed = record["outcome"] in LABELS
    return "equivalent" if missed and reviewed.has(record) else record["outcome"]


def summary(records: Iterable[tuple[str, dict[str, Any]]], reviewed: Reviewed) -> Iterator[str]:
    """Yields a table by package; then each mutant that no test noticed. `records` are (package, record)."""
    packages: dict[str, Counter[str]] = {}
    missed = []
    for package, record in records:
        kind = kind_of(record, reviewed)
        packages.setdefault(package, Counter())[kind] += 1
        if kind in LABELS:
            missed.append(record)
        elif record["outcome"] not in LABELS and reviewed.has(record):
            yield f"listed as equivalent, but noticed by {record['by']}: {_shown(record)}"
    yield "".join((f"{'package':14}", *(f"{kind:>12}" for kind in KINDS), f"{'noticed of':>16}"))
    for package, counts in sorted(packages.items()):
        yield _row(package, counts)
    yield _row("all", sum(packages.values(), Counter()))
    for record in sorted(missed, key=lambda r: (r["file"], r["line"])):
        yield f"{LABELS[record['outcome']]}: {_shown(record)}"


def _row(package: str, counts: Counter[str]) -> str:
    shown = f"{share(counts):.1f} % of {counts.total() - counts['equivalent']}"
    return "".join((f"{package:14}", *(f"{counts[kind]:>12}" for kind in KINDS), f"{shown:>16}"))


def _shown(record: dict[str, Any]) -> str:
    old, new = record["lines"]
    return f"{record['file']}:{record['line']}\n  - {old}\n  + {new}"


def share(kinds: Counter[str]) -> float:
    """Returns the percentage of noticed mutants, without the equivalent ones."""
    of = kinds.total() - kinds["equivalent"]
    return 100 * (kinds["noticed"] + kinds["timeout"]) / of if of else 100.0
