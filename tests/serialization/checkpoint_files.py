"""Checkpoints made by hand: pickles from opcodes, and archives by Python's zipfile."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable
from typing import Any

import aten

START = b"\x80\x02"
RECORDS = {".format_version": b"1", ".storage_alignment": b"64", "byteorder": b"little", "version": b"3\n"}


def through(save: Callable[..., Any], load: Callable[..., Any], obj: Any, **options: Any) -> Any:
    """The object after it was saved to memory and loaded from it."""
    file = io.BytesIO()
    save(obj, file)
    file.seek(0)
    return load(file, **options)


def zipped(files: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as made:
        for name, content in files.items():
            made.writestr(f"archive/{name}", content)
    return file.getvalue()


def archive(pickled: bytes, *storages: bytes, **records: bytes) -> bytes:
    """An archive of a pickle and of storages."""
    data = {f"data/{i}": content for i, content in enumerate(storages)}
    return zipped({"data.pkl": pickled, **RECORDS, **data, **records})


def loaded(content: bytes, **options: Any) -> Any:
    return aten.load(io.BytesIO(content), **options)


def named(path: str) -> bytes:
    """The opcode of a global, "module name"."""
    return b"c" + path.replace(" ", "\n").encode() + b"\n"


def text(value: str) -> bytes:
    return b"X" + struct.pack("<I", len(value.encode())) + value.encode()


def number(value: int) -> bytes:
    size = value.bit_length() // 8 + 1
    return (b"\x8a" + bytes([size]) if size < 256 else b"\x8b" + struct.pack("<i", size)) + value.to_bytes(
        size, "little", signed=True
    )


def numbers(*values: int) -> bytes:
    return b"(" + b"".join(number(v) for v in values) + b"t"


def storage(kind: str = "torch FloatStorage", key: str = "0", location: str = "cpu", numel: int = 4) -> bytes:
    return b"(" + text("storage") + named(kind) + text(key) + text(location) + number(numel) + b"tQ"


def tensor(
    stored: bytes | None = None,
    offset: bytes = b"K\0",
    size: bytes = b"K\4\x85",
    stride: bytes = b"K\1\x85",
    requires_grad: bytes = b"\x89",
    rest: bytes = b"N",
) -> bytes:
    """The opcodes of a tensor; by default of 4 elements of the storage 0."""
    arguments = (storage() if stored is None else stored, offset, size, stride, requires_grad, rest)
    return named("torch._utils _rebuild_tensor_v2") + b"(" + b"".join(arguments) + b"tR"


def call(path: str, *arguments: bytes) -> bytes:
    return named(path) + b"(" + b"".join(arguments) + b"tR"
