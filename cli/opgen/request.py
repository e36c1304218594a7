"""The arguments of `pipeline.generate`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

from opgen import locate
from opgen.diagnostics import InputError, Severity, shown
from opgen.locate import FUNCTIONS_FILE as FUNCTIONS_FILE

TAGS_FILE = "tags.yaml"
DERIVATIVES_FILE = "derivatives.yaml"
CHECKS_FILE = "checks.yaml"
DOCS_FILE = "docs.yaml"
AUTOCAST_FILE = "autocast.yaml"
BATCHING_FILE = "batching.yaml"
DEPRECATED_FILE = "deprecated.yaml"
COMPANIONS = (
    *(TAGS_FILE, DERIVATIVES_FILE, CHECKS_FILE, DOCS_FILE, AUTOCAST_FILE, BATCHING_FILE),
    DEPRECATED_FILE,
)
_WITHOUT_OPTION = (AUTOCAST_FILE, BATCHING_FILE)
SHIPPED_FOLDERS = ("core", "ops", "cpu", "cuda", "python", "schemas", "templates")
VERSION = "0.1.0"  # license of a library whose author gave none
LICENSE = "BSD-3-Clause"  # license of opgen's own files, as an SPDX expression


class NoFunctionsFile(InputError):
    """A companion was named, and there is no functions file beside it."""


def functions_path(file: Path) -> Path:
    """Returns the functions file; for a folder the one in it, for a companion (tags.yaml and the like) the
    one beside it. Raises NoFunctionsFile.
    """
    if file.is_dir():
        return locate.unnamed(file / FUNCTIONS_FILE, "FILE")
    if file.name not in COMPANIONS:
        return file
    beside = file.parent / FUNCTIONS_FILE
    if beside.is_file():
        return locate.unnamed(beside, "FILE")
    options = "" if file.name in _WITHOUT_OPTION else f", as in `FILE --{file.stem} {file}`"
    fault = f"{file} goes with a functions file, and there is no {FUNCTIONS_FILE} beside it"
    raise NoFunctionsFile(shown(f"{fault}; name the functions file{options}"))


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
        """Returns the files given by option, as arguments of `pipeline.load`."""
        named = ("tags", "derivatives", "checks", "docs")
        return {f"{name}_file": getattr(self, name) for name in named}

    @property
    def derivatives_file(self) -> Path:
        """Returns the file given by option, else the path beside the functions file, existing or not."""
        return self.derivatives or functions_path(self.file).parent / DERIVATIVES_FILE

    @property
    def checks_file(self) -> Path:
        """Returns the file given by option, else the path beside the functions file, existing or not."""
        return self.checks or functions_path(self.file).parent / CHECKS_FILE

    @property
    def docs_file(self) -> Path:
        """Returns the file given by option, else the path beside the functions file, existing or not."""
        return self.docs or functions_path(self.file).parent / DOCS_FILE

    @property
    def autocast_file(self) -> Path:
        """Returns the path beside the functions file, existing or not."""
        return functions_path(self.file).parent / AUTOCAST_FILE

    @property
    def batching_file(self) -> Path:
        """Returns the path beside the functions file, existing or not."""
        return functions_path(self.file).parent / BATCHING_FILE

    @property
    def is_shipped(self) -> bool:
        """Whether these are opgen's own schemas, rather than a project's."""
        own = functions_path(locate.share() / "schemas").resolve()
        return functions_path(self.file).resolve() == own

    @property
    def license(self) -> str:
        """Returns the license of the whole library; "" for a project, whose author decides."""
        return LICENSE if self.is_shipped else ""

    @property
    def options(self) -> str:
        """Returns all options that determine the output, without paths of files: equal on all machines."""
        folders = [folder.name for folder in self.kernels]
        asked = (self.name, self.version, folders, self.operators, self.stubs, self.cuda, self.extend)
        levels = sorted((code, level and level.name) for code, level in self.levels.items())
        return repr((functions_path(self.file).name, *asked, levels))

    @property
    def own_folders(self) -> frozenset[str]:
        """Returns the first path components, in sources.json, of the user's own files."""
        shipped = SHIPPED_FOLDERS if self.is_shipped else ()
        return frozenset([*shipped, *(folder.name for folder in self.kernels)])

    @property
    def origins(self) -> dict[str, Path]:
        """Returns the locations of the files that sources.json names; opgen's own folders are named from its
        root.
        """
        file, derivatives = functions_path(self.file), self.derivatives_file
        folders = {folder.name: folder for folder in reversed(self.kernels)}
        own = locate.share()
        shipped = {n: own / n for n in SHIPPED_FOLDERS}
        named = {f"schemas/{f.name}" if self.is_shipped else f.name: f for f in (derivatives, file)}
        return {**shipped, **folders, **named}
