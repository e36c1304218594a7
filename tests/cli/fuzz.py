"""Fuzzing of the reader: `make fuzz`, or `python tests/cli/fuzz.py --count N --seed S`.

Input number I of seed S is always the same. One that fails is made smaller, printed and kept in build/fuzz/.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fuzz_schemas
import fuzz_yaml

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 1.0  # of the processor, for one input
BATCH = 5000
COMMANDS_EVERY = 100
MAX_FAILURES = 10


@dataclass(frozen=True)
class Failure:
    kind: str
    seed: int
    index: int
    given: Any
    error: str

    def __str__(self) -> str:
        return f"{self.kind}, seed {self.seed}, input {self.index}: {self.given!r}\n{self.error}"


def _failure_of(kind: str, given: Any, index: int) -> str | None:
    begun = time.process_time()
    try:
        if kind == "schemas":
            fuzz_schemas.holds(given)
        else:
            fuzz_yaml.holds(given, commands=index % COMMANDS_EVERY == 0)
    except Exception:
        return traceback.format_exc(limit=-3)
    taken = time.process_time() - begun
    return f"took {taken:.1f} s" if taken > SECONDS else None


def made(kind: str, seed: int, index: int) -> Any:
    chance = random.Random(f"{kind} {seed} {index}")
    return (fuzz_schemas if kind == "schemas" else fuzz_yaml).make(chance)


def batch(kind: str, seed: int, first: int, count: int) -> list[Failure]:
    """The failures among inputs `first`, `first + 1`, ... of `seed`, made small."""
    found = []
    for index in range(first, first + count):
        given = made(kind, seed, index)
        error = _failure_of(kind, given, index)
        if error is not None:
            smaller = given
            if not getattr(given, "valid", False):  # what is cut from a valid schema may be none
                smaller = minimised(given, lambda g, i=index: _failure_of(kind, g, i) is not None)
            found.append(Failure(kind, seed, index, smaller, _failure_of(kind, smaller, index) or error))
            if len(found) == MAX_FAILURES:
                break
    return found


def minimised(given: Any, fails: Callable[[Any], bool]) -> Any:
    """`given` with all that can be cut from its first text without making it pass."""
    text, rest = given[0], given[1:]
    size = max(1, len(text) // 2)
    while size:
        at = 0
        while at < len(text):
            shorter = text[:at] + text[at + size :]
            if fails(type(given)(shorter, *rest)):
                text = shorter
            else:
                at += size
        size //= 2
    return type(given)(text, *rest)


def kept(failure: Failure) -> Path:
    folder = ROOT / "build" / "fuzz"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{failure.kind}-{failure.seed}-{failure.index}.txt"
    path.write_text(str(failure), encoding="utf-8", errors="backslashreplace")
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000, help="schemas; a tenth as many YAML files")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    failures = 0
    for kind, count in (("schemas", options.count), ("yaml", options.count // 10)):
        begun = time.monotonic()
        print(f"fuzz: {count} {kind}, seed {options.seed}", flush=True)
        firsts = range(0, count, BATCH)
        sizes = [min(BATCH, count - first) for first in firsts]
        with ProcessPoolExecutor(options.jobs) as pool:
            repeated = [kind] * len(sizes), [options.seed] * len(sizes)
            for found in pool.map(batch, *repeated, firsts, sizes):
                for failure in found:
                    failures += 1
                    print(f"{failure}\nkept in {kept(failure)}", flush=True)
        print(f"fuzz: {count} {kind} in {time.monotonic() - begun:.0f} s", flush=True)
    print(f"fuzz: {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
