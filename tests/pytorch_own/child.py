"""Runs tests of one of PyTorch's test files, in a process of its own: the child of pytorch_own.py.

    child.py list FILE TREE|-                names of the file's tests
    child.py run FILE TREE|- < names         runs them; a line of JSON when each begins and ends

TREE is the folder of PyTorch's own Python files; with `-` the tests run with PyTorch itself.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
import time
import traceback
import unittest
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import by_pytest
import stubs

SAYS = os.fdopen(os.dup(1), "w", buffering=1)  # tests print, and close what they like


def main() -> None:
    action, file, tree = sys.argv[1:4]
    os.dup2(2, 1)
    sys.argv[1:] = []
    if tree != "-":
        import loading

        loading.install(Path(tree))
    rename()
    tests = dict(named_tests(imported(Path(file))))
    if action == "list":
        say(names=list(tests) or by_pytest.names(Path(file)))
        return
    if not tests:
        by_pytest.run(Path(file), sys.stdin.read().split("\n"), say)
        return
    for name in sys.stdin.read().split("\n"):
        if name:
            say(begins=name)
            run(name, tests[name])


def say(**values: Any) -> None:
    SAYS.write(json.dumps(values) + "\n")
    SAYS.flush()


def imported(file: Path) -> ModuleType:
    """Imports the test file as `__main__`, which PyTorch's load_tests() looks at."""
    os.chdir(file.parent)
    sys.path.insert(0, str(file.parent))
    if file.parent.name != "test":
        sys.path.insert(1, str(file.parent.parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    vars(sys.modules["__main__"]).update({n: v for n, v in vars(module).items() if n[:2] != "__"})
    return module


def named_tests(module: ModuleType) -> Iterator[tuple[str, unittest.TestCase]]:
    loader = unittest.TestLoader()
    for value in list(vars(module).values()):
        if (
            isinstance(value, type)
            and issubclass(value, unittest.TestCase)
            and value.__module__ == module.__name__
        ):
            for name in loader.getTestCaseNames(value):
                yield f"{value.__qualname__}.{name}", value(name)


def rename() -> None:
    """Adds the names of the helpers that other versions of PyTorch had."""
    for place, names in stubs.FORMER.items():
        module = importlib.import_module(f"torch.{place}")
        for name, value in names.items():
            if not hasattr(module, name):
                setattr(module, name, eval(value, vars(module)) if isinstance(value, str) else value)


class Outcome(unittest.TestResult):
    """What a test came to: the first failure of it, or why it was skipped."""

    what, text = "passed", ""

    def _note(self, what: str, text: str) -> None:
        if self.what not in ("failed",):
            self.what, self.text = what, text

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        self._note("failed", described(err))

    addFailure = addError

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        if err is not None:
            self._note("failed", described(err))

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self._note("skipped", reason)

    def addExpectedFailure(self, test: unittest.TestCase, err: Any) -> None:
        pass

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        self._note("failed", "unexpected success")


def described(error: Any) -> str:
    """The type and text of an error and its last places."""
    kind, value, trace = error
    frames = traceback.extract_tb(trace)
    frames = [frame for frame in frames if "unittest" not in frame.filename]
    places = " < ".join(f"{Path(f.filename).name}:{f.lineno} {(f.line or '')[:120]}" for f in frames[:-5:-1])
    return f"{kind.__name__}: {str(value)[:600]}\n{places}"


def run(name: str, test: unittest.TestCase) -> None:
    outcome = Outcome()
    begun = time.monotonic()
    try:
        test.run(outcome)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        outcome._note("failed", described((type(error), error, error.__traceback__)))
    if "loading" in sys.modules:
        sys.modules["loading"].forget_hooks()
    say(ends=name, what=outcome.what, text=outcome.text, seconds=round(time.monotonic() - begun, 2))


if __name__ == "__main__":
    main()
