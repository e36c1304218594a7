"""Runs PyTorch's own test files with this library as their `torch`, and writes the page of the results.

    python tests/pytorch_own/pytorch_own.py --tests PYTORCH/test [--file test_nn.py ...] [--match REGEX]

The files are those of a PyTorch source tree that the caller has; they are other people's programs, and run
in child processes. Results are kept in build/pytorch-tests/, so that a run that was stopped goes on where it
was.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import util
from pathlib import Path

import page

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RESULTS = ROOT / "build" / "pytorch-tests"
FILES = (
    "test_nn.py nn/test_convolution.py nn/test_dropout.py nn/test_embedding.py nn/test_init.py "
    "nn/test_lazy_modules.py nn/test_load_state_dict.py nn/test_module_hooks.py "
    "nn/test_multihead_attention.py nn/test_packed_sequence.py nn/test_parametrization.py "
    "nn/test_pooling.py nn/test_pruning.py test_modules.py test_optim.py "
    "optim/test_lrscheduler.py optim/test_swa_utils.py test_serialization.py test_dataloader.py "
    "distributions/test_constraints.py distributions/test_distributions.py distributions/test_transforms.py "
    "distributions/test_utils.py test_autograd.py autograd/test_complex.py autograd/test_functional.py"
).split()
BATCH = 400  # tests of one process, as importing the helpers takes as long as many tests


def main() -> int:
    options = _options()
    tree = Path(options.pytorch) if options.pytorch else _installed()
    chosen = options.file or [file for file in FILES if (options.tests / file).exists()]
    for file in chosen if not options.page else ():
        path = options.tests / file
        if not path.exists():
            raise SystemExit(f"{path}: there is no such file")
        File(file, path.resolve(), tree, options).run()
    if options.results == RESULTS:
        page.write(options.tests, RESULTS, _version(tree), options.limit)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--tests", type=Path, required=True, help="the folder `test` of a PyTorch source tree"
    )
    parser.add_argument("--file", action="append", help="a test file in it; all of the list without")
    parser.add_argument("--match", default="", help="only tests whose names this finds")
    parser.add_argument(
        "--pytorch", help="PyTorch's Python files, a folder `torch`; the installed ones without"
    )
    parser.add_argument("--again", choices=("failed", "all"), help="also tests that have a result")
    parser.add_argument(
        "--check", action="store_true", help="run the tests that fail here with PyTorch itself"
    )
    parser.add_argument(
        "--limit", type=float, default=60, help="seconds for a test; then it counts as failed"
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="where they are kept")
    parser.add_argument("--page", action="store_true", help="only write the page of the results")
    return parser.parse_args()


def _installed() -> Path:
    found = util.find_spec("torch")
    if found is None or found.origin is None:
        raise SystemExit("PyTorch isn't installed: --pytorch names the folder `torch` with its Python files")
    return Path(found.origin).parent


def _version(tree: Path) -> str:
    """The version that PyTorch's folder says it has."""
    said = re.search(r"__version__ = '([\d.]+)", (tree / "version.py").read_text())
    return said[1] if said else "of an unknown version"


class File:
    """A test file, and the results of its tests."""

    def __init__(self, name: str, path: Path, tree: Path, options: argparse.Namespace) -> None:
        self.name, self.path, self.tree, self.options = name, path, tree, options
        stem = name.removesuffix(".py").replace("/", ".")
        options.results.mkdir(parents=True, exist_ok=True)
        self.kept = options.results / f"{stem}.json"
        self.results: dict[str, dict[str, object]] = _read(self.kept)
        self.begun, self.noted = time.monotonic(), 0

    def run(self) -> None:
        names, said = self.names()
        if not names:
            print(f"{self.name}: it can't be imported\n{said[-2000:]}", flush=True)
            self.results = {"": {"what": "failed", "text": said[-2000:]}}
            self.save()
            return
        self.results = {name: self.results[name] for name in names if name in self.results}
        chosen = [name for name in names if re.search(self.options.match, name) and self.wanted(name)]
        for first in range(0, len(chosen), BATCH):
            rest = chosen[first : first + BATCH]
            while rest:
                rest = self.batch(rest)
                self.save()
        self.save()
        print(f"{self.name}: {self.counted()}, {time.monotonic() - self.begun:.0f} s", flush=True)

    def wanted(self, name: str) -> bool:
        result = self.results.get(name)
        if self.options.check:
            return result is not None and result["what"] == "failed" and "pytorch" not in result
        again = self.options.again
        return result is None or again == "all" or (again == "failed" and result["what"] == "failed")

    def names(self) -> tuple[list[str], str]:
        command = self.command("list")
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=600, env=self.environment()
        )
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        return (lines[-1]["names"] if lines else []), done.stderr

    def command(self, action: str) -> list[str]:
        tree = "-" if self.options.check and action == "run" else str(self.tree)
        return [sys.executable, str(HERE / "child.py"), action, str(self.path), tree]

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "PYTORCH_TESTING_DEVICE_ONLY_FOR": "cpu",
            "PYTHONWARNINGS": "",
        }

    def batch(self, names: list[str]) -> list[str]:
        """Runs tests in a child; returns those that are left after one that ended or outlasted it."""
        log = self.kept.with_suffix(".log")
        with log.open("wb") as said:
            child = subprocess.Popen(
                self.command("run"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said,
                env=self.environment(), start_new_session=True,
            )  # fmt: skip
            child.stdin.write("\n".join(names).encode())
            child.stdin.close()
            running, left = "", list(names)
            for event in _lines(child, self.options.limit):
                if "begins" in event:
                    running = event["begins"]
                    left.remove(running)
                elif "ends" in event:
                    self.note(event.pop("ends"), event)
                    running = ""
            late = child.poll() is None
            _kill(child)
        if running:
            text = (
                f"it took more than {self.options.limit:.0f} s"
                if late
                else f"the process ended: {child.returncode}"
            )
            self.note(running, {"what": "failed", "text": text})
        elif len(left) == len(names):
            raise SystemExit(f"{self.name}: the tests can't be started\n{log.read_text()[-2000:]}")
        return left

    def note(self, name: str, result: dict[str, object]) -> None:
        if self.options.check:
            self.results[name]["pytorch"] = result["what"]
        else:
            self.results[name] = result
        self.noted += 1
        if self.noted % 25 == 0:
            self.save()

    def save(self) -> None:
        partial = self.kept.with_suffix(".part")
        partial.write_text(json.dumps(self.results, indent=0) + "\n")
        partial.replace(self.kept)

    def counted(self) -> str:
        kinds = [str(result["what"]) for result in self.results.values()]
        return ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("passed", "failed", "skipped"))


def _lines(child: subprocess.Popen[bytes], limit: float) -> Iterator[dict[str, str]]:
    """Yields what a child says, until it ends or says nothing for as long as a test may take."""
    pending = b""
    with selectors.DefaultSelector() as ready:
        ready.register(child.stdout, selectors.EVENT_READ)
        allowed = limit + 600  # for the imports
        while ready.select(allowed):
            read = os.read(child.stdout.fileno(), 65536)
            if not read:
                child.wait(30)
                return
            *whole, pending = (pending + read).split(b"\n")
            yield from map(json.loads, whole)
            allowed = limit


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Ends a child with the processes that its tests started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, 9)
    child.wait()


def _read(path: Path) -> dict[str, dict[str, object]]:
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return {}


if __name__ == "__main__":
    sys.exit(main())
