"""Fuzzing of the reader: `make fuzz`, or `python tests/cli/parse/fuzz.py --count N --seed S`.

Input number I of seed S is always the same. One that fails is made smaller, printed and kept in build/fuzz/.
A run that was killed goes on where it was, as long as what it tests is the same; a seed begins another one.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "tests" / "tools"), str(ROOT / "tests" / "cli")]
import campaign  # noqa: E402
import fuzz_schemas  # noqa: E402
import fuzz_yaml  # noqa: E402

CLI = ROOT / "cli" / "opgen"
SCHEMAS = (ROOT / "schemas" / "native_functions.yaml", ROOT / "tests" / "cli" / "parse" / "fuzz_schemas.py")
# The files that make the inputs of a kind and those that read them: a campaign is for one state of these.
TESTED = {
    "schemas": (*SCHEMAS, CLI / "parse", CLI / "model"),
    "yaml": (*SCHEMAS, ROOT / "tests" / "cli" / "parse" / "fuzz_yaml.py", ROOT / "tests" / "golden", CLI),
}
SECONDS = 1.0  # CPU seconds for one input
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
    """Returns the failures among inputs `first`, `first + 1`, ... of `seed`, minimised."""
    found = []
    for index in range(first, first + count):
        given = made(kind, seed, index)
        error = _failure_of(kind, given, index)
        if error is not None:
            smaller = given
            if not getattr(given, "valid", False):  # parts of a valid schema may be invalid
                smaller = minimised(given, lambda g, i=index: _failure_of(kind, g, i) is not None)
            found.append(Failure(kind, seed, index, smaller, _failure_of(kind, smaller, index) or error))
            if len(found) == MAX_FAILURES:
                break
    return found


def minimised(given: Any, fails: Callable[[Any], bool]) -> Any:
    """Returns `given` without all that can be cut from its first text so that it still fails."""
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


def keep(failure: Failure) -> None:
    path = campaign.FOLDER / f"{failure.kind}-{failure.seed}-{failure.index}.txt"
    path.write_text(str(failure), encoding="utf-8", errors="backslashreplace")
    print(f"{failure}\nkept in {path}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=1_000_000, help="schemas; a tenth as many YAML files")
    parser.add_argument("--seed", type=int, help="default: that of the run that was left, or a new one")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", choices=sorted(TESTED), help="one of the kinds")
    options = parser.parse_args()
    counts = {"schemas": options.count, "yaml": options.count // 10}
    failures = 0
    for kind, count in counts.items():
        if options.only not in (None, kind):
            continue
        run = campaign.Campaign.open(kind, count, TESTED[kind], options.seed)
        run.run(partial(batch, kind), BATCH, options.jobs, keep)
        failures += run.failures
    print(f"fuzz: {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
