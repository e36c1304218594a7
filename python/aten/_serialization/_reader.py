"""Loads objects from archives of torch.save."""

from __future__ import annotations

import mmap
import os
from os import PathLike
from pickle import UnpicklingError
from typing import Any, BinaryIO

from .. import serialization
from ._globals import find
from ._members import Members, members
from ._storages import Storages
from ._unpickler import Unpickler

_VERSIONS = range(1, 11)  # of the archive's format
# How files of other formats begin, and what to do with them.
_OTHERS = {
    b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19": "it has the format of torch.save before PyTorch 1.6. In "
    "PyTorch: torch.save(torch.load(file), file)",
    b"\x80": "it is a pickle without an archive. In PyTorch: torch.save(torch.load(file), file); or use "
    "Python's pickle, if you trust the file",
    b"": "it is empty, or was read to its end: call file.seek(0) after writing to it",
}


def load(file: str | PathLike[str] | BinaryIO, map_location: Any, mapped: bool) -> Any:
    if isinstance(file, (str, PathLike)):
        name = os.fspath(file)
        with open(file, "rb") as opened:
            return _load(opened, f"load(): {name!r}", map_location, mapped)
    if mapped:
        raise ValueError("load(): a file must be given by its path to be mapped into memory")
    if not all(hasattr(file, method) for method in ("read", "seek", "tell")):
        raise AttributeError(
            f"load(): argument 'f': expected a path or a seekable binary file, got {type(file).__name__}; "
            "read others to an io.BytesIO"
        )
    return _load(file, "load()", map_location, mapped)


def _load(file: BinaryIO, where: str, map_location: Any, mapped: bool) -> Any:
    _check_format(file, where)
    with members(file, where, "torch.save", RuntimeError) as archive:
        _check_archive(archive)
        data = archive.read("data.pkl")
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) if mapped else None
        storages = Storages(archive, map_location, content)
        users = list(serialization._safe_by_path().values())
        try:
            return Unpickler(data, find, storages.load, users).load()
        except UnpicklingError as error:
            raise UnpicklingError(f"{where}, data.pkl: {error}") from error.__cause__


def _check_format(file: BinaryIO, where: str) -> None:
    """RuntimeError for a file that is no zip, saying how to convert it."""
    start = file.tell()
    head = file.read(16)
    file.seek(start)
    if head.startswith(b"PK\3\4"):
        return
    if head[8:9] == b"{":
        raise RuntimeError(f"{where}: not an archive of torch.save: it has the safetensors format")
    why = next((why for begin, why in _OTHERS.items() if begin and head.startswith(begin)), None)
    if not head:
        why = _OTHERS[b""]
    raise RuntimeError(f"{where}: not an archive of torch.save: {why or f'it begins with {head!r}'}")


def _check_archive(archive: Members) -> None:
    """RuntimeError for an archive of another kind, version or order of bytes."""
    if "constants.pkl" in archive:
        raise RuntimeError(
            f"{archive.where}: the archive holds a TorchScript program. In PyTorch: "
            "torch.save(torch.jit.load(file).state_dict(), new_file)"
        )
    if "data.pkl" not in archive and archive.names("models", ".json"):
        raise RuntimeError(f"{archive.where}: the archive holds an exported program: use aten.export.load")
    order = _short(archive, "byteorder", "little")
    if order != "little":
        raise RuntimeError(
            f"{archive.where}: the tensors' bytes are in the order {order!r}, only little-endian ones are "
            "read. On a little-endian machine, in PyTorch: torch.save(torch.load(file), file)"
        )
    version = _short(archive, "version", "3")
    if not version.isdecimal() or int(version) not in _VERSIONS:
        raise RuntimeError(
            f"{archive.where}: the archive's version is {version!r}, read are 1 to {_VERSIONS[-1]}"
        )


def _short(archive: Members, path: str, default: str) -> str:
    """A file's text, of which only the beginning is read."""
    if path not in archive:
        return default
    size = min(archive.size(path), 16)
    content = bytearray(size)
    archive.read_into(path, memoryview(content))
    return content.decode("ascii", "replace").strip()
