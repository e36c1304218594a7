"""The dependencies of a shared object: libraries, and the versions of their symbols."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Iterator
from pathlib import Path

_DYNAMIC, _VERSIONS_NEEDED = 6, 0x6FFFFFFE
_DT_NEEDED = 1


@dataclasses.dataclass(frozen=True, slots=True)
class Needs:
    """The dependencies; `versions` has the symbol versions by library, as in {"libc.so.6": ("GLIBC_2.14",
    "GLIBC_2.34")}.
    """

    libraries: tuple[str, ...]
    versions: dict[str, tuple[str, ...]]


def read_needs(path: Path) -> Needs | None:
    """Returns the dependencies; None unless the file is a 64-bit little-endian ELF file."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        return None
    try:
        return _read(data)
    except (struct.error, IndexError, ValueError) as error:
        raise ValueError(f"{path}: not a complete ELF file ({error})") from None


@dataclasses.dataclass(frozen=True, slots=True)
class _Section:
    kind: int
    offset: int
    size: int
    link: int  # index of the section with its strings
    count: int


def _read(data: bytes) -> Needs:
    sections = list(_sections(data))
    libraries: list[str] = []
    versions: dict[str, tuple[str, ...]] = {}
    for section in sections:
        if section.kind == _DYNAMIC:
            libraries += _needed(data, section, sections[section.link])
        elif section.kind == _VERSIONS_NEEDED:
            versions.update(_versions(data, section, sections[section.link]))
    return Needs(tuple(libraries), versions)


def _sections(data: bytes) -> Iterator[_Section]:
    (start,) = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    for place in range(start, start + size * count, size):
        _, kind, _, _, offset, length, link, entries = struct.unpack_from("<IIQQQQII", data, place)
        yield _Section(kind, offset, length, link, entries)


def _string(data: bytes, strings: _Section, index: int) -> str:
    start = strings.offset + index
    return data[start : data.index(0, start)].decode()


def _needed(data: bytes, dynamic: _Section, strings: _Section) -> Iterator[str]:
    for place in range(dynamic.offset, dynamic.offset + dynamic.size, 16):
        tag, value = struct.unpack_from("<QQ", data, place)
        if tag == _DT_NEEDED:
            yield _string(data, strings, value)


def _versions(data: bytes, section: _Section, strings: _Section) -> Iterator[tuple[str, tuple[str, ...]]]:
    place = section.offset
    for _ in range(section.count):
        _, count, file, first, following = struct.unpack_from("<HHIII", data, place)
        names, entry = [], place + first
        for _ in range(count):
            _, _, _, name, step = struct.unpack_from("<IHHII", data, entry)
            names.append(_string(data, strings, name))
            entry += step
        yield _string(data, strings, file), tuple(sorted(names))
        place += following
