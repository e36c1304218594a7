"""The arguments of `pipeline.generate`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

from opgen import locate
from opgen.diagnostics import Severity
from opgen.locate import FUNCTIONS_FILE as FUNCTIONS_FILE

TAGS_FILE = "tags.yaml"
DERIVATIVES_FILE = "derivatives.yaml"
CHECKS_FILE = "checks.yaml"
DOCS_FILE = "docs.yaml"
SHIPPED_FOLDERS = ("core", "ops", "cpu", "cuda", "python", "schemas", "templates")
VERSION = "0.1.0"  # of a library whose author gave none
LICENSE = "BSD-3-Clause"  # opgen's own, as an SPDX expression


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
    version: str = VERSION
    levels: Mapping[str, Severity | None] = dataclasses.field(default_factory=dict)
    derivatives: Path | None = None
    checks: Path | None = None
    docs: Path | None = None

    @property
    def companions(self) -> dict[str, Path | None]:
        """The files given by option, as arguments of `pipeline.load`."""
        named = ("tags", "derivatives", "checks", "docs")
        return {f"{name}_file": getattr(self, name) for name in named}

    @property
    def derivatives_file(self) -> Path:
        """The file given by option, else the one beside the functions file, whether it exists or not."""
        return self.derivatives or functions_path(self.file).parent / DERIVATIVES_FILE

    @property
    def checks_file(self) -> Path:
        """The file given by option, else the one beside the functions file, whether it exists or not."""
        return self.checks or functions_path(self.file).parent / CHECKS_FILE

    @property
    def docs_file(self) -> Path:
        """The file given by option, else the one beside the functions file, whether it exists or not."""
        return self.docs or functions_path(self.file).parent / DOCS_FILE

    @property
    def is_shipped(self) -> bool:
        """Are these opgen's own schemas, rather than a project's?"""
        own = functions_path(locate.share() / "schemas").resolve()
        return functions_path(self.file).resolve() == own

    @property
    def license(self) -> str:
        """The license of the whole library; "" for a project, whose author decides."""
        return LICENSE if self.is_shipped else ""

    @property
    def options(self) -> str:
        """Everything that determines the output, without the paths of files: equal on other machines."""
        folders = [folder.name for folder in self.kernels]
        asked = (self.name, self.version, folders, self.operators, self.stubs, self.cuda, self.extend)
        levels = sorted((code, level and level.name) for code, level in self.levels.items())
        return repr((functions_path(self.file).name, *asked, levels))

    @property
    def own_folders(self) -> frozenset[str]:
        """The first path components, in sources.json, of the files that are being worked on."""
        shipped = SHIPPED_FOLDERS if self.is_shipped else ()
        return frozenset([*shipped, *(folder.name for folder in self.kernels)])

    @property
    def origins(self) -> dict[str, Path]:
        """Where the files that sources.json names lie; the folders of opgen itself are named from its
        root.
        """
        file, derivatives = functions_path(self.file), self.derivatives_file
        folders = {folder.name: folder for folder in reversed(self.kernels)}
        own = locate.share()
        shipped = {n: own / n for n in SHIPPED_FOLDERS}
        named = {f"schemas/{f.name}" if self.is_shipped else f.name: f for f in (derivatives, file)}
        return {**shipped, **folders, **named}
