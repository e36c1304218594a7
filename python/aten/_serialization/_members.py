"""The files of an archive: a zip as PyTorch writes it, in which all files are stored uncompressed."""

from __future__ import annotations

import errno
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from typing import BinaryIO

_CHUNK = 1 << 20
_ENCRYPTED = 1  # a bit of a member's flags
_HEADER = struct.Struct("<4s22x2H")  # a file's local header: what is needed of it
# The exceptions of zipfile for an invalid or damaged zip file.
_BROKEN = (
    zipfile.BadZipFile, zlib.error, EOFError, struct.error, NotImplementedError, ValueError, OverflowError
)  # fmt: skip


class Members:
    """The files in the archive's folder, by path. Reading takes no more memory than the archive's size.

    `where` begins the messages of errors, which are of the type `error`; `writer` is the function that makes
    such archives."""

    def __init__(self, file: BinaryIO, where: str, writer: str, error: type[RuntimeError]) -> None:
        self.where, self.error = where, error
        self._file, self._writer = file, writer
        self._infos, self._ends = self._listed()
        self._root = next(iter(self._infos), "").partition("/")[0]

    def _listed(self) -> tuple[dict[str, zipfile.ZipInfo], dict[str, int]]:
        """Returns the files, and where each must have ended: at the next one's header, so none overlap."""
        with zipfile.ZipFile(self._file) as archive:
            listed, after = archive.infolist(), archive.start_dir
        infos, names = sorted(listed, key=lambda i: i.header_offset), [i.filename for i in listed]
        ends = [*(i.header_offset for i in infos[1:]), after]
        for info, end in zip(infos, ends, strict=True):
            if info.header_offset < 0 or info.header_offset + _HEADER.size + info.compress_size > end:
                raise self.error(
                    f"{self.where}: the files in the archive overlap: {info.filename!r} has "
                    f"{info.compress_size} bytes, but starts at {info.header_offset} and must end "
                    f"before {end}"
                )
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise self.error(f"{self.where}: the archive has two files {twice!r}")
        return {i.filename: i for i in listed}, {i.filename: end for i, end in zip(infos, ends, strict=True)}

    def __contains__(self, path: str) -> bool:
        return f"{self._root}/{path}" in self._infos

    def names(self, folder: str, ending: str) -> list[str]:
        """The folder's files with this suffix, without the suffix."""
        start = f"{self._root}/{folder}/"
        found = [n for n in self._infos if n.startswith(start) and n.endswith(ending)]
        return sorted(n.removeprefix(start).removesuffix(ending) for n in found)

    def size(self, path: str) -> int:
        return self._info(path).file_size

    def read(self, path: str) -> bytes:
        self.offset(path)  # is an error, before memory is taken, if the size is invalid
        content = bytearray(self.size(path))
        self.read_into(path, memoryview(content))
        return bytes(content)

    def offset(self, path: str) -> int:
        """Where the file's content begins in the archive."""
        info = self._info(path)
        self._file.seek(info.header_offset)
        header = self._file.read(_HEADER.size)
        if len(header) < _HEADER.size or not header.startswith(b"PK\3\4"):
            raise self.error(f"{self.where}: {path} has no header at the byte {info.header_offset}")
        _, name, extra = _HEADER.unpack(header)
        start: int = info.header_offset + _HEADER.size + name + extra
        if start + info.file_size > self._ends[info.filename]:
            raise self.error(
                f"{self.where}: the files in the archive overlap: {path} has {info.file_size} bytes, but "
                f"starts at {start} and must end before {self._ends[info.filename]}"
            )
        return start

    def read_into(self, path: str, buffer: memoryview) -> None:
        """Fills the buffer with the file's first bytes. The whole file is read, to check its CRC, unless that
        is 0: PyTorch can be told not to compute it."""
        info, at, crc = self._info(path), 0, 0
        start = self.offset(path)
        rest = info.file_size if info.CRC else min(len(buffer), info.file_size)
        self._file.seek(start)
        while rest and (chunk := self._file.read(min(_CHUNK, rest))):
            crc = zlib.crc32(chunk, crc)
            rest -= len(chunk)
            kept = chunk[: len(buffer) - at]
            buffer[at : at + len(kept)] = kept
            at += len(kept)
        if rest or at < len(buffer):
            raise self.error(f"{self.where}: {path} in the archive ends after {at} bytes of {len(buffer)}")
        if info.CRC and crc != info.CRC:
            raise self.error(
                f"{self.where}: {path} in the archive is damaged: its CRC-32 is {crc:08x}, expected "
                f"{info.CRC:08x}"
            )

    def _info(self, path: str) -> zipfile.ZipInfo:
        info = self._infos.get(f"{self._root}/{path}")
        if info is None:
            raise self.error(f"{self.where}: the archive lacks {path}")
        stored = info.compress_type == zipfile.ZIP_STORED and info.compress_size == info.file_size
        if not stored or info.flag_bits & _ENCRYPTED:
            raise self.error(
                f"{self.where}: {path} in the archive is compressed or encrypted; {self._writer} stores "
                "files uncompressed"
            )
        return info


@contextmanager
def members(
    file: str | PathLike[str] | BinaryIO, where: str, writer: str, error: type[RuntimeError]
) -> Iterator[Members]:
    """The archive's files, while it is open. An `error` for an invalid zip file, OSError as for open()."""
    if isinstance(file, (str, PathLike)):
        with open(file, "rb") as opened, members(opened, where, writer, error) as found:
            yield found
        return
    try:
        found = Members(file, where, writer, error)
    except (*_BROKEN, OSError) as broken:
        if isinstance(broken, OSError) and broken.errno != errno.EINVAL:  # for a negative offset in the zip
            raise
        raise error(f"{where}: not an archive of {writer}: {broken}") from broken
    yield found
