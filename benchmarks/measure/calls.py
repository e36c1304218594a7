"""Cost of a call from Python: nanoseconds, and instructions if valgrind is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from .peers import Peer
from .table import Row
from .timing import Statement, compare

ONE = {"a": np.ones(1, np.float32), "b": np.ones(1, np.float32), "o": np.ones(1, np.float32)}
MATRIX = {"a": np.ones((4, 4), np.float32), "b": np.ones((4, 4), np.float32)}
# name, budget in ns, statement in PyTorch's API, in NumPy's, arrays
CASES = (
    ("add(a, b), one element", 90, "T.add(a, b)", "np.add(a, b)", ONE),
    ("a + b", 90, "a + b", "a + b", ONE),
    ("a + 2.0", None, "a + 2.0", "a + np.float32(2)", ONE),
    ("a.add_(b)", None, "a.add_(b)", "np.add(a, b, out=a)", ONE),
    ("add(a, b, out=o)", None, "T.add(a, b, out=o)", "np.add(a, b, out=o)", ONE),
    ("mul(a, b)", 90, "T.mul(a, b)", "np.multiply(a, b)", ONE),
    ("relu(a)", 90, "T.relu(a)", "np.maximum(a, 0)", ONE),
    ("sum(a)", None, "T.sum(a)", "a.sum()", ONE),
    ("cat((a, b))", None, "T.cat((a, b))", "np.concatenate((a, b))", ONE),
    ("clone()", None, "a.clone()", "a.copy()", ONE),
    ("item()", None, "a.item()", "a.item()", ONE),
    ("ops.aten.add.Tensor(a, b)", None, "f(a, b)", None, ONE),
    ("empty((16,))", None, "T.empty((16,))", "np.empty((16,))", {}),
    ("zeros((16,))", None, "T.zeros((16,))", "np.zeros((16,))", {}),
    ("tensor([1., 2., 3.])", None, "T.tensor([1., 2., 3.])", "np.array([1., 2., 3.])", {}),
    ("view(16)", None, "a.view(16)", "a.reshape(16)", MATRIX),
    ("transpose(0, 1)", None, "a.transpose(0, 1)", "a.transpose(1, 0)", MATRIX),
    ("a[0]", None, "a[0]", "a[0]", MATRIX),
    ("a[1:3]", None, "a[1:3]", "a[1:3]", MATRIX),
    ("a[:, 0]", None, "a[:, 0]", "a[:, 0]", MATRIX),
    ("a.shape", None, "a.shape", "a.shape", MATRIX),
    ("matmul 4x4", None, "T.matmul(a, b)", "np.matmul(a, b)", MATRIX),
    ("softmax 4x4", None, "F.softmax(a, -1)", None, MATRIX),
)


def python_calls(peers: list[Peer], rounds: int) -> list[Row]:
    """Measures the CPU time of each call in nanoseconds."""
    rows = []
    for name, budget, torch_like, numpy_like, arrays in CASES:
        statements = {}
        for peer in peers:
            code = torch_like if peer.torch_like else numpy_like
            if code is None:
                continue
            names = peer.names(arrays)
            if "f(" in code:
                names["f"] = peer.module.ops.aten.add.Tensor
            statements[peer.name] = Statement(code, names)
        ns = compare(statements, rounds=rounds, seconds=1e-3).ns
        rows.append(Row(name, "ns", budget, ns["ours"], ns.get("torch"), ns.get("numpy")))
    return rows


PROGRAM = """
import {module} as T
a, b = T.ones(({n},)), T.ones(({n},))
def run(times):
    for _ in range(times):
        {code}
run(200)
run({times})
"""


def instructions(code: str, module: str = "aten") -> float | None:
    """Counts the instructions of `code` for one-element arrays a and b of the module T, without the loop."""
    if shutil.which("valgrind") is None:
        return None
    times = 5000
    totals = [
        _total(module, statement, times + extra) for statement in (code, "pass") for extra in (0, times)
    ]
    return (totals[1] - totals[0] - (totals[3] - totals[2])) / times


def _total(module: str, code: str, times: int) -> int:
    """Counts the instructions of a whole process."""
    program = PROGRAM.format(module=module, n=1, code=code, times=times)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        command = [
            "valgrind",
            "--tool=callgrind",
            f"--callgrind-out-file={out}",
            sys.executable,
            "-c",
            program,
        ]
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        subprocess.run(command, check=True, env=environment, capture_output=True)
        found = re.search(rb"^(?:totals|summary): (\d+)", out.read_bytes(), re.MULTILINE)
    assert found is not None, "callgrind printed no total"
    return int(found[1])


def python_instructions() -> list[Row]:
    """Counts the instructions of the same calls, which are not affected by noise."""
    cases = (
        ("aten.add(a, b), one element", 900, "T.add(a, b)"),
        ("a + b", 900, "a + b"),
        ("a.view(1)", None, "a.view(1)"),
        ("a[0]", None, "a[0]"),
    )
    rows = []
    for name, budget, code in cases:
        numpy_like = None if "view" in code else instructions(code, "numpy")
        rows.append(Row(name, "instr.", budget, instructions(code), None, numpy_like))
    return rows
