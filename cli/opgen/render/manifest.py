"""manifest.json: the files of a generated tree with their digests, and the digest of all its inputs."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from opgen.render.pages import File

NAME = "manifest.json"
FORMAT = 1


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _not_through_links(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW)


@dataclasses.dataclass(frozen=True, slots=True)
class Manifest:
    """`inputs` identifies what the tree was made from; `files` maps each path to (sha256, origin)."""

    library: str
    inputs: str
    files: dict[str, tuple[str, str]]

    @classmethod
    def of(cls, library: str, inputs: str, files: Iterable[File]) -> Manifest:
        return cls(library, inputs, {f.path: (digest(f.content), f.origin) for f in files})

    def dumps(self) -> bytes:
        rows = {path: {"sha256": sha, "origin": origin} for path, (sha, origin) in sorted(self.files.items())}
        record = {"format": FORMAT, "library": self.library, "inputs": self.inputs, "files": rows}
        return (json.dumps(record, indent=1) + "\n").encode()

    @classmethod
    def read(cls, tree: Path) -> Manifest | None:
        """Returns the manifest of `tree`; None where there is none that this version can read."""
        try:
            record = json.loads((tree / NAME).read_bytes())
            if record["format"] != FORMAT:
                return None
            files = {path: (row["sha256"], row["origin"]) for path, row in record["files"].items()}
            return cls(record["library"], record["inputs"], files)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def stale(self, tree: Path) -> list[str]:
        """Returns the paths of `tree` that no longer hold what this manifest says, are gone, or are links."""
        bad = []
        for path, (sha, _) in self.files.items():
            try:
                with open(f"{tree}/{path}", "rb", buffering=0, opener=_not_through_links) as file:
                    if digest(file.read()) != sha:
                        bad.append(path)
            except OSError:
                bad.append(path)
        return bad
