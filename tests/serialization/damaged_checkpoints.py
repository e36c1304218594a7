"""Loads damaged checkpoints: `python tests/serialization/damaged_checkpoints.py --seed S --count N`.

The process may take only so much memory and time for each, and an audit hook sees files opened for
writing, modules imported and processes started. Anything but a result, RuntimeError or UnpicklingError is a
problem; they are printed as JSON. The same seed makes the same archives.
"""

from __future__ import annotations

import argparse
import io
import json
import pickle
import random
import resource
import signal
import struct
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import aten
from checkpoint_files import START, archive, call, named, number, numbers, storage, tensor, text, zipped

MEMORY = 256 << 20  # beyond what the process has at first
SECONDS = 10
FORBIDDEN = (
    "exec compile import os. subprocess. socket. ctypes.dlopen shutil. pickle. marshal. code. pty.".split()
)
FLOATS = struct.pack("<16f", *range(16))
EDGES = (0, 1, 2, 3, 4, 7, 8, 0x7F, 0x80, 0xFE, 0xFF)


def seeds() -> list[tuple[bytes, tuple[bytes, ...]]]:
    """Pickles with the storages that they use: one of each kind of object."""
    shared = tensor(storage(numel=16), size=numbers(4, 2), stride=numbers(2, 1), offset=b"K\3")
    half = storage("torch HalfStorage", "1", numel=8)
    untyped = storage("torch.storage UntypedStorage", "1", numel=16)
    v3 = call("torch._utils _rebuild_tensor_v3", untyped, b"K\0K\3\x85K\1\x85\x89N", named("torch uint16"))
    parameter = call("torch._utils _rebuild_parameter", shared, b"\x88", call("collections OrderedDict"))
    meta = call("torch._utils _rebuild_meta_tensor_no_storage", named("torch int8") + b"K\2\x85K\1\x85\x89")
    state = call("collections OrderedDict") + b"(" + text("w") + shared + text("p") + parameter + b"u"
    state += b"}" + text("_metadata") + call("collections OrderedDict") + b"sb"
    values = b"}(" + text("a") + tensor(half, size=b"K\x08\x85") + text("b") + v3 + text("m") + meta
    values += text("s") + call("builtins set", b"](K\1K\2e") + text("c") + call("torch Size", numbers(2, 3))
    values += text("d") + call("torch device", text("cpu")) + text("n") + number(2**70) + b"u"
    files = []
    for obj in ({"x": aten.arange(5.0), "y": [aten.zeros(2, dtype=aten.int16)]}, aten.ones(3)):
        for protocol in (2, 4):
            file = io.BytesIO()
            aten.save(obj, file, pickle_protocol=protocol)
            files.append(file.getvalue())
    return [
        (START + state + b".", (FLOATS, FLOATS)),
        (START + values + b".", (FLOATS, FLOATS)),
        *((f, ()) for f in files),
    ]


def damaged(whole: bytes, chance: random.Random, count: int) -> Iterator[bytes]:
    """Every byte changed, every fourth cut, and `count` combinations of changes."""
    for at in range(len(whole)):
        changed = chance.choice((whole[at] ^ (1 << chance.randrange(8)), *EDGES))
        yield whole[:at] + bytes([changed]) + whole[at + 1 :]
        if at % 4 == 0:
            yield whole[:at]
    for _ in range(count):
        content = bytearray(whole)
        for _ in range(chance.randint(1, 6)):
            at, length = chance.randrange(len(content) + 1), chance.choice((1, 1, 2, 4, 8, 40))
            source = chance.randrange(len(whole))
            part = chance.choice(
                (b"", whole[source : source + length], chance.randbytes(length), b"\xff" * length)
            )
            end = at + chance.choice((0, length, len(part)))
            content[at:end] = part
        yield bytes(content)


