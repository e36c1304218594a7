"""Wrong arguments of every kind, by type of parameter; and a forked child that calls operators with them.

The child writes what it is about to call to a file, so that a crash or a hang has a name.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import aten

HUGE = (2**63 - 1, -(2**63), 2**62, 2**40, 2**32, 2**31)
INTS = (0, 1, 2, 3, -1, -2, 5, 64, 100, -100, *HUGE)
FLOATS = (0.0, 0.5, 1.0, -1.0, 2.5, 1e-45, 1e308, -1e308, float("inf"), float("-inf"), float("nan"))
SIZES = ((), (0,), (1,), (2,), (2, 3), (3, 2), (6,), (-1,), (2, -1), (-1, -1), (2**62, 4), (2**32, 2**32), (2**63 - 1,), (0, 2**63 - 1),
         (2**31, 2**31, 2**31), (1,) * 65, (2,) * 8, (3, 0, 2), (-(2**63),))
STRIDES = (*SIZES, (3, 1), (1, 2), (0, 0), (-1, 1), (2**62, 1), (100, 10))
WRONG = (None, "text", b"bytes", object(), 1.5, 7, True, 1j, (), [], {}, [None], ["a"], (1, "b"), float, np.zeros(3), 2**64, -(2**70))
DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128")
MEMORY = 2 << 30  # more than this a child cannot allocate
SECONDS_PER_CALL = 20


def tensor_pool() -> dict[str, Callable[[], Any]]:
    """Tensors by name: shapes, dtypes, layouts, values and states that operators meet seldom."""
    pool: dict[str, Callable[[], Any]] = {f"ones({d})": lambda d=d: aten.ones((2, 3), dtype=getattr(aten, d)) for d in DTYPES}
    pool |= {
        "scalar": lambda: aten.full((), 2.0), "scalar_int": lambda: aten.full((), 1, dtype=aten.int64),
        "empty": lambda: aten.empty((0,)), "empty3": lambda: aten.empty((3, 0, 2)), "empty_int": lambda: aten.empty((0,), dtype=aten.int64),
        "vector": lambda: aten.arange(6.0), "vector3": lambda: aten.arange(3.0), "square": lambda: aten.ones((3, 3)),
        "batch": lambda: aten.ones((2, 3, 4)), "deep": lambda: aten.ones((1,) * 64), "wide": lambda: aten.ones((2,) * 8),
        "images": lambda: aten.ones((2, 3, 4, 5)), "transposed": lambda: aten.ones((3, 2)).t(),
        "sliced": lambda: aten.arange(24.0).view(4, 6)[:, ::2], "expanded": lambda: aten.ones((1, 3)).expand(2, 3),
        "expanded_much": lambda: aten.ones((1,)).expand(2**20), "overlapping": lambda: aten.arange(6.0).as_strided((4, 3), (1, 1)),
        "nan": lambda: aten.full((2, 3), float("nan")), "inf": lambda: aten.full((2, 3), float("inf")),
        "indices": lambda: aten.tensor([0, 1, 2]), "indices_out": lambda: aten.tensor([0, 100, -100]),
        "indices_huge": lambda: aten.tensor([2**62, -(2**63), 2**31]), "indices2": lambda: aten.tensor([[0, 1, 1], [1, 0, 1]]),
        "mask": lambda: aten.ones((2, 3)) > 0, "mask_odd": lambda: aten.ones((5,)) > 0, "meta": lambda: aten.empty((2, 3), device="meta"),
        "meta_int": lambda: aten.empty((3,), dtype=aten.int64, device="meta"), "read_only": read_only,
        "grad": lambda: aten.ones((2, 3)).requires_grad_(), "large": lambda: aten.ones((300, 300)),
        "probability": lambda: aten.full((2, 3), 0.5), "negative": lambda: aten.full((2, 3), -1.0),
        "lowest": lambda: aten.full((2, 3), -(2**63), dtype=aten.int64), "zeros_int": lambda: aten.zeros((2, 3), dtype=aten.int32),
    }  # fmt: skip
    return pool


def read_only() -> Any:
    a = np.ones((2, 3), np.float32)
    a.setflags(write=False)
    return aten.from_numpy(a)


POOL = tensor_pool()


@dataclass
class Made:
    """An argument and how it was made."""

    value: Any
    text: str


class Maker:
    """Arguments from a seeded stream."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.tensors: list[Made] = []

    def tensor(self) -> Made:
        """A new tensor; or one that was given already, or a view that overlaps with it."""
        if self.tensors and self.random.random() < 0.2:
            earlier = self.random.choice(self.tensors)
            t = earlier.value
            if self.random.random() < 0.5 or t.dim() == 0 or t.shape[0] < 2:
                return earlier
            return Made(t[1:], f"{earlier.text}[1:]")
        name = self.random.choice(list(POOL))
        made = Made(POOL[name](), name)
        self.tensors.append(made)
        return made

    def of(self, type_text: str) -> Made:
        """A value for a parameter; one time in eight of any other type."""
        if self.random.random() < 0.125:
            value = self.random.choice(WRONG)
            return Made(value, repr(value))
        if type_text.endswith("?") and self.random.random() < 0.3:
            return Made(None, "None")
        return self.right(type_text.removesuffix("?").replace("SymInt", "int"))

    def right(self, kind: str) -> Made:
        if kind == "Tensor":
            return self.tensor()
        if kind.startswith("Tensor"):
            count = self.random.choice((0, 1, 2, 2, 3))
            made = [Made(None, "None") if "?[" in kind and self.random.random() < 0.3 else self.tensor() for _ in range(count)]
            return Made([m.value for m in made], f"[{', '.join(m.text for m in made)}]")
        if kind.startswith("int["):
            value: Any = self.random.choice(STRIDES if self.random.random() < 0.7 else tuple((i,) for i in INTS))
        elif kind == "int":
            value = self.random.choice(INTS if self.random.random() < 0.5 else INTS[:6])
        elif kind == "float":
            value = self.random.choice(FLOATS)
        elif kind in ("Scalar", "number"):
            value = self.random.choice((*INTS[:10], *FLOATS, True, 1j, complex("nan+infj"), 2**63))
        else:
            value = self.other(kind)
        return Made(value, repr(value))

    def other(self, kind: str) -> Any:
        choices: dict[str, tuple[Any, ...]] = {
            "bool": (True, False),
            "str": ("none", "tanh", "floor", "trunc", "", "nonsense", "\0", "é" * 100),
            "ScalarType": tuple(getattr(aten, d) for d in DTYPES),
            "Layout": (aten.strided,),
            "Device": (aten.device("cpu"), aten.device("meta"), "cpu", "meta", "cuda", "nonsense", "cpu:7", -1, 0),
            "MemoryFormat": (aten.contiguous_format, aten.channels_last, aten.channels_last_3d, aten.preserve_format),
            "Generator": (aten.Generator(), aten.default_generator),
        }
        return self.random.choice(choices.get(kind) or (None,))


