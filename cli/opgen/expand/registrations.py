"""What a function registers with the dispatcher: its own kernels, and those of its group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from opgen.diagnostics import Span
from opgen.model import DispatchKey, Function, Group, Kind, Program

_META = DispatchKey["Meta"]
_BACKEND_SELECT = DispatchKey["BackendSelect"]
_NON_FUNCTIONAL = DispatchKey["CompositeExplicitAutogradNonFunctional"]


@dataclass(frozen=True, slots=True)
class Registration:
    """A registered kernel. `kernel` is the C++ name of a hand-written kernel; None for a generated one, which
    `what` describes.
    """

    kernel: str | None
    what: str
    span: Span | None

    @property
    def shown(self) -> str:
        return self.kernel or f"<{self.what}>"


def of(function: Function, program: Program) -> Mapping[DispatchKey, Registration]:
    found = {
        key: Registration(kernel.qualified, "structured" if kernel.structured else "kernel", kernel.span)
        for key, kernel in (function.dispatch or {}).items()
    }
    group = program.group_of.get(function.qualified_name)
    if group is not None and group.structured:
        _structured(function, group, found)
    elif gets_in_place_meta(function):
        found.setdefault(_META, Registration(None, "in-place meta: returns self", function.span))
    if needs_backend_select(function):
        found.setdefault(
            _BACKEND_SELECT, Registration(None, "backend select: from the options", function.span)
        )
    return found


def _structured(function: Function, group: Group, found: dict[DispatchKey, Registration]) -> None:
    for key, kernel in (group.out.dispatch or {}).items():
        if kernel.structured:
            found.setdefault(key, Registration(kernel.qualified, "structured", kernel.span))
    if function.kind is not Kind.out:
        what = "structured default: meta, then the out form"
        found.setdefault(_NON_FUNCTIONAL, Registration(None, what, function.span))
    found.setdefault(_META, Registration(None, "structured meta", function.span))


def gets_in_place_meta(function: Function) -> bool:
    """Whether a Meta kernel is generated: the shape of an in-place operator's result is that of `self`."""
    one_return = function.kind is Kind.inplace and len(function.schema.returns) == 1
    return one_return and not function.has_composite_kernel and not function.manual_kernel_registration


def needs_backend_select(function: Function) -> bool:
    """Whether the backend is taken from the tensor options, as there is no tensor argument."""
    name = str(function.name.name)
    if name.endswith("_like") or name.startswith("new_"):
        return False
    return function.schema.arguments.options is not None