def bombs() -> Iterator[tuple[str, bytes]]:
    """Small files that ask for much memory, time or stack."""
    n = 100_000
    doubled = b"K\1q\0" + b"".join(b"h\0h\0\x86q\0" for _ in range(100))
    long = text("x" * 200_000) + b"q\1"
    encoded = named("_codecs encode") + b"h\1" + text("latin1") + b"\x86R"
    ones = b"(" + b"K\1" * 10000 + b"t"
    listed = b"](" + b"K\1" * 20_000 + b"eq\1"
    yield from {
        "nested lists": b"]" * n + b"a" * (n - 1),
        "nested tuples": b")" + b"\x85" * n,
        "nested tuples as a key": b"})" + b"\x85" * n + b"K\1s",
        "nested tuples in a set": b"\x8f()" + b"\x85" * n + b"\x90",
        "nested tuples in a set's call": named("builtins set") + b"])" + b"\x85" * n + b"a\x85R",
        "nested tuples as an OrderedDict's key": named("collections OrderedDict") + b"]])" + b"\x85" * n
        + b"aK\1aa\x85R",
        "nested frozen sets": b"(\x91" + b"(K\1\x910" * 10 + b"".join(b"q\0(h\0\x91" for _ in range(50_000)),
        "doubled tuples": doubled,
        "doubled tuples as a key": b"}" + doubled + b"K\1s",
        "doubled lists": b"]q\0" + b"".join(b"](h\0h\0eq\0" for _ in range(1000)),
        "marks": b"(" * n,
        "marks and tuples": b"(" * 9000 + b"t" * 9000,
        "copied text": long + b"](" + encoded * 5000 + b"e",
        "copied list": listed + b"](" + (named("builtins set") + b"h\1\x85R") * 5000 + b"e",
        "copied size": listed + b"](" + (named("torch Size") + b"h\1\x85R") * 5000 + b"e",
        "copied state": b"}(" + b"".join(text(f"a{i}") + b"N" for i in range(9000)) + b"uq\1]("
        + (call("collections OrderedDict") + b"h\1b") * 5000 + b"e",
        "a number of 2 GiB": b"\x8b\xff\xff\xff\x7f",
        "a number of -1 bytes": b"\x8b\xff\xff\xff\xff",
        "a text of 4 GiB": b"X\xff\xff\xff\xff",
        "a text of 16 EiB": b"\x8d" + b"\xff" * 8,
        "bytes of 16 EiB": b"\x8e" + b"\xff" * 8,
        "a bytearray of 16 EiB": b"\x96" + b"\xff" * 8,
        "a frame of 16 EiB": b"\x95" + b"\xff" * 8 + b"N",
        "a high memo": b"Nr\xff\xff\xff\xff",
        "a large number": b"\x8b" + struct.pack("<i", n) + b"\x7f" * n,
        "a large number as a key": b"}\x8b" + struct.pack("<i", n) + b"\x7f" * n + b"Ns",
        "a large number as a size": tensor(size=number(2**100000) + b"\x85"),
        "a bytearray by its length": call("builtins bytearray", number(2**40)),
        "a storage of 4 TiB": tensor(storage(numel=2**40), size=number(2**40) + b"\x85"),
        "an expanded tensor": tensor(size=number(2**61) + b"\x85", stride=b"K\0\x85"),
        "a tensor of 10000 dimensions": tensor(size=ones, stride=ones),
        "tensors of a storage": b"](" + tensor() * 3000 + b"e",
        "a name without an end": b"c" + b"x" * n,
        "a long name": b"c" + b"x" * n + b"\n" + b"y" * n + b"\n",
        "a long text called": text("x" * n) + b")R",
    }.items()  # fmt: skip


def zips() -> Iterator[tuple[str, bytes]]:
    """Archives whose directory says other things than their contents."""
    import zipfile

    pickled = START + tensor() + b"."
    good = archive(pickled, FLOATS)
    big = {"data.pkl": pickled, "data/0": bytes(1 << 26)}
    yield "compressed", zipped(big, zipfile.ZIP_DEFLATED)
    yield "compressed pickle", zipped({"data.pkl": b"]" * (1 << 26)}, zipfile.ZIP_BZIP2)
    end = good.rindex(b"PK\5\6")
    for name, at in (("entries", 10), ("size of the directory", 12), ("place of the directory", 16)):
        yield f"{name} of -1", good[: end + at] + b"\xff" * 4 + good[end + at + 4 :]
    entry = good.index(b"PK\1\2")
    while 0 <= entry < end:
        for at, name in ((20, "stored size"), (24, "size"), (42, "place"), (28, "length of name")):
            for value in (b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff", b"\0\0\0\0"):
                part = value[: 2 if name == "length of name" else 4]
                yield f"{name} in the directory", good[: entry + at] + part + good[entry + at + len(part) :]
                both = good[: entry + 20] + value * 2 + good[entry + 28 :]
                yield "both sizes in the directory", both
        entry = good.find(b"PK\1\2", entry + 4)


def outcome(content: bytes, path: Path | None, **options: Any) -> str | None:
    """What is wrong with how an archive is loaded; None if nothing."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        if path is None:
            aten.load(io.BytesIO(content), **options)
        else:
            path.write_bytes(content)
            armed.append(True)
            aten.load(path, mmap=True, **options)
    except (RuntimeError, pickle.UnpicklingError) as error:
        if isinstance(error, RecursionError) or len(str(error)) > 2000:
            return f"{type(error).__name__} of {len(str(error))} characters"
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:300]}"
    finally:
        armed.clear()
        signal.setitimer(signal.ITIMER_PROF, 0)
    return f"ran {seen.pop()}" if seen else None


seen: list[str] = []
armed: list[bool] = []


def watch(event: str, args: tuple[Any, ...]) -> None:
    if event == "open" and any(c in str(args[1]) for c in "wax+") and armed:
        seen.append(f"{event} {args}")
    elif any(event == f or (f.endswith(".") and event.startswith(f)) for f in FORBIDDEN):
        seen.append(f"{event} {str(args)[:200]}")


def stop(*_: object) -> None:
    raise TimeoutError(f"more than {SECONDS} s of processor time")


def inputs(chance: random.Random, count: int) -> Iterator[tuple[str, bytes]]:
    for name, pickled in bombs():
        yield name, archive(START + pickled + b".", FLOATS)
    yield from zips()
    for i, (whole, storages) in enumerate(seeds()):
        for part in damaged(whole, chance, count):
            yield f"seed {i}", archive(part, *storages) if storages else part


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=500)
    given = parser.parse_args()
    cases = list(inputs(random.Random(given.seed), given.count))
    aten.load(io.BytesIO(archive(START + tensor() + b".", FLOATS)))  # imports what loading needs
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.pt"
        outcome(cases[0][1], path)
        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
        signal.signal(signal.SIGPROF, stop)
        sys.addaudithook(watch)
        for i, (name, content) in enumerate(cases):
            place, meta = (path if i % 5 == 0 else None), ("meta" if i % 7 == 0 else None)
            said = outcome(content, place, map_location=meta)
            if said is not None:
                problems.append(f"{i} {name}: {said}")
    print(json.dumps({"loaded": len(cases), "problems": problems[:50]}))


if __name__ == "__main__":
    main()
