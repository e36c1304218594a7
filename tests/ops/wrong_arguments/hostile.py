"""A forked child that calls operators with wrong arguments.

The child writes each call to a file before it makes it, so that a crash or a hang can be attributed.
"""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aten
from hostile_arguments import Maker

MEMORY = 2 << 30  # the limit of a child's memory
SECONDS_PER_CALL = 100 if "ASAN_OPTIONS" in os.environ else 20  # half a million views take this long
ENDLESS = "endless "  # such calls are stopped
# Operators of Python's syntax appear in messages by the name of what they call.
SPELLED = {op: (f"bitwise_{op}",) for op in ("and", "or", "xor")} | {
    f"{side[0]}shift": (f"bitwise_{side}_shift",) for side in ("left", "right")
}


@dataclass(frozen=True)
class Attempt:
    """A call, its text, and its time limit; an endless call is stopped after it, which is not a problem."""

    call: Callable[[], Any]
    text: str
    seconds: float = SECONDS_PER_CALL
    endless: bool = False


Make = Callable[[str, int], Attempt]  # makes a call from an overload and a seed


def overloads() -> list[str]:
    """Returns the overloads that Python can call: it has no storages, which some forms of set_ take."""
    names = (n.removeprefix("aten::") for n in aten._C._operator_names() if n.startswith("aten::"))
    return sorted(n for n in names if not re.match(r"set_?\.source_Storage", n))


def find(name: str) -> Any:
    packet, _, overload = name.partition(".")
    return getattr(getattr(aten.ops.aten, packet), overload or "default")


def make_call(name: str, seed: int) -> Attempt:
    """Returns a call of an overload, or of the function or method of its name."""
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
    return Attempt(lambda: target(*values[0], **values[1]), f"{place}({text})", SECONDS_PER_CALL)


def callable_for(op: Any, name: str, stream: random.Random) -> tuple[Any, str]:
    base = name.partition(".")[0]
    way = stream.random()
    if way < 0.25 and callable(getattr(aten.Tensor, base, None)):
        return getattr(aten.Tensor, base), f"Tensor.{base}"
    if way < 0.5 and callable(getattr(aten, base, None)):  # `random` is a module
        return getattr(aten, base), f"aten.{base}"
    return op, f"ops.aten.{name}"


def judge(name: str, call: Callable[[], Any]) -> str | None:
    """Returns what is wrong with the outcome; None if nothing is."""
    try:
        result = call()
    except MemoryError:  # raised by the interpreter, which does not name the operator
        return None
    except (
        NotImplementedError,
        RuntimeError,
        TypeError,
        ValueError,
        IndexError,
        BufferError,
        OverflowError,
    ) as error:
        base = name.partition(".")[0]
        text = str(error)
        names = {
            base,
            base.rstrip("_"),
            base.lstrip("_"),
            *SPELLED.get(base.strip("_").removeprefix("i"), ()),
        }
        if "INTERNAL ASSERT" in text:
            return f"internal error: {text[:300]}"
        return (
            None
            if any(n in text for n in names)
            else f"{type(error).__name__} doesn't name the operator: {text[:200]}"
        )
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:300]
    return touched(result)


def touched(result: Any) -> str | None:
    """Reads the result, as invalid memory would crash; returns what is wrong with it, if anything is."""
    for t in result if isinstance(result, (list, tuple)) else [result]:
        if not isinstance(t, aten.Tensor):
            continue
        try:
            t.detach().as_strided(t.shape, t.stride(), t.storage_offset())
        except RuntimeError as error:
            return f"the result reaches out of its storage: {error}"[:300]
        if t.numel() < 2**21 and not t.is_meta:
            t.detach().clone()
    return None


def run_child(work: list[tuple[str, int]], make: Make, log: int, found: int) -> None:
    """Makes the calls; writes problems to `found`, a line each."""
    warnings.simplefilter("ignore")
    used = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_DATA, (used + MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    for name, seed in work:
        note(log, f"{name}\t{seed}\t")
        attempt = make(name, seed)
        note(log, f"{name}\t{seed}\t{ENDLESS if attempt.endless else ''}{attempt.text}")
        signal.setitimer(signal.ITIMER_REAL, attempt.seconds)
        problem = judge(name, attempt.call)
        signal.setitimer(signal.ITIMER_REAL, 0)
        if problem:
            line = f"{name} seed {seed}: {attempt.text}"[:600] + f": {problem}"
            os.write(found, line.replace("\n", " ").encode(errors="replace")[:1200] + b"\n")


def note(log: int, text: str) -> None:
    os.pwrite(log, text.ljust(4000)[:4000].encode(errors="replace")[:4000], 0)


def in_child(work: list[tuple[str, int]], make: Make) -> list[str]:
    """Returns the problems of the calls, including crashes and hangs; after one, a new child continues."""
    problems: list[str] = []
    while work:
        with tempfile.TemporaryFile() as log, tempfile.TemporaryFile() as found:
            sys.stdout.flush()
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    signal.signal(signal.SIGALRM, signal.SIG_DFL)
                    run_child(work, make, log.fileno(), found.fileno())
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
        cause = (
            "hang"
            if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM
            else f"wait status {status}"
        )
        if not (cause == "hang" and last.split("\t")[2:3] and last.split("\t")[2].startswith(ENDLESS)):
            problems.append(f"{cause}: {last}")
        at = [f"{n}\t{s}" for n, s in work].index("\t".join(last.split("\t")[:2])) if last else len(work)
        work = work[at + 1 :]
    return problems
