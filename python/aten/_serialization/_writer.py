"""Writes archives as PyTorch does: zip files with uncompressed, aligned contents, to any stream of bytes."""

from __future__ import annotations

import struct
import zlib
from typing import Any

ALIGNMENT = 64
_CHUNK = 1 << 24
_MAX = 0xFFFFFFFF  # in the place of a size or offset that is in an extra field of 64 bits
_UTF8, _SIZES_FOLLOW = 1 << 11, 1 << 3  # flags of a file
_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")


class Writer:
    """A zip file whose contents are in the folder `root`. It isn't read, and nothing is sought in it."""

    def __init__(self, stream: Any, root: str) -> None:
        self._stream, self._root = stream, root
        self._at, self._files = 0, 0
        self._directory = bytearray()

    def add(self, path: str, content: bytes | memoryview) -> None:
        """Writes a file; its content begins at a multiple of the alignment."""
        name, offset, size = f"{self._root}/{path}".encode(), self._at, len(content)
        flags = _UTF8 | (_SIZES_FOLLOW if size else 0)
        large, far = _is_wide(size), _is_wide(offset)
        wide = _wide(*([size, size] if large else []), *([offset] if far else []))
        start = offset + _LOCAL.size + len(name) + len(wide) + 4
        padding = -start % ALIGNMENT
        extra = wide + struct.pack("<2sH", b"FB", padding) + b"Z" * padding
        self._write(_LOCAL.pack(b"PK\3\4", 0, flags, 0, 0, 0, 0, 0, 0, len(name), len(extra)) + name + extra)
        crc, view = 0, memoryview(content)
        for at in range(0, size, _CHUNK):
            crc = zlib.crc32(view[at : at + _CHUNK], crc)
            self._write(view[at : at + _CHUNK])
        if size:
            self._write(struct.pack("<4sI2Q" if large else "<4s3I", b"PK\7\x08", crc, size, size))
        sizes, place = _MAX if large else size, _MAX if far else offset
        self._directory += (
            _CENTRAL.pack(
                *(b"PK\1\2", 0, 0, flags, 0, 0, 0, crc, sizes, sizes, len(name), len(wide), 0, 0, 0, 0, place)
            )
            + name
            + wide
        )
        self._files += 1

    def close(self) -> None:
        """Writes the directory of the files."""
        start, size, files = self._at, len(self._directory), self._files
        self._write(bytes(self._directory))
        end = self._at
        self._write(struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 0x31E, 45, 0, 0, files, files, size, start))
        self._write(struct.pack("<4sIQI", b"PK\6\7", 0, end, 1))
        few = min(files, 0xFFFF)
        self._write(struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, few, few, min(size, _MAX), min(start, _MAX), 0))

    def _write(self, data: bytes | memoryview) -> None:
        self._at += len(data)
        left = memoryview(data)
        while left:
            written = self._stream.write(left)
            left = left[written if type(written) is int else len(left) :]  # unbuffered files write a part


def _is_wide(number: int) -> bool:
    return number >= _MAX


def _wide(*numbers: int) -> bytes:
    """The extra field of numbers of 64 bits."""
    if not numbers:
        return b""
    return struct.pack(f"<2H{len(numbers)}Q", 1, 8 * len(numbers), *numbers)
