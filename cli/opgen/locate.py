"""Where opgen's own data is: templates, schemas, runtime sources and kernels."""

from __future__ import annotations

from pathlib import Path


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
    return here if here.is_dir() else share() / "schemas"
