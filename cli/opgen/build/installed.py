"""The library that an extension extends, as installed in this Python environment."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from opgen.check.generation_rules import IN_LIBRARY
from opgen.diagnostics import Diagnostic
from opgen.model import Program

_SHIPPED = "aten"  # the library of opgen's own schemas
_OPERATOR = re.compile(
    r'\* name = "(?P<name>[\w:]+)";\s*static constexpr const char\* overload_name = "(?P<overload>\w*)";'
)


def package(library: str) -> Path | None:
    """Returns the folder of its Python package, with its headers; None where no such library is installed."""
    spec = importlib.util.find_spec(library)
    places = spec.submodule_search_locations if spec is not None else None
    return next((Path(p) for p in places or () if (Path(p) / "include" / library).is_dir()), None)


def missing(library: str) -> str | None:
    """Returns what to do where the library is not installed; None where it is."""
    if package(library) is not None:
        return None
    return (
        f"--extend {library}: no library of this name is installed in {sys.prefix}; install its wheel there:"
        f" pip install {library}-VERSION.whl. `opgen build --aten --install`, or `make build` in a clone of"
        " opgen, makes and installs aten"
    )


def without_cuda(library: str) -> str | None:
    """Returns what to do where the library is installed without its CUDA half, or not at all."""
    folder = package(library)
    if folder is not None and (folder / "lib" / f"lib{library}_cuda.so").is_file():
        return None
    return (
        f"--backend cuda: the library {library} that this extends is installed without CUDA; build it with"
        " --backend cuda, or this with --backend cpu"
    )


def operators(library: str) -> frozenset[str] | None:
    """Returns `aten::add.Tensor` and the like, as the library's headers declare them; None where it is not
    installed.
    """
    folder = package(library)
    if folder is None:
        return None
    headers = (folder / "include" / library / "ATen" / "ops").glob("*_ops.h")
    found = (m for header in headers for m in _OPERATOR.finditer(header.read_text(encoding="utf-8")))
    return frozenset(f"{m['name']}.{m['overload']}".removesuffix(".") for m in found)


def repeated(program: Program, library: str, shipped: Callable[[], Program]) -> Iterator[Diagnostic]:
    """Yields a fault for each operator that `program`, an extension, declares and `library` has. The
    operators of opgen's own library are known from the `shipped` schemas even where it is not installed.
    """
    taken = operators(library)
    if taken is None and library == _SHIPPED:
        taken = frozenset(f"{f.namespace}::{f.name}" for f in shipped().functions)
    for f in program.functions:
        if not f.is_generated and f"{f.namespace}::{f.name}" in (taken or ()):
            message = f"'{f.namespace}::{f.name}' is an operator of {library}, which this extends"
            help = f"declare it in a namespace of your own, as in `func: mine::{f.name}(...)`"
            yield IN_LIBRARY.at(f.span, message, help)
