"""Where opgen's own data is (templates, schemas, runtime sources and kernels), and which files are read by
default.
"""

from __future__ import annotations

import os
from pathlib import Path

from opgen.diagnostics import InputError, shown

FUNCTIONS_FILE = "native_functions.yaml"


def share() -> Path:
    """Returns the folder that holds `templates/`, `schemas/`, `core/` ...: inside the installed package, else
    the checkout.
    """
    package = Path(__file__).resolve().parent
    packaged = package / "_share"
    return packaged if packaged.is_dir() else package.parents[1]


def near(path: Path) -> Path:
    """Returns an absolute path relative to the current folder, where it lies below that."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def shipped_schemas() -> Path:
    """Returns the file with the declarations of the library `aten`, which opgen ships."""
    return near(share() / "schemas")


def functions_here() -> Path | None:
    """Returns the functions file of the current folder, if there is one."""
    here = Path(FUNCTIONS_FILE)
    return unnamed(here, "FILE") if here.is_file() else None


def default_functions() -> Path:
    """Returns the file to read when neither the command line nor the configuration names one. Raises
    InputError.
    """
    found = functions_here()
    if found is None:
        raise InputError(
            f"no FILE is named, there is no {FUNCTIONS_FILE} here, and no opgen.toml names one"
            f' (schemas = "FILE"); name FILE, or give --aten for the operators that opgen ships'
        )
    return found


def unnamed(path: Path, option: str) -> Path:
    """Returns `path`, which a command reads because it exists and `option` names no other file.

    Messages quote what is read, and the author of a checkout may have made links in it to other people's
    files. So links may lead anywhere in the repository, whose files its authors know, but not out of it, nor
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
