"""Runs data-apis' array-api-tests with this library.

python tests/array_api/array_suite.py [EXAMPLES]    runs both namespaces, prints what fails unlisted, writes
docs/array-api.md"""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUITE = ROOT.parent / "shared" / "suites" / "array-api-tests"
PAGE = ROOT / "docs" / "array-api.md"
EXCEPTIONS = Path(__file__).with_name("exceptions.txt")
NAMESPACES = ("aten", "aten.array_api")
VERSION = "2025.12"
# Small arrays: many of the suite's comparisons are loops over elements.
LARGEST = "64"


def run(namespace: str, examples: int, suite: Path = SUITE) -> dict[str, str]:
    """Returns "passed", "failed" or "skipped" for each test."""
    with tempfile.TemporaryDirectory() as made:
        copy = Path(made) / "suite"
        shutil.copytree(suite, copy)
        # An empty folder, which the suite asks for and a copy without git's submodules doesn't have.
        (copy / "array-api" / "spec" / VERSION / "API_specification").mkdir(parents=True, exist_ok=True)
        report = Path(made) / "report.xml"
        command = [
            sys.executable,
            "-W",
            "ignore",
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
        ]
        command += ["--max-examples", str(examples), "--disable-deadline", "--derandomize", "--tb=no"]
        command += ["--junitxml", str(report), "array_api_tests"]
        variables = {
            "ARRAY_API_TESTS_MODULE": namespace,
            "ARRAY_API_TESTS_VERSION": VERSION,
            "ARRAY_API_TESTS_MAX_ARRAY_SIZE": LARGEST,
        }
        kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
        done = subprocess.run(
            command, cwd=copy, env=kept | variables, capture_output=True, text=True, check=False
        )
        if not report.exists():
            raise RuntimeError(done.stdout[-4000:] + done.stderr[-4000:])
        return results(report)


def results(report: Path) -> dict[str, str]:
    found = {}
    for case in ET.parse(report).iter("testcase"):
        name = f"{case.get('classname', '').removeprefix('array_api_tests.')}::{case.get('name')}"
        failed = case.find("failure") is not None or case.find("error") is not None
        found[name] = "failed" if failed else "skipped" if case.find("skipped") is not None else "passed"
    return found


def exceptions(namespace: str) -> list[tuple[str, str]]:
    """Returns (pattern, reason) of the tests that may fail."""
    found = []
    for line in EXCEPTIONS.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            where, pattern, reason = (part.strip() for part in line.split(" | "))
            if where in (namespace, "both"):
                found.append((pattern, reason))
    return found


def matches(name: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(name, re.sub(r"\[", "[[]", pattern))


def unlisted(namespace: str, found: dict[str, str]) -> list[str]:
    """Returns the failed tests for which there is no exception."""
    listed = exceptions(namespace)
    return [n for n, word in found.items() if word == "failed" and not any(matches(n, p) for p, _ in listed)]


HEAD = f"""\
# The array API standard

`aten.array_api` has the functions of the array API standard {VERSION} with its names, arguments and results.
`Tensor.__array_namespace__()` returns it. The package's own functions are PyTorch's; where these take or do
the same, as most do, they pass the standard's tests, too. `axis` and `keepdims` are accepted for `dim` and
`keepdim`, as PyTorch accepts NumPy's names.

The table counts the tests of data-apis' suite, `array-api-tests`, with {{examples}} examples each and arrays
of up to {LARGEST} elements. `make test-all` runs the suite where it is beside the repository; `python
tests/array_api/array_suite.py` writes this page.

| namespace | passed | failed | skipped |
|---|---|---|---|
"""


def page(found: dict[str, dict[str, str]], examples: int) -> str:
    parts = [HEAD.format(examples=examples)]
    for namespace, words in found.items():
        values = list(words.values())
        parts.append(f"| `{namespace}` | {' | '.join(str(values.count(w)) for w in WORDS)} |\n")
    for namespace, words in found.items():
        failed = [n for n, w in words.items() if w == "failed"]
        parts.append(f"\n## What fails in `{namespace}`\n\n| tests | number | because |\n|---|---|---|\n")
        for pattern, reason in exceptions(namespace):
            count = sum(matches(n, pattern) for n in failed)
            if count:
                parts.append(f"| `{pattern.replace('|', chr(92) + '|')}` | {count} | {reason} |\n")
    return "".join(parts)


WORDS = ("passed", "failed", "skipped")


def main() -> int:
    """Runs the suite and writes the page."""
    examples = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    found = {namespace: run(namespace, examples) for namespace in NAMESPACES}
    for namespace, words in found.items():
        for name in unlisted(namespace, words):
            print(f"{namespace}: {name}")
    PAGE.write_text(page(found, examples), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
