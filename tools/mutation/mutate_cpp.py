"""Do the tests notice? The same for C++: changes one place of core, ops or cpu at a time, compiles the
objects that it goes into, and runs the programs of tests/cpp, if they are built, and the samples of the
operators that the file names.

It needs what `make build` left. A mutant takes minutes, most of them the compiler's.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

from . import cpp_mutants, outcomes
from .cpp_library import Library, Unbuildable
from .mutant import Mutant, shuffled
from .trying import Outcome

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "mutate"
PACKAGES = ("core", "ops", "cpu")
# Which tests besides tests/cpp cover which files, the cheapest first; the samples are those of the file's
# operators. Tests that damage the arguments of all operators, or count calls, take too long.
TESTS = (
    ("core/torch/autograd/*", ("tests/autograd", "tests/programs/test_found.py")),
    ("ops/*/formulas*", ("tests/autograd/test_gradients.py",)),
    ("*", ("tests/ops/test_samples.py",)),
    (
        "*",
        (
            "tests/ops/subjects",
            "tests/ops/wrong_arguments/test_bounded_work.py",
            "tests/ops/wrong_arguments/test_checks.py",
            "tests/ops/pytorch/test_backward_operators.py",
            "tests/ops/pytorch/test_other_dtypes.py",
        ),
    ),
)
UNBUILDABLE = "unbuildable"
# CPU time and wall-clock time for the tests of one line of TESTS.
SECONDS, CLOCK_SECONDS = 300, 1200


def main() -> int:
    options = arguments()
    folder = FOLDER / "cpp"
    folder.mkdir(parents=True, exist_ok=True)
    library = Library(options.generated.resolve(), options.build.resolve(), folder)
    files = [f for f in library.paths if f.startswith(PACKAGES) and f.endswith((".h", ".cpp"))]
    sources = {f: (ROOT / f).read_bytes() for f in files if library.is_of(ROOT, f)}
    if len(sources) < len(files):
        print(f"mutate: {len(files) - len(sources)} files changed since `make build` and are left out")
    every = [m for file, source in sources.items() for m in cpp_mutants.mutants(file, source)]
    results = outcomes.Results(FOLDER / f"cpp-{options.seed}.jsonl")
    cpp_tests = options.build.resolve().parent / "tests-cpp"
    records = []
    for index, (identity, mutant) in enumerate(shuffled(every, sources, options.seed)):
        if len(records) == options.count:
            break
        if options.package not in (None, mutant.package):
            continue
        known = results.by_identity.get(identity)
        if known is None:
            outcome = tried(library, mutant, sources[mutant.file], cpp_tests)
            about = {"seed": options.seed, "index": index, "identity": identity}
            about |= {"kind": outcome.kind, "by": outcome.by, "tests": 0}
            known = outcomes.record(mutant, sources[mutant.file], **about)
            results.add(known)
            print(
                f"mutate: {index} {outcome.kind} {mutant.file}:{mutant.line} {outcome.by or ''}", flush=True
            )
        if known["outcome"] != UNBUILDABLE:
            records.append((mutant.package, known))
    reviewed = outcomes.Reviewed()
    print(*outcomes.summary(records, reviewed), *reviewed.outdated(sources, cpp_mutants.mutants), sep="\n")
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("--package", choices=PACKAGES)
    parser.add_argument("--generated", type=Path, default=ROOT / "generated" / "aten")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "aten")
    return parser.parse_args()


def tried(library: Library, mutant: Mutant, source: bytes, cpp_tests: Path) -> Outcome:
    if "amx" in mutant.file and "amx_tile" not in Path("/proc/cpuinfo").read_text():
        return Outcome(UNBUILDABLE, "this processor has no AMX, which alone runs it")
    try:
        environment = library.environment(library.make(mutant, source))
    except Unbuildable as refused:
        return Outcome(UNBUILDABLE, str(refused).partition("\n")[0])
    for program in filter(runs, sorted(cpp_tests.glob("test_*"))):
        if kind := failed([str(program)], environment):
            return Outcome(kind, program.name)
    environment["MUTATION_OPERATORS"] = " ".join(operators(with_callers(source.decode())))
    environment["PYTHONPATH"] += os.pathsep + str(Path(__file__).parent)
    for pattern, tests in TESTS:
        if fnmatch(mutant.file, pattern) and (kind := failed(pytest_of(tests), environment)):
            return Outcome(kind, tests[0])
    return Outcome("survived")


def runs(program: Path) -> bool:
    return program.is_file() and os.access(program, os.X_OK)


def pytest_of(tests: tuple[str, ...]) -> list[str]:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "operator_rows"]
    return [*command, "-m", "not slow", *(str(ROOT / name) for name in tests)]


def with_callers(source: str) -> str:
    """Returns the source, and those that call the stubs of its kernels: they name the operators."""
    texts = [source]
    if stubs := set(re.findall(r"\bREGISTER_\w*DISPATCH\s*\(\s*(\w+)", source)):
        calls = re.compile(rf"\b({'|'.join(stubs)})\(")
        texts += [t for file in (ROOT / "ops").rglob("*.cpp") if calls.search(t := file.read_text())]
    return "\n".join(texts)


def operators(source: str) -> list[str]:
    """Returns operators with samples whose names begin a word of the file; none when the file names none."""
    declared = (ROOT / "schemas" / "native_functions.yaml").read_text(encoding="utf-8")
    names = set(re.findall(r"^- func: (\w+?)_?[.(]", declared, re.MULTILINE))
    words = {part for word in re.findall(r"\w+", source) for part in _beginnings(word)}
    return sorted(names & words)


def _beginnings(word: str) -> list[str]:
    parts = word.split("_")
    return ["_".join(parts[:n]) for n in range(1, len(parts) + 1)]


def failed(command: list[str], environment: dict[str, str]) -> str | None:
    """Returns how the command noticed the mutant, or None."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))  # noqa: E731
    try:
        done = subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, timeout=CLOCK_SECONDS, preexec_fn=limit
        )
    except subprocess.TimeoutExpired:
        return "timeout"
    return "noticed" if done.returncode not in (0, 5) else None


if __name__ == "__main__":
    sys.exit(main())
