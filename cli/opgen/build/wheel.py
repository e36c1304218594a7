"""Writing the wheel of a built library: reproducible, with headers and CMake files, so that extensions build
against it.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import fcntl
import hashlib
import os
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclasses.dataclass(frozen=True, slots=True)
class WheelSpec:
    """`platform` is as in manylinux_2_35_x86_64; `abi3` names the lowest CPython, as in cp310."""

    name: str
    version: str
    summary: str
    platform: str
    abi3: str = "cp310"

    @property
    def tag(self) -> str:
        return f"{self.abi3}-abi3-{self.platform}"

    @property
    def file_name(self) -> str:
        return f"{self.name}-{self.version}-{self.tag}.whl"


def write_wheel(
    spec: WheelSpec,
    contents: Iterable[tuple[str, Path]],
    directory: Path,
    information: Mapping[str, bytes] = {},
) -> Path:
    """A wheel of `contents` (path in the wheel, file) and more `information` for its .dist-info folder; the
    same bytes for the same contents.
    """
    directory.mkdir(parents=True, exist_ok=True)
    target = directory / spec.file_name
    partial = target.with_suffix(".part")
    with _only_writer(partial) as file:
        try:
            _fill(file, spec, contents, information)
            partial.replace(target)
        except BaseException as error:
            partial.unlink()
            if isinstance(error, OSError) and error.filename is None:
                error.filename = str(target)
            raise
    return target


def _not_emptied(path: str, flags: int) -> int:
    return os.open(path, flags & ~os.O_TRUNC, 0o666)


@contextlib.contextmanager
def _only_writer(path: Path) -> Iterator[BinaryIO]:
    """The file `path`, empty. A second writer waits; what a killed one has left is written over."""
    while True:
        with open(path, "wb", opener=_not_emptied) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), path.stat()):  # else the other's, renamed by now
                    file.truncate(0)
                    yield file
                    return


def _fill(
    target: BinaryIO, spec: WheelSpec, contents: Iterable[tuple[str, Path]], information: Mapping[str, bytes]
) -> None:
    info = f"{spec.name}-{spec.version}.dist-info"
    records = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path, file in sorted(contents):
            records.append(_add(archive, path, file.read_bytes(), executable=".so" in path))
        described = {"METADATA": _metadata(spec), "WHEEL": _wheel(spec), **information}
        for path, content in sorted(described.items()):
            records.append(_add(archive, f"{info}/{path}", content))
        record = "".join(records) + f"{info}/RECORD,,\n"
        _add(archive, f"{info}/RECORD", record.encode())


def _add(archive: zipfile.ZipFile, path: str, content: bytes, executable: bool = False) -> str:
    entry = zipfile.ZipInfo(path, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (0o100755 if executable else 0o100644) << 16
    archive.writestr(entry, content)
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(content)}\n"


def _metadata(spec: WheelSpec) -> bytes:
    minor = int(spec.abi3[3:])
    return (
        f"Metadata-Version: 2.1\nName: {spec.name}\nVersion: {spec.version}\n"
        f"Summary: {spec.summary}\nRequires-Python: >=3.{minor}\n"
    ).encode()


def _wheel(spec: WheelSpec) -> bytes:
    return f"Wheel-Version: 1.0\nGenerator: opgen\nRoot-Is-Purelib: false\nTag: {spec.tag}\n".encode()
