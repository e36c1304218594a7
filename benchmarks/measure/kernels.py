"""Kernels in one thread, compared with PyTorch and NumPy: our cases, and those of a side-by-side harness."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from .peers import Peer
from .table import Row
from .timing import Statement, compare

Arrays = Callable[[], dict[str, np.ndarray]]
_random = np.random.default_rng(0)


def _uniform(*shape: int, dtype: type = np.float32) -> np.ndarray:
    return _random.uniform(0.1, 2.0, shape).astype(dtype)


def _vectors(n: int) -> Arrays:
    return lambda: {
        "a": _uniform(n),
        "b": _uniform(n),
        "o": np.ones(n, np.float32),
        "c": _random.random(n) > 0.5,
    }


def _matrix(h: int, w: int) -> Arrays:
    return lambda: {"a": _uniform(h, w), "b": _uniform(h, w), "w": _uniform(w), "v": _uniform(w)}


VECTOR_CASES = (
    ("add", "T.add(a, b)", "np.add(a, b)"),
    ("add out=", "T.add(a, b, out=o)", "np.add(a, b, out=o)"),
    ("mul by a scalar", "a * 2.0", "a * np.float32(2)"),
    ("div out=", "T.div(a, b, out=o)", "np.divide(a, b, out=o)"),
    ("exp out=", "T.exp(a, out=o)", "np.exp(a, out=o)"),
    ("log out=", "T.log(a, out=o)", "np.log(a, out=o)"),
    ("tanh out=", "T.tanh(a, out=o)", "np.tanh(a, out=o)"),
    ("sin out=", "T.sin(a, out=o)", "np.sin(a, out=o)"),
    ("sqrt out=", "T.sqrt(a, out=o)", "np.sqrt(a, out=o)"),
    ("pow out=", "T.pow(a, b, out=o)", "np.power(a, b, out=o)"),
    ("relu", "T.relu(a)", "np.maximum(a, 0)"),
    ("gelu", "F.gelu(a)", None),
    ("gt", "T.gt(a, b)", "np.greater(a, b)"),
    ("where", "T.where(c, a, b)", "np.where(c, a, b)"),
    ("clamp", "T.clamp(a, 0.5, 1.5)", "np.clip(a, 0.5, 1.5)"),
    ("sum", "T.sum(a)", "a.sum()"),
    ("amax", "T.amax(a)", "a.max()"),
    ("argmax", "T.argmax(a)", "a.argmax()"),
    ("var", "T.var(a)", "a.var(ddof=1)"),
    ("cumsum", "T.cumsum(a, 0)", "np.cumsum(a)"),
    ("any", "T.any(a)", "np.any(a)"),
    ("sort", "T.sort(a)", "np.sort(a); np.argsort(a)"),
    ("topk 10", "T.topk(a, 10)", "np.partition(a, -10)[-10:]"),
    ("nonzero", "T.nonzero(c)", "np.nonzero(c)"),
    ("rand", "T.rand(100000)", "np.random.default_rng(1).random(100000, dtype=np.float32)"),
)
MATRIX_CASES = (
    ("sum dim 0", "T.sum(a, 0)", "a.sum(0)"),
    ("sum dim -1", "T.sum(a, -1)", "a.sum(-1)"),
    ("softmax", "T.softmax(a, -1)", None),
    ("layer_norm", f"F.layer_norm(a, ({1000},), w, v)", None),
    ("a.T contiguous", "a.T.contiguous()", "np.ascontiguousarray(a.T)"),
    ("add a row", "T.add(a, w)", "np.add(a, w)"),
    ("cat", "T.cat((a, b))", "np.concatenate((a, b))"),
)
GEMM_SIZES = {
    "float": (64, 128, 256, 512, 1024),
    "double": (256, 1024),
    "bfloat16": (64, 256, 1024),
    "float16": (64, 256, 1024),
}


def rows(peers: list[Peer], rounds: int) -> list[Row]:
    """Measures microseconds; the ratio is the median of the ratios within a round."""
    table = []
    cases = [(f"{name}, 1e5 floats", tl, np_, _vectors(10**5)) for name, tl, np_ in VECTOR_CASES]
    cases += [(f"{name}, 1e7 floats", tl, np_, _vectors(10**7)) for name, tl, np_ in VECTOR_CASES[:2]]
    cases += [(f"{name}, 1000 x 1000", tl, np_, _matrix(1000, 1000)) for name, tl, np_ in MATRIX_CASES]
    for name, torch_like, numpy_like, arrays in cases:
        times = _time(peers, torch_like, numpy_like, arrays(), rounds)
        table.append(Row(name, "us", None, *(t / 1e3 if t else None for t in times)))
    return table


def gemm(peers: list[Peer], rounds: int) -> list[Row]:
    """Measures GFLOP/s of square matrix products; NumPy for float and double only."""
    table = []
    for dtype, sizes in GEMM_SIZES.items():
        whole = dtype in ("float", "double")
        for n in sizes:
            made = np.float64 if dtype == "double" else np.float32
            arrays = {"a": _uniform(n, n, dtype=made), "b": _uniform(n, n, dtype=made)}
            numpy_like = "np.matmul(a, b)" if whole else None
            times = _time(peers, "T.matmul(a, b)", numpy_like, arrays, rounds, None if whole else dtype)
            rates = (2 * n**3 / t if t else None for t in times)
            table.append(Row(f"matmul {n} x {n}, {dtype}", "GFLOP/s", None, *rates, more=True))
    return table


def _time(
    peers: list[Peer],
    torch_like: str,
    numpy_like: str | None,
    arrays: dict[str, np.ndarray],
    rounds: int,
    dtype: str | None = None,
) -> list[float | None]:
    """Returns nanoseconds of ours, PyTorch and NumPy; with a dtype, for tensors of this dtype in the first
    two.
    """
    statements = {}
    for peer in peers:
        code = torch_like if peer.torch_like else numpy_like
        if code is not None:
            names = peer.names(arrays)
            if dtype is not None:
                names |= {k: names[k].to(getattr(peer.module, dtype)) for k in arrays}
            statements[peer.name] = Statement(code, names)
    ns = compare(statements, rounds=rounds, seconds=4e-3).ns
    return [ns.get(name) for name in ("ours", "torch", "numpy")]


def geomean(table: list[Row]) -> float | None:
    """Returns the geometric mean of the ratios to PyTorch's times; rates are inverted."""
    ratios = [1 / row.ratio if row.more else row.ratio for row in table if row.ratio]
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def with_harness(harness: Path, out: Path, suites: str, rounds: int) -> list[str]:
    """Runs the suites of a side-by-side harness; returns the lines of its summary."""
    peers = "torch,numpy,aten"
    command = [sys.executable, str(harness / "run.py"), "--suite", suites, "--peers", peers]
    command += ["--threads", "1", "--rounds", str(rounds), "--out", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ))
    lines = []
    for suite in suites.split(","):
        file = out / f"{suite}_t1.json"
        if file.is_file():
            lines += _summary(suite, json.loads(file.read_text()))
    return lines


def _summary(suite: str, cases: list[dict]) -> list[str]:
    """Returns lines with the geometric mean, and the cases in which ours is slower."""
    ratios = {case["name"]: case["ratio"].get("aten/torch") for case in cases}
    known = {name: ratio for name, ratio in ratios.items() if ratio}
    if not known:
        return [f"{suite}: no case that both have"]
    mean = math.exp(sum(map(math.log, known.values())) / len(known))
    slower = sorted(((r, n) for n, r in known.items() if r > 1.1), reverse=True)
    lines = [f"{suite}: {len(known)} cases, geometric mean ours/PyTorch {mean:.2f}, above 1.1: {len(slower)}"]
    lines += [f"  {ratio:.2f} {name}" for ratio, name in slower]
    lacking = sorted(case["name"] for case in cases if "aten" in case["errors"])
    return [*lines, f"  not there: {', '.join(lacking)}"] if lacking else lines
