"""Fixtures shared by the tests of all folders."""

from __future__ import annotations

import fcntl
import gc
import os
import random
import shutil
import signal
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from core_aten import CoreAten
from failure_lines import FailureLines
from gate import ledger, record, seconds, share
from left_out_counts import LeftOut
from pytorch_samples import make_fast

Once = Callable[[str, Callable[[Path], None]], Path]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-core-aten",
        action="store_true",
        help="write tests/ops/pytorch/core_aten.txt, once its tests all ran with ATEN_ALL_SAMPLES=1",
    )
    share.add_options(parser)
    ledger.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Restores the handling of Ctrl-C: tests started in the background ignore it, and their child processes
    inherit that; some tests send Ctrl-C to these.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if share.has_share(config):
        config.pluginmanager.register(share.Share(config))
    if ledger.has_ledger(config):
        config.pluginmanager.register(ledger.Ledger(config))
    config.pluginmanager.register(LeftOut(config))
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(CoreAten(config))
        config.pluginmanager.register(FailureLines(config))
        config.pluginmanager.register(record.Recorder())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    seconds.mark(items, config.rootpath)


def pytest_collection_finish() -> None:
    """Lets the garbage collector ignore the tests, PyTorch and its database: with these, millions of objects,
    a collection takes a second, and many tests collect.
    """
    make_fast()
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def seeded(request: pytest.FixtureRequest) -> None:
    """A test's random numbers are the same in each run, also alone: its name is the seed."""
    seed = zlib.crc32(request.node.nodeid.encode())
    random.seed(seed)
    for name in ("aten", "torch"):
        if (package := sys.modules.get(name)) is not None and hasattr(package, "manual_seed"):
            package.manual_seed(seed)


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """`once(name, make)` is a folder that `make` has filled: in one of the parallel test processes, while the
    others that ask for it wait.
    """
    root = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent

    def made(name: str, make: Callable[[Path], None]) -> Path:
        folder, done = root / name, root / f".{name}.done"
        with open(root / f".{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                make(folder)
                done.touch()
        return folder

    return made
