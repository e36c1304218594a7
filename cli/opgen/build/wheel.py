"""Writing the wheel of a built library: reproducible, with headers and CMake files, so that extensions build
against it.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import sysconfig
import zipfile
from collections.abc import Iterable
from pathlib import Path

_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclasses.dataclass(frozen=True, slots=True)
class WheelSpec:
    """`abi3` names the lowest CPython, as in cp310."""

    name: str
    version: str
    summary: str
    abi3: str = "cp310"

    @property
    def tag(self) -> str:
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        return f"{self.abi3}-abi3-{platform}"

    @property
    def file_name(self) -> str:
        return f"{self.name}-{self.version}-{self.tag}.whl"


def write_wheel(spec: WheelSpec, contents: Iterable[tuple[str, Path]], directory: Path) -> Path:
    """A wheel of `contents` (path in the wheel, file); the same bytes for the same contents."""
    directory.mkdir(parents=True, exist_ok=True)
    target = directory / spec.file_name
    partial = target.with_suffix(".part")
    info = f"{spec.name}-{spec.version}.dist-info"
    records = []
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path, file in sorted(contents):
            records.append(_add(archive, path, file.read_bytes(), executable=".so" in path))
        records.append(_add(archive, f"{info}/METADATA", _metadata(spec)))
        records.append(_add(archive, f"{info}/WHEEL", _wheel(spec)))
        record = "".join(records) + f"{info}/RECORD,,\n"
        _add(archive, f"{info}/RECORD", record.encode())
    partial.replace(target)
    return target


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