def overloads() -> list[str]:
    return sorted(n.removeprefix("aten::") for n in aten._C._operator_names() if n.startswith("aten::"))


def find(name: str) -> Any:
    packet, _, overload = name.partition(".")
    return getattr(getattr(aten.ops.aten, packet), overload or "default")


def make_call(name: str, seed: int) -> tuple[Callable[[], Any], str]:
    """A call of an overload, or of the function or method of its name, and its text."""
    maker = Maker(f"{name} {seed}")
    op = find(name)
    arguments = op._schema.arguments
    args, kwargs = [], {}
    for a in arguments:
        if a.has_default_value() and maker.random.random() < 0.4:
            if a.kwarg_only:
                continue
            break
        made = maker.of(a.type)
        if a.kwarg_only:
            kwargs[a.name] = made
        else:
            args.append(made)
    target, place = callable_for(op, name, maker.random)
    text = ", ".join([m.text for m in args] + [f"{k}={m.text}" for k, m in kwargs.items()])
    values = [m.value for m in args], {k: m.value for k, m in kwargs.items()}
    return lambda: target(*values[0], **values[1]), f"{place}({text})"


def callable_for(op: Any, name: str, stream: random.Random) -> tuple[Any, str]:
    base = name.partition(".")[0]
    way = stream.random()
    if way < 0.25 and callable(getattr(aten.Tensor, base, None)):
        return getattr(aten.Tensor, base), f"Tensor.{base}"
    if way < 0.5 and hasattr(aten, base):
        return getattr(aten, base), f"aten.{base}"
    return op, f"ops.aten.{name}"


