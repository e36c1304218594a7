"""What is asked of `pipeline.generate`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

from opgen import locate
from opgen.diagnostics import Severity

FUNCTIONS_FILE = "native_functions.yaml"
DERIVATIVES_FILE = "derivatives.yaml"
CHECKS_FILE = "checks.yaml"


def functions_path(file: Path) -> Path:
    """A folder stands for the functions file in it."""
    return locate.unnamed(file / FUNCTIONS_FILE, "FILE") if file.is_dir() else file


@dataclasses.dataclass(frozen=True, slots=True)
class Request:
    """What to generate. `operators` None means all of the file; `extend` names the installed library to
    extend.
    """

    file: Path
    out: Path
    name: str
    tags: Path | None = None
    kernels: tuple[Path, ...] = ()
    operators: tuple[str, ...] | None = None
    stubs: bool = False
    cuda: bool = False
    extend: str | None = None
    version: str = "0.1.0"
    levels: Mapping[str, Severity | None] = dataclasses.field(default_factory=dict)
    derivatives: Path | None = None
    checks: Path | None = None

    @property
    def derivatives_file(self) -> Path:
        """The one that was named, else the one beside the functions file, whether it is there or not."""
        return self.derivatives or functions_path(self.file).parent / DERIVATIVES_FILE

    @property
    def checks_file(self) -> Path:
        """The one that was named, else the one beside the functions file, whether it is there or not."""
        return self.checks or functions_path(self.file).parent / CHECKS_FILE

    @property
    def is_shipped(self) -> bool:
        """Are these opgen's own schemas, rather than a project's?"""
        own = functions_path(locate.share() / "schemas").resolve()
        return functions_path(self.file).resolve() == own

    @property
    def options(self) -> str:
        """All that is asked for, without the places of files: the same elsewhere."""
        folders = [folder.name for folder in self.kernels]
        asked = (self.name, self.version, folders, self.operators, self.stubs, self.cuda, self.extend)
        levels = sorted((code, level and level.name) for code, level in self.levels.items())
        return repr((functions_path(self.file).name, *asked, levels))

    @property
    def origins(self) -> dict[str, Path]:
        """Where the files that sources.json names lie; the folders of opgen itself are named from its
        root.
        """
        file, derivatives = functions_path(self.file), self.derivatives_file
        folders = {folder.name: folder for folder in reversed(self.kernels)}
        own = locate.share()
        shipped = {n: own / n for n in ("core", "composite", "cpu", "cuda", "python", "schemas", "templates")}
        named = {f"schemas/{f.name}" if self.is_shipped else f.name: f for f in (derivatives, file)}
        return {**shipped, **folders, **named}
