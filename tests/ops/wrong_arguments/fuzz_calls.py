"""Fuzzing of operators: `make fuzz`, or
`python tests/ops/wrong_arguments/fuzz_calls.py --calls N --seed S --only PATTERN`.

Each overload is called so many times in forked children, with arguments made from its schema at random, and
as often with valid arguments of which one is damaged (`--kind` takes one of the two). A crash, a hang, an
internal error or an error that doesn't name its operator is printed, and kept in build/fuzz. The same seed
makes the same calls. `--sanitize address,undefined` calls a library that is built for it.
"""

from __future__ import annotations

import argparse
import functools
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tests" / "ops"))
TOGETHER = 8  # overloads in a work item


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=250, help="of each overload")
    parser.add_argument("--seed", type=int, default=0, help="the first; each call has one of its own")
    parser.add_argument("--only", default="", metavar="PATTERN", help="overloads whose name has this in it")
    parser.add_argument("--kind", choices=("random", "damaged", "both"), default="both", help="of arguments")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--sanitize", default="", metavar="LIST", help="as in address,undefined")
    options = parser.parse_args()
    if options.sanitize:
        import sanitized

        kept = [a for a in sys.argv[1:] if not a.startswith("--sanitize")]
        given = [a for a in kept if a != options.sanitize]
        return sanitized.run(options.sanitize, options.jobs, [__file__, *given])
    return fuzz(options)


def fuzz(options: argparse.Namespace) -> int:
    import damaged
    import hostile

    kinds = {"random": hostile.make_call, "damaged": damaged.make_call}
    found = [
        problem
        for kind, make in kinds.items()
        if options.kind in (kind, "both")
        for problem in fuzz_kind(options, kind, make)
    ]
    return 1 if found else 0


def fuzz_kind(options: argparse.Namespace, kind: str, make: Any) -> list[str]:
    import hostile
    from valid_calls import valid_calls

    names = [n for n in hostile.overloads() if options.only in n]
    seeds = range(options.seed, options.seed + options.calls)
    told = f"{options.calls} calls of {len(names)} overloads with {kind} arguments"
    print(f"fuzz: {told}, seeds from {options.seed}", flush=True)
    begun, problems = time.monotonic(), []
    pieces = [
        [(n, s) for n in names[i : i + TOGETHER] for s in seeds] for i in range(0, len(names), TOGETHER)
    ]
    # Slow preparations are made before children are forked, as a new child starts after every hang.
    with ProcessPoolExecutor(options.jobs, initializer=valid_calls) as pool:
        for found in pool.map(functools.partial(hostile.in_child, make=make), pieces):
            for problem in found:
                problems.append(problem)
                print(problem, flush=True)
                keep(problem)
    print(f"fuzz: {len(problems)} problems in {time.monotonic() - begun:.0f} s")
    return problems


def keep(problem: str) -> None:
    folder = ROOT / "build" / "fuzz"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "calls.txt", "a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"{problem}\n")


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
