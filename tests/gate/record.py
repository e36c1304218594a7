"""How long each part of a run takes, and each test, and why tests failed: lines of JSON in the file that
TEST_RECORD names.

python tests/gate/record.py build/gate.jsonl --json build/gate.json      prints them, the failures last
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1]))

from gate import files

VARIABLE = "TEST_RECORD"
SLOWEST = 20
LINES = 40  # of each failure, the last ones


def add(**line: Any) -> None:
    if file := os.environ.get(VARIABLE):
        files.append(Path(file), line)


class Recorder:
    """Adds the tests' seconds and failures, in the process that shows the results. Tests that a test runs are
    not added.
    """

    def __init__(self) -> None:
        self._is_inner = "PYTEST_CURRENT_TEST" in os.environ  # before the first test here sets it
        self._seconds: Counter[str] = Counter()
        self._failures: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid] += report.duration
        if report.failed:
            self._failures[report.nodeid] = "\n".join(report.longreprtext.splitlines()[-LINES:])

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Iterator[None]:
        yield
        if self._is_inner:
            return
        tests = {name: round(seconds, 3) for name, seconds in self._seconds.items()}
        with files.or_exit():
            add(tests=tests, failures=self._failures)


def summed(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns the seconds of each part, of each test, and of the tests of each folder."""
    parts: Counter[str] = Counter()
    tests: Counter[str] = Counter()
    failures: dict[str, str] = {}
    for line in lines:
        if "part" in line:
            parts[line["part"]] += line["seconds"]
        tests.update(line.get("tests", {}))
        failures.update(line.get("failures", {}))
    folders: Counter[str] = Counter()
    for name, seconds in tests.items():
        folders["/".join(name.partition("::")[0].split("/")[:2])] += seconds
    by_folder = dict(folders.most_common())
    return {"parts": dict(parts), "folders": by_folder, "tests": dict(tests), "failures": failures}


def table(record: dict[str, Any]) -> Iterator[str]:
    yield "seconds of each part:"
    yield from (f"{seconds:8.0f}  {name}" for name, seconds in record["parts"].items())
    yield "seconds of the Python tests of each folder, of all processes together:"
    yield from (f"{seconds:8.0f}  {name}" for name, seconds in record["folders"].items())
    yield f"seconds of the {SLOWEST} slowest tests:"
    slowest = Counter(record["tests"]).most_common(SLOWEST)
    yield from (f"{seconds:8.1f}  {name}" for name, seconds in slowest)
    # Tests that need one fixture fail with one message.
    for text in dict.fromkeys(record["failures"].values()):
        yield from (f"failed: {name}" for name, said in record["failures"].items() if said == text)
        yield text


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("record", type=Path)
    parser.add_argument("--json", type=Path, help="also written to this file")
    options = parser.parse_args()
    record = summed(list(files.lines(options.record)))
    if options.json:
        files.write(options.json, json.dumps(record, indent=1) + "\n")
    print(*table(record), sep="\n")


if __name__ == "__main__":
    main()
