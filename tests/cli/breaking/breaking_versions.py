"""A checkout whose declarations changed, and reading a version of them, for the tests of which versions are
compared.
"""

from __future__ import annotations

from pathlib import Path

from opgen import baseline
from opgen.baseline.place import OnDisk

OLD = "- func: f(Tensor self, int k) -> Tensor\n- func: g(Tensor self) -> Tensor\n"
NEW = "- func: f(Tensor self) -> Tensor\n- func: g(Tensor self) -> Tensor\n"


def schemas(text: str, new: str = "schemas") -> list[str]:
    """Returns the schemas of the version that `text` means beside the path `new`."""
    version = baseline.read(baseline.locate(text, {}, OnDisk(Path(new))))
    return [str(f.schema) for f in version.program.functions if not f.is_generated]


def is_old(found: list[str]) -> bool:
    return [f"- func: {schema}" for schema in found] == OLD.splitlines()