def judge(name: str, call: Callable[[], Any]) -> str | None:
    """What is wrong with the outcome; None if nothing is."""
    try:
        result = call()
    except (MemoryError, NotImplementedError, RuntimeError, TypeError, ValueError, IndexError, BufferError, OverflowError) as error:
        base = name.partition(".")[0]
        text = str(error)
        names = {base, base.rstrip("_"), base.lstrip("_")}
        if "INTERNAL ASSERT" in text:
            return f"internal error: {text[:300]}"
        return None if any(n in text for n in names) else f"{type(error).__name__} doesn't name the operator: {text[:200]}"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:300]
    touch(result)
    return None


def touch(result: Any) -> None:
    """Reads what was returned: memory that isn't there would show."""
    for t in result if isinstance(result, (list, tuple)) else [result]:
        if isinstance(t, aten.Tensor) and t.numel() < 2**21 and not t.is_meta:
            t.detach().clone()


def run_child(work: list[tuple[str, int]], log: int, found: int) -> None:
    """Makes the calls; problems go to `found`, a line each."""
    warnings.simplefilter("ignore")
    soft = resource.getrlimit(resource.RLIMIT_AS)[1]
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, soft))
    for name, seed in work:
        call, text = make_call(name, seed)
        os.pwrite(log, f"{name}\t{seed}\t{text}".ljust(4000)[:4000].encode(errors="replace")[:4000], 0)
        signal.alarm(SECONDS_PER_CALL)
        problem = judge(name, call)
        signal.alarm(0)
        if problem:
            os.write(found, f"{name} seed {seed}: {text}: {problem}".replace("\n", " ").encode(errors="replace")[:900] + b"\n")


def in_child(work: list[tuple[str, int]]) -> list[str]:
    """The problems of the calls, crashes and hangs among them; after one, a new child goes on with the rest."""
    problems: list[str] = []
    while work:
        with tempfile.TemporaryFile() as log, tempfile.TemporaryFile() as found:
            sys.stdout.flush()
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    signal.signal(signal.SIGALRM, signal.SIG_DFL)
                    run_child(work, log.fileno(), found.fileno())
                    status = 0
                except BaseException as error:
                    os.write(found.fileno(), f"the harness failed: {error!r}\n".encode())
                finally:
                    os._exit(status)
            _, status = os.waitpid(child, 0)
            found.seek(0)
            problems += found.read().decode(errors="replace").splitlines()
            if status == 0:
                return problems
            log.seek(0)
            last = log.read().decode(errors="replace").strip()
        cause = "hang" if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM else f"wait status {status}"
        problems.append(f"{cause}: {last}")
        at = [f"{n}\t{s}" for n, s in work].index("\t".join(last.split("\t")[:2])) if last else len(work)
        work = work[at + 1 :]
    return problems


def main() -> None:
    """python hostile.py [CALLS [PATTERN]]: the problems of so many calls of each overload."""
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    pattern = sys.argv[2] if len(sys.argv) > 2 else ""
    start = time.time()
    names = [n for n in overloads() if pattern in n]
    for problem in in_child([(n, s) for n in names for s in range(calls)]):
        print(problem)
    print(f"{calls} calls of {len(names)} overloads in {time.time() - start:.1f} s")


if __name__ == "__main__":
    main()
