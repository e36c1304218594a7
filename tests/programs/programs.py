"""Differential programs: `make programs`, or `python tests/programs/programs.py --count N --seed S --jobs J`.

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
    from runner import Result

DIFFERENT = "different"
TOGETHER = 50  # programs in one piece of work
SHOWN = 2  # programs of a kind of difference


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
    import runner
    from shrink import kind

    print(f"programs: {count} from seed {seed}", flush=True)
    begun = time.monotonic()
    ended: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    pieces = [range(i, min(i + TOGETHER, seed + count)) for i in range(seed, seed + count, TOGETHER)]
    runner.warm_up()
    with ProcessPoolExecutor(jobs) as pool:
        for result in (r for results in pool.map(runner.run_seeds, pieces) for r in results):
            ended[(how := ending(result))] += 1
            if how == DIFFERENT and result.difference is not None:
                name = kind(result.difference)
                kinds[name] += 1
                if kinds[name] <= SHOWN:
                    print(f"\n# seed {result.seed}: {name}\n{small_script(result)}", flush=True)
    for what, number in [*ended.most_common(), *((f"{DIFFERENT}: {k}", n) for k, n in kinds.most_common())]:
        print(f"{number:7} {what}")
    print(f"programs: {ended[DIFFERENT]} of {ended.total()} differ, {time.monotonic() - begun:.0f} s")
    return 1 if ended[DIFFERENT] else 0


def ending(result: Result) -> str:
    from known_programs import reason_for

    if result.dropped:
        return f"dropped: PyTorch ends with {result.dropped}"
    if result.difference is None:
        return "equal"
    why = reason_for(result.difference, result.program)
    return f"known: {why}" if why else DIFFERENT


def small_script(result: Result) -> str:
    import runner
    from shrink import script, shrink

    assert result.difference is not None
    return script(*shrink(result.program, result.difference, runner.replay))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
