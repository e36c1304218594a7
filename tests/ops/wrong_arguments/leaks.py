"""Detects operators that leak memory: run by test_leaks.py, where Python's objects come from malloc, too.

Each overload is called over and over with arguments that it accepts, and with some that it rejects; the
memory allocated from the C library must not grow with the calls. Prints a line for each that leaks.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))

import damaged
import hostile
from valid_calls import valid_calls

CALLS = 100
ROUNDS = 10  # rounds that must all grow: caches grow, too, but not for ever
BYTES_PER_CALL = 24  # the C library's smallest block takes 32; its own caches take less on average


class Mallinfo(ctypes.Structure):
    """struct mallinfo2."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    ]


mallinfo2 = ctypes.CDLL(None).mallinfo2
mallinfo2.restype = Mallinfo


def in_use() -> int:
    gc.collect()
    info = mallinfo2()
    return int(info.uordblks + info.hblkhd)


def repeat(call: Callable[[], Any]) -> None:
    for _ in range(CALLS):
        try:
            call()
        except Exception:
            continue


def growth(call: Callable[[], Any]) -> int:
    """Returns the bytes per call, in the round that grew least."""
    repeat(call)
    found = []
    for _ in range(ROUNDS):
        before = in_use()
        repeat(call)
        found.append(in_use() - before)
        if found[-1] < CALLS * BYTES_PER_CALL:
            return 0
    return min(found) // CALLS


def main() -> int:
    warnings.simplefilter("ignore")
    names = sys.argv[1:] or hostile.overloads()
    leaks = 0
    valid_calls()
    gc.freeze()  # existing objects don't belong to a call: garbage collection may skip them
    for name in names:
        base = damaged.completed(valid_calls()[name][0])
        valid, refused = base.attempt(damaged.undamaged(base)), damaged.make_quick_call(name, 1)
        for kind, attempt in (("valid", valid), ("refused", refused)):
            grown = 0 if attempt.endless else growth(attempt.call)
            if grown:
                leaks += 1
                print(f"{name}: {kind}, {grown} bytes a call: {attempt.text}", flush=True)
    print(f"{len(names)} overloads, {leaks} that keep memory")
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main())
