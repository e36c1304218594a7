"""Saves objects to archives that torch.load reads."""

from __future__ import annotations

import io
import os
from os import PathLike
from pathlib import PurePath
from typing import Any

from ._memory import memory
from ._pickler import Pickler
from ._writer import ALIGNMENT, Writer


def save(obj: object, file: Any, protocol: int) -> None:
    if not 2 <= protocol <= 5:
        raise ValueError(f"save(): argument 'pickle_protocol': expected 2 to 5, got {protocol}")
    data = io.BytesIO()
    pickler = Pickler(data, protocol)
    pickler.dump(obj)  # before a file is opened, which stays as it is if this is an error
    if isinstance(file, (str, PathLike)):
        with open(file, "wb") as opened:
            _write(opened, _root(os.fspath(file)), data.getbuffer(), pickler)
    else:
        _write(file, "archive", data.getbuffer(), pickler)
        if hasattr(file, "flush"):
            file.flush()


def _root(path: str) -> str:
    """The archive's folder is the file's name, as PyTorch has it."""
    stem = PurePath(path).stem
    return stem if stem.isascii() else "archive"


def _write(stream: Any, root: str, data: memoryview, pickler: Pickler) -> None:
    archive = Writer(stream, root)
    archive.add("data.pkl", data)
    archive.add(".format_version", b"1")
    archive.add(".storage_alignment", str(ALIGNMENT).encode())
    archive.add("byteorder", b"little")
    for key, storage in pickler.storages.items():
        content = storage._bytes.cpu().contiguous()
        archive.add(f"data/{key}", memory(content))
    archive.add("version", b"3\n")
    archive.close()
