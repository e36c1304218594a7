"""Forged DLPack capsules: `make fuzz`, or `python tests/python/dlpack_fuzz.py --count N --seed S`.

Mutant number I of seed S is always the same: a valid struct with some fields changed. Mutants that can be
recognised without trusting the memory that they point to must be rejected, and the others accepted as
written; the deleter runs once, whatever happens. Mutants are tried in forked children with a limit of memory
and time.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import random
import resource
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

from dlpack_mutants import DTYPES, LEGACY, VERSIONED, Mutant, extent, fault, geometry, make, product

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "cli"), str(ROOT / "tests" / "tools")]

MEMORY, SECONDS = 1 << 30, 20
BUFFER = 4096


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_uint64),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    ]


class Legacy(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


class Forged:
    """The mutant in memory, as a capsule; `deleted` counts the calls of its deleter."""

    def __init__(self, m: Mutant):
        self.deleted = 0
        self.buffer = (ctypes.c_uint64 * (BUFFER // 8 + 1))()
        self.base = ctypes.addressof(self.buffer)
        self.base += self.base % 16
        self.shape = (ctypes.c_int64 * max(1, len(m.shape or ())))(*(m.shape or ()))
        # As many as a reader of `shape` may read.
        strides = [*(m.strides or ()), *([1] * max(0, len(m.shape or ()) - len(m.strides or ())))]
        self.strides = (ctypes.c_int64 * max(1, len(strides)))(*strides)
        self.deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._deleter(m.deleter == "raises"))
        self.managed = Versioned(*m.version, None) if m.versioned else Legacy()
        if m.versioned:
            self.managed.flags = m.flags
        if m.deleter != "null":
            self.managed.deleter = ctypes.cast(self.deleter, ctypes.c_void_p)
        self.managed.tensor = Tensor(
            m.data if m.absolute else self.base + m.data, *m.device, m.ndim, m.code, m.bits, m.lanes,
            None if m.shape is None else ctypes.addressof(self.shape),
            None if m.strides is None else ctypes.addressof(self.strides), m.byte_offset,
        )  # fmt: skip
        self.name = m.name.encode()
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self.capsule = new(ctypes.addressof(self.managed), self.name, None)

    def _deleter(self, raises: bool) -> Any:
        def delete(managed: int) -> None:
            self.deleted += 1
            if raises:
                raise ValueError("from a deleter")

        return delete


def holds(m: Mutant) -> None:
    """Tests a mutant. Raises AssertionError for wrong behaviour."""
    import aten

    forged = Forged(m)
    known = m.name == (VERSIONED if m.versioned else LEGACY)
    why = fault(m, forged.base) if known else "name"
    try:
        tensor = aten.from_dlpack(forged.capsule)
    except (BufferError, ValueError, RuntimeError) as error:
        assert why, f"refused: {error}"
        text = str(error)
        assert text.isprintable() and "from_dlpack" in text and "INTERNAL" not in text, f"says {text!r}"
        assert forged.deleted == (known and m.deleter != "null"), f"deleted {forged.deleted} times"
    else:
        assert not why, f"accepted in spite of its {why}"
        accepted(m, forged, tensor)
        del tensor
        assert forged.deleted == (m.deleter != "null"), f"deleted {forged.deleted} times"
    if m.again:
        try:
            aten.from_dlpack(forged.capsule)
        except ValueError:
            assert forged.deleted <= 1
        else:
            raise AssertionError("served twice")


def accepted(m: Mutant, forged: Forged, tensor: Any) -> None:
    """Checks that the tensor has the struct's properties, and can be used where its memory exists."""
    import aten

    sizes, strides = geometry(m)
    assert tensor.dtype is getattr(aten, DTYPES[m.code, m.bits]) and list(tensor.shape) == sizes
    if product(sizes):
        assert list(tensor.stride()) == strides
        address = m.data if m.absolute else forged.base + m.data
        assert tensor.data_ptr() == address + m.byte_offset
    assert forged.deleted == 0
    nbytes = extent(sizes, strides, m.bits // 8)
    inside = not m.absolute and m.data + m.byte_offset + nbytes <= BUFFER
    if nbytes and inside and product(sizes) < 2**20:
        tensor.clone()
        tensor.flip([0] if sizes else [])
        if m.versioned and m.flags & 1:
            try:
                tensor.zero_()
            except (RuntimeError, ValueError):
                return
            raise AssertionError("read-only memory was written")


def batch(seed: int, first: int, count: int) -> list[str]:
    """Returns what is wrong with mutants `first`, `first + 1`, ...; after a crash a new child continues."""
    problems, at, end = [], first, first + count
    while at < end:
        with tempfile.TemporaryFile() as log:
            sys.stdout.flush()
            child = os.fork()
            if child == 0:
                in_child(seed, at, end, log.fileno())
            status = os.waitpid(child, 0)[1]
            lines = os.pread(log.fileno(), 1 << 24, 0).decode(errors="replace").splitlines()
        problems += [line for line in lines if not line.startswith("at ")]
        tried = [int(line.split()[1]) for line in lines if line.startswith("at ")]
        last = tried[-1] if tried else at
        if status:
            mutant = make(random.Random(f"dlpack {seed} {last}"))
            problems.append(f"seed {seed}, mutant {last}: {mutant}: wait status {status}")
        at = last + 1 if status else end
    return problems


def in_child(seed: int, first: int, end: int, log: int) -> None:
    """Tries the mutants and writes the problems, a line each; doesn't return."""
    status = 1
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        sys.unraisablehook = lambda error: None  # deleters that raise
        used = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (used + MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
        for index in range(first, end):
            os.write(log, f"at {index}\n".encode())
            mutant = make(random.Random(f"dlpack {seed} {index}"))
            signal.alarm(SECONDS)
            try:
                holds(mutant)
            except BaseException as error:
                text = f"seed {seed}, mutant {index}: {mutant}: {type(error).__name__}: {error}"
                os.write(log, text.replace("\n", " ").encode(errors="replace") + b"\n")
            signal.alarm(0)
        status = 0
    finally:
        os._exit(status)


def main() -> int:
    import campaign

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, help="default: that of the run that was left, or a new one")
    options = parser.parse_args()
    own = (Path(__file__), Path(__file__).with_name("dlpack_mutants.py"))
    tested = (*own, ROOT / "core/ATen/DLConvertor.cpp", ROOT / "python/bindings/exchange/dlpack.cpp")
    run = campaign.Campaign.open("dlpack", options.count, tested, options.seed)
    run.run(batch, 500, 1, campaign.say)
    return 1 if run.failures else 0


if __name__ == "__main__":
    import aten  # noqa: F401

    sys.exit(main())
