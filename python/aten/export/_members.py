"""The files of an archive: a zip as PyTorch writes it, in which all files are stored uncompressed."""

from __future__ import annotations

import errno
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from typing import BinaryIO

from ._errors import ProgramError

_CHUNK = 1 << 20
_ENCRYPTED = 1  # a bit of a member's flags
# The exceptions of zipfile for an invalid or damaged zip file.
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, struct.error, NotImplementedError, UnicodeDecodeError)


class Members:
    """The files in the archive's folder, by path. Reading takes no more memory than the archive's size."""

    def __init__(self, archive: zipfile.ZipFile, size: int) -> None:
        self._archive = archive
        self._root = next(iter(archive.namelist()), "").partition("/")[0]
        self._infos = {i.filename: i for i in archive.infolist()}
        for info in archive.infolist():
            if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & _ENCRYPTED:
                raise ProgramError(
                    f"load(): {info.filename!r} in the archive is compressed or encrypted; torch.export.save "
                    "stores files uncompressed"
                )
        if sum(i.file_size for i in archive.infolist()) > size:
            raise ProgramError(
                f"load(): the files in the archive overlap: their sizes exceed its {size} bytes"
            )

    def names(self, folder: str, ending: str) -> list[str]:
        """The folder's files with this suffix, without the suffix."""
        start = f"{self._root}/{folder}/"
        found = [n for n in self._infos if n.startswith(start) and n.endswith(ending)]
        return sorted(n.removeprefix(start).removesuffix(ending) for n in found)

    def size(self, path: str) -> int:
        return self._info(path).file_size

    def read(self, path: str) -> bytes:
        content = bytearray(self.size(path))
        self.read_into(path, memoryview(content))
        return bytes(content)

    def read_into(self, path: str, buffer: memoryview) -> None:
        """Fills the buffer with the file's first bytes. The whole file is read, to check its CRC."""
        at = 0
        with self._archive.open(self._info(path)) as file:
            while chunk := file.read(_CHUNK):
                kept = chunk[: len(buffer) - at]
                buffer[at : at + len(kept)] = kept
                at += len(kept)
        if at < len(buffer):
            raise ProgramError(f"load(): {path} in the archive ends after {at} bytes of {len(buffer)}")

    def _info(self, path: str) -> zipfile.ZipInfo:
        info = self._infos.get(f"{self._root}/{path}")
        if info is None:
            raise ProgramError(f"load(): the archive lacks {path}")
        return info


@contextmanager
def members(file: str | PathLike[str] | BinaryIO) -> Iterator[Members]:
    """The archive's files, while it is open. ProgramError for an invalid zip file, OSError as for open()."""
    if isinstance(file, (str, PathLike)):
        with open(file, "rb") as opened, members(opened) as found:
            yield found
        return
    size = file.seek(0, os.SEEK_END)
    try:
        with zipfile.ZipFile(file) as archive:
            yield Members(archive, size)
    except (*_BROKEN, OSError) as error:
        if isinstance(error, OSError) and error.errno != errno.EINVAL:  # for a negative offset in the zip
            raise
        raise ProgramError(f"load(): not an archive of torch.export.save: {error}") from error
