"""Which test runs which line: `python recording.py TREE PACKAGE TEST_FILE OUT` runs the tests of a file under
coverage, in a copy of the tree, and writes name, seconds and lines of each as JSON.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path

import coverage
import pytest

OPTIONS = ("-q", "-m", "not slow", "-p", "no:cacheprovider")
# Also collect data of commands that tests start, of forked children and of processes that end by os._exit.
SETTINGS = """[run]
data_file = {data}
source = {package}
parallel = true
context = ${{MUTATION_TEST-}}
patch = fork, _exit
core = ctrace
"""


def cpu_seconds() -> float:
    """Returns the CPU time of this process and of its finished children: the load of the machine doesn't
    count.
    """
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


class Recorder:
    """A pytest plugin: records lines, time and outcome of each test."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self.measured = measured
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.skipped: set[str] = set()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item):
        # A number replaces the name, which may have characters that coverage's settings would expand.
        context = str(len(self.seconds))
        os.environ["MUTATION_TEST"] = context
        self.measured.switch_context(context)
        begun = cpu_seconds()
        self.seconds[item.nodeid] = 0.0
        yield
        self.seconds[item.nodeid] = cpu_seconds() - begun
        self.measured.switch_context("")
        os.environ.pop("MUTATION_TEST")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome == "failed":
            self.failed.add(report.nodeid)
        elif report.outcome == "skipped":
            self.skipped.add(report.nodeid)


def main(tree: Path, package: str, file: str, out: Path) -> int:
    work = tree.parent / "recording"
    work.mkdir(exist_ok=True)
    for old in work.glob("data*"):
        old.unlink()
    settings = work / "coveragerc"
    settings.write_text(SETTINGS.format(data=work / "data", package=tree / package))
    os.environ["COVERAGE_PROCESS_START"] = str(settings)
    os.chdir(tree)
    measured = coverage.Coverage(config_file=str(settings))
    recorder = Recorder(measured)
    measured.start()
    code = pytest.main([*OPTIONS, "--rootdir", str(tree), file], [recorder])
    measured.stop()
    measured.save()
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
        return int(code)
    measured.combine([str(work)])
    out.write_text(json.dumps(records(recorder, lines_by_test(measured, tree))))
    if recorder.failed:
        print("recording: these fail already and notice nothing:", *sorted(recorder.failed), sep="\n  ")
    return 0


def lines_by_test(measured: coverage.Coverage, tree: Path) -> dict[str, dict[str, int]]:
    """Returns test number -> file -> its lines, as the bits of an integer."""
    data = measured.get_data()
    found: dict[str, dict[str, int]] = {}
    for file in data.measured_files():
        name = Path(file).relative_to(tree).as_posix()
        for line, contexts in data.contexts_by_lineno(file).items():
            for context in filter(None, contexts):
                # In-process lines have "|NUMBER", those of children "NUMBER" or "NUMBER|NUMBER".
                lines = found.setdefault(context.rpartition("|")[2], {})
                lines[name] = lines.get(name, 0) | 1 << line
    return found


def records(recorder: Recorder, lines: dict[str, dict[str, int]]) -> list[tuple[str, float, dict[str, str]]]:
    """Returns name, seconds and the lines of each file in hexadecimal digits; no lines where a test doesn't
    pass.
    """
    found = []
    for number, (test, seconds) in enumerate(recorder.seconds.items()):
        of_test = {} if test in recorder.failed | recorder.skipped else lines.get(str(number), {})
        found.append((test, round(seconds, 3), {file: hex(bits) for file, bits in of_test.items()}))
    return found


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3], Path(sys.argv[4])))
