"""Do the tests notice? `make mutate` changes one place of cli/opgen at a time and runs the tests that run it.

Mutant number I of seed S is always the same, for the same sources. Results are kept in build/mutate, and a
campaign that was stopped goes on. What nothing notices is printed, and ends the run with 1 where less than
`--at-least` percent were noticed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from . import outcomes, python_mutants, trying
from .copies import Copy
from .covering import Covering, Subject, cheapest
from .mutant import Mutant, shuffled

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "mutate"
OPGEN = Subject(ROOT, "cli/opgen", ("tests/cli", "tests/breaking", "tests/golden/test_golden.py"))
# The recorded time of all tests that are run for a mutant.
SECONDS = 20.0

Chosen = list[tuple[int, str, Mutant]]


def main() -> int:
    options = arguments()
    begun = time.monotonic()
    results = outcomes.Results(FOLDER / f"seed-{options.seed}.jsonl")
    sources = OPGEN.sources()
    chosen = selected(sources, options.seed, options.count, options.package)
    reviewed = outcomes.Reviewed()
    pending = [c for c in chosen if not done(results, c, reviewed, again=options.again)]
    print(f"mutate: {len(chosen)} mutants of seed {options.seed}, {len(pending)} to try", flush=True)
    if pending and not options.show:
        try_all(OPGEN, FOLDER, pending, results, options.seed, options.jobs, options.seconds)
    results = outcomes.Results(results.path)
    known = results.by_identity
    records = [(mutant.package, known[identity]) for _, identity, mutant in chosen if identity in known]
    print(*outcomes.summary(records, reviewed), *reviewed.outdated(sources, python_mutants.mutants), sep="\n")
    seconds = time.monotonic() - begun
    print(f"mutate: {len(records)} of {len(chosen)} are tried, {seconds:.0f} s for this run")
    kinds = Counter(outcomes.kind_of(record, reviewed) for _, record in records)
    return 0 if outcomes.share(kinds) >= options.at_least else 1


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--package", help="only mutants of this package of cli/opgen, as parse")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="try nothing: what is known so far")
    parser.add_argument("--again", action="store_true", help="try those again that nothing noticed")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="of tests for a mutant, by their record"
    )
    parser.add_argument("--at-least", type=float, default=90, help="percent that have to be noticed")
    return parser.parse_args()


def selected(sources: dict[str, bytes], seed: int, count: int, package: str | None) -> Chosen:
    """Returns (index, identity, mutant); for a package, first those that a campaign of all packages tests,
    too.
    """
    every = [m for file, source in sources.items() for m in python_mutants.mutants(file, source)]
    ordered = [(i, identity, m) for i, (identity, m) in enumerate(shuffled(every, sources, seed))]
    return [c for c in ordered if package is None or c[2].package == package][:count]


def done(
    results: outcomes.Results, chosen: tuple[int, str, Mutant], reviewed: outcomes.Reviewed, again: bool
) -> bool:
    record = results.by_identity.get(chosen[1])
    if record is None:
        return False
    return not again or outcomes.kind_of(record, reviewed) not in outcomes.LABELS


def try_all(
    subject: Subject,
    folder: Path,
    pending: Chosen,
    results: outcomes.Results,
    seed: int,
    jobs: int,
    seconds: float,
) -> None:
    """Divides the mutants among processes, each with a copy of its own."""
    copies = [Copy(subject.root, subject.package, folder / f"copy-{job}") for job in range(jobs)]
    for copy in copies:
        copy.bring_up_to_date()
    covering = Covering(subject, folder)
    covering.load(copies[0])
    context = multiprocessing.get_context("fork")
    shares = [
        (subject, covering, copy, pending[j::jobs], results, seed, seconds) for j, copy in enumerate(copies)
    ]
    workers = [context.Process(target=try_share, args=share) for share in shares]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if any(worker.exitcode for worker in workers):
        raise SystemExit("mutate: a process ended early; the same command goes on")


def try_share(
    subject: Subject,
    covering: Covering,
    copy: Copy,
    share: Chosen,
    results: outcomes.Results,
    seed: int,
    seconds: float,
) -> None:
    known = {test.name for test in covering.tests}
    sources = subject.sources()
    for index, identity, mutant in share:
        groups = cheapest(covering.of(mutant), seconds)
        outcome = trying.tried(copy, mutant, groups, known) if groups else trying.Outcome(outcomes.NOT_RUN)
        about: dict[str, Any] = {"seed": seed, "index": index, "identity": identity}
        about |= {"kind": outcome.kind, "by": outcome.by, "tests": sum(map(len, groups))}
        results.add(outcomes.record(mutant, sources[mutant.file], **about))
        print(f"mutate: {index} {outcome.kind} {mutant.file}:{mutant.line} {outcome.by or ''}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
