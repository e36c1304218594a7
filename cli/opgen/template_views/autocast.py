"""Template views of src/autocast_*.cpp: the kernels of the Autocast keys, which cast and call the operator
again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from opgen.api import dispatcher
from opgen.expand.autocast import overload_with_dtype
from opgen.model.autocast import DEVICES, AutocastEntry, Cast, key_of
from opgen.model.dispatch import DispatchKey
from opgen.model.function import Function
from opgen.model.program import Program
from opgen.template_views import names
from opgen.template_views.atoms import Cpp, Ident, c_literal
from opgen.template_views.atoms_of import atoms, comma
from opgen.template_views.kernels import Registration
from opgen.template_views.page import Page


@dataclasses.dataclass(frozen=True, slots=True)
class AutocastKernel:
    """One kernel. `overload` is the operator that is called instead, `instead` the name of that to use."""

    symbol: Ident
    struct: Ident
    returns: Cpp
    cast: Ident
    comma_params: Cpp
    comma_args: Cpp
    overload: Ident | None
    instead: Cpp | None


@dataclasses.dataclass(frozen=True, slots=True)
class AutocastView:
    template: Cpp
    device: Ident
    includes: tuple[Ident, ...]
    kernels: tuple[AutocastKernel, ...]


def rows(program: Program) -> Iterator[Registration]:
    for function, key, _ in _kernels(program):
        yield Registration(function, key, None)


def autocast_pages(program: Program) -> Iterator[Page]:
    """Yields src/autocast_<device>.cpp for the devices in whose regions operators cast."""
    template = "src/autocast.cpp.mako"
    for device in DEVICES:
        of_device = [(f, entry) for f, key, entry in _kernels(program) if key is key_of(device)]
        if of_device:
            includes = tuple(sorted({names.base(f) for f, _ in of_device}))
            kernels = tuple(_kernel(f, device, entry, program) for f, entry in of_device)
            view = AutocastView(Cpp(template), Ident(device), includes, kernels)
            yield Page(f"src/autocast_{device}.cpp", template, view)


def _kernels(program: Program) -> Iterator[tuple[Function, DispatchKey, AutocastEntry]]:
    """Yields the functions with an entry, for each key."""
    of = program.autocast.of if program.autocast is not None else {}
    for function in program.functions:
        for key, entry in of.get(function.qualified_name, {}).items():
            yield function, key, entry


def _kernel(function: Function, device: str, entry: AutocastEntry, program: Program) -> AutocastKernel:
    signature = dispatcher.signature(function)
    parts = atoms(signature)
    other = overload_with_dtype(function, program) if entry.cast is Cast.float32_overload else None
    return AutocastKernel(
        symbol=names.kernel_symbol(str(key_of(device)), function),
        struct=names.struct(function),
        returns=Cpp(str(signature.returns)),
        cast=Ident(entry.cast.value),
        comma_params=comma(parts.params),
        comma_args=comma(parts.args),
        overload=names.struct(other) if other is not None else None,
        instead=c_literal(entry.instead[0]) if entry.instead is not None else None,
    )
