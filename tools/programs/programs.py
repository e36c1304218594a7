"""Differential programs: `make programs`, or `python -m tools.programs.programs --count N --seed S --jobs J`.

Random programs run on this library and on PyTorch step by step, in forked children, and are compared after
each step. One that differs is made smaller and printed as a script for both. The same seed gives the same
programs.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .differences import Difference
    from .machine import Program
    from .runner import Result

DIFFERENT = "different"
TOGETHER = 50  # programs in a work item
SHOWN = 2  # programs with the same kind of difference


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=1000, help="of programs")
    parser.add_argument("--seed", type=int, default=0, help="the first; each program has one of its own")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    return run(options.count, options.seed, options.jobs)


def run(count: int, seed: int, jobs: int) -> int:
    from . import runner
    from .shrink import kind, script

    print(f"programs: {count} from seed {seed}", flush=True)
    begun = time.monotonic()
    ended: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    pieces = [range(i, min(i + TOGETHER, seed + count)) for i in range(seed, seed + count, TOGETHER)]
    runner.warm_up()
    with ProcessPoolExecutor(jobs) as pool:
        for result in (r for results in pool.map(runner.run_seeds, pieces) for r in results):
            how, least = ending(result)
            ended[how] += 1
            if least is not None and result.difference is not None:
                name = kind(result.difference)
                kinds[name] += 1
                if kinds[name] <= SHOWN:
                    print(f"\n# seed {result.seed}: {name}\n{script(*least)}", flush=True)
    for what, number in [*ended.most_common(), *((f"{DIFFERENT}: {k}", n) for k, n in kinds.most_common())]:
        print(f"{number:7} {what}")
    print(f"programs: {ended[DIFFERENT]} of {ended.total()} differ, {time.monotonic() - begun:.0f} s")
    return 1 if ended[DIFFERENT] else 0


def ending(result: Result) -> tuple[str, tuple[Program, Difference] | None]:
    """Describes the result; also returns the smallest program with a difference of unknown reason."""
    from . import runner
    from .known_programs import reason_for
    from .shrink import shrink

    if result.dropped:
        return f"dropped: PyTorch ends with {result.dropped}", None
    if result.difference is None:
        return "equal", None
    why = reason_for(result.difference, result.program)
    if why is None:  # in a smaller program it is clear which step the difference comes from
        program, difference = shrink(result.program, result.difference, runner.replay)
        why = reason_for(difference, program)
        if why is None:
            return DIFFERENT, (program, difference)
    return f"known: {why}", None


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
