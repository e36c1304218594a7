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
    """`platform` is as in manylinux_2_35_x86_64; `abi3` names the lowest CPython, as in cp310. `license` is
    the SPDX expression of the whole wheel, "" where its author has not said; `license_files` are notices that
    it carries, by their path below .dist-info/licenses (PEP 639). `extras` are pairs of an extra's name and
    a requirement of it.
    """

    name: str
    version: str
    summary: str
    platform: str
    abi3: str = "cp310"
    license: str = ""
    license_files: Mapping[str, bytes] = dataclasses.field(default_factory=dict)
    extras: tuple[tuple[str, str], ...] = ()

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
    """Writes a wheel of `contents` (path in the wheel, file) and more `information` for its .dist-info
    folder; reproducible.
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
    """Opens an empty file `path`. A second writer waits; leftovers of a killed one are overwritten."""
    while True:
        with open(path, "wb", opener=_not_emptied) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), path.stat()):  # else it was renamed already
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
        licenses = {f"licenses/{path}": content for path, content in spec.license_files.items()}
        described = {"METADATA": _metadata(spec), "WHEEL": _wheel(spec), **licenses, **information}
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
    fields = [
        ("Metadata-Version", "2.4"),
        ("Name", spec.name),
        ("Version", spec.version),
        ("Summary", spec.summary),
        *([("License-Expression", spec.license)] if spec.license else []),
        *(("License-File", path) for path in sorted(spec.license_files)),
        ("Requires-Python", f">=3.{minor}"),
        *(("Provides-Extra", extra) for extra in dict.fromkeys(extra for extra, _ in spec.extras)),
        *(("Requires-Dist", f"{wanted} ; extra == '{extra}'") for extra, wanted in spec.extras),
    ]
    return "".join(f"{name}: {value}\n" for name, value in fields).encode()


def _wheel(spec: WheelSpec) -> bytes:
    return f"Wheel-Version: 1.0\nGenerator: opgen\nRoot-Is-Purelib: false\nTag: {spec.tag}\n".encode()
