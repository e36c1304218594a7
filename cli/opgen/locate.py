"""Where opgen's own data is: templates, schemas, runtime sources and kernels; and what it reads unnamed."""

from __future__ import annotations

import os
from pathlib import Path

from opgen.diagnostics import InputError, shown


def share() -> Path:
    """The folder that holds `templates/`, `schemas/`, `core/` ...: inside the installed package, else the
    checkout.
    """
    package = Path(__file__).resolve().parent
    packaged = package / "_share"
    return packaged if packaged.is_dir() else package.parents[1]


def default_schemas() -> Path:
    """What commands read when no file is named: `schemas/` here, else opgen's own."""
    here = Path("schemas")
    return unnamed(here, "FILE") if here.is_dir() else share() / "schemas"


def unnamed(path: Path, option: str) -> Path:
    """`path`, which a command takes because it is there and nobody named another by `option`.

    Messages quote what is read, and whoever wrote a checkout may have made links in it that lead to files of
    others. So links may lead anywhere in the repository, whose files its authors know, but not out of it, nor
    into .git, where credentials may be; where there is no repository, not out of the folder. Raises
    InputError.
    """
    folder, target = Path(os.path.realpath(path.parent)), Path(os.path.realpath(path))
    if target == folder / path.name:
        return path
    root = next((f for f in (folder, *folder.parents) if os.path.lexists(f / ".git")), folder)
    if target.is_relative_to(root) and ".git" not in target.relative_to(root).parts:
        return path
    what = "repository" if os.path.lexists(root / ".git") else "folder"
    fault = f"{path} is a link that leads out of its {what}, to {target}, and was named by nobody"
    raise InputError(f"{shown(fault)}; if that is meant, name it as {option}")
