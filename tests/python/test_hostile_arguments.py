"""Every call returns or raises an exception, whatever its arguments: all functions and methods with random
values, in processes of their own.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import zlib

import aten
import pytest

VALUES = [
    None, True, 0, 1, -1, 2, 7, 2**31, -(2**63), 2**64, 0.0, -1.5, float("nan"), float("inf"), 1j, "",
    "none", "floor",
    [], (), [1], [0, 1], [-1], [2**62, 2**62], [1.5], ["a"], {}, object(), int, slice(1), ...,
]  # fmt: skip
NAMES = [("function", n) for n in sorted(vars(aten._C._VariableFunctions)) if not n.startswith("__")]
NAMES += [
    ("method", n)
    for n in sorted(dir(aten.Tensor))
    if n not in ("__class__", "__init_subclass__", "__subclasshook__") and hasattr(aten.Tensor, n)
]
GROUPS = [NAMES[i : i + 16] for i in range(0, len(NAMES), 16)]
# Time limit in seconds for all calls of one function.
TIMEOUT = 20


def tensors() -> list[object]:
    return [
        aten.ones(2, 3), aten.arange(4), aten.empty(0), aten.empty(0, 3), aten.tensor(1.5), aten.ones(2,
        device="meta"),
        aten.ones(2, dtype=aten.bool), aten.ones(1).expand(3), aten.ones(3, 2).t(), aten.ones(2,
        dtype=aten.bfloat16),
        aten.ones(2, dtype=aten.complex64), [aten.ones(2), aten.ones(3)], aten.float32, aten.int8,
        aten.strided,
        aten.contiguous_format, aten.device("cpu"), aten.device("cuda:3"), aten.default_generator,
        aten.Size([2]),
    ]  # fmt: skip


def attack(kind: str, name: str) -> None:
    rng = random.Random(zlib.crc32(name.encode()))
    values = VALUES + tensors()
    keywords = ["dim", "out", "dtype", "keepdim", "other", "size", "device", "alpha", "generator", "nothing"]
    for _ in range(60):
        args = [rng.choice(values) for _ in range(rng.randrange(5))]
        kwargs = {rng.choice(keywords): rng.choice(values) for _ in range(rng.randrange(3))}
        target = aten._C._VariableFunctions if kind == "function" else rng.choice(tensors()[:10])
        try:
            function = getattr(target, name)
            if callable(function):
                function(*args, **kwargs)
        except Exception as error:
            assert "INTERNAL ASSERT" not in str(error), f"{args} {kwargs}: {error}"


def fate(names: list[tuple[str, str]]) -> str:
    """Returns what was wrong with the calls, made in a child process."""
    child = os.fork()
    if child == 0:
        aten.set_num_threads(1)
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
        for kind, name in names:
            signal.alarm(TIMEOUT)
            try:
                attack(kind, name)
            except BaseException as error:
                print(f"{name}: {error!r}", flush=True)
                os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    what = ", ".join(f"{kind} {name}" for kind, name in names)
    if os.WIFSIGNALED(status):
        return f"{what} died of signal {os.WTERMSIG(status)}"
    return f"{what} raised what it printed" if os.WEXITSTATUS(status) else ""


@pytest.mark.parametrize("names", GROUPS, ids=lambda names: f"{names[0][1]}..{names[-1][1]}")
def test_no_call_kills_the_process(names: list[tuple[str, str]]) -> None:
    """A process for all; only where something is wrong, one for each says what."""
    whole = fate(names)
    wrong = [found for each in names if whole and (found := fate([each]))]
    assert not whole, "\n".join(wrong or [whole])
