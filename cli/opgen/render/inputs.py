"""The digest of all inputs of a tree: if it is unchanged, nothing needs to be rendered."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from opgen.template_views.source import Source


def digest(options: str, share: Path, files: Iterable[Path], sources: Sequence[Source]) -> str:
    """Returns the digest of the options, of opgen itself (its code where it is a checkout), of its data under
    `share`, and of the input files.
    """
    package = Path(__file__).resolve().parents[1]
    own = sorted(package.rglob("*.py")) if (share / "cli").is_dir() else []
    templates = sorted(file for file in (share / "templates").rglob("*.*") if file.is_file())
    schemas = sorted((share / "schemas").glob("*.yaml"))
    total = hashlib.sha256()
    _add(total, options.encode())
    for file in (*own, *templates, *schemas, *files):
        _add(total, file.name.encode())
        _add(total, file.read_bytes() if file.is_file() else b"")
    for source in sources:
        _add(total, source.path.encode())
        _add(total, source.content)
    return total.hexdigest()


def _add(total: hashlib._Hash, part: bytes) -> None:
    total.update(len(part).to_bytes(8, "little"))
    total.update(part)
