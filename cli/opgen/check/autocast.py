"""The entries of an autocast file, against the operators they name."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Diagnostic, Related, Rule, Severity, Span, did_you_mean
from opgen.expand.autocast import DTYPE, overload_with_dtype
from opgen.model import Base, Function, Kind, OptionalType, Program
from opgen.model.autocast import Cast
from opgen.parse.autocast import AUTOCAST_PART

_F = "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: f\n"


def _example(ops: str, cast: str = "float32") -> str:
    return f"{_F}{AUTOCAST_PART}- cast: {cast}\n  devices: [CPU]\n  ops: [{ops}]\n"


UNKNOWN_OPERATOR = Rule(
    "OPG870",
    "autocast-unknown-operator",
    Severity.error,
    "Operators of an autocast file are declared.",
    _example("g"),
    _example("f"),
)
TWICE = Rule(
    "OPG871",
    "autocast-twice",
    Severity.error,
    "An operator casts in one way in the regions of a device.",
    _example("f, f"),
    _example("f"),
)
UNFIT = Rule(
    "OPG872",
    "autocast-unfit",
    Severity.error,
    "Operators that cast take tensors and write to none; 'float32_dtype' is for those with an optional"
    " argument 'dtype', 'float32_overload' for those with an overload that has it.",
    _example("f", "float32_dtype"),
    _example("f"),
    ignorable=False,
)
RULES = (UNKNOWN_OPERATOR, TWICE, UNFIT)


def check(program: Program) -> Iterator[Diagnostic]:
    if program.autocast is None:
        return
    first: dict[tuple[str, str], Span] = {}
    for entry in program.autocast.entries:
        for name, span in (*entry.ops, *([entry.instead] if entry.instead else [])):
            if program.function(name) is None and name.partition(".")[0].rstrip("_") not in program.faulty:
                help = did_you_mean(name, program.by_name)
                yield UNKNOWN_OPERATOR.at(span, f"there is no operator '{name}'", help)
        for name, span in entry.ops:
            for device in entry.devices:
                if (name, device) in first:
                    related = (Related(first[name, device], "the first one"),)
                    yield TWICE.at(span, f"'{name}' has a second cast for {device}", related=related)
                first.setdefault((name, device), span)
            function = program.function(name)
            unfit = _unfit(function, entry.cast, program) if function is not None else None
            if unfit is not None:
                yield UNFIT.at(span, f"'{name}' {unfit}")


def _unfit(function: Function, cast: Cast, program: Program) -> str | None:
    """Returns what is wrong about an operator with this cast; None if it fits."""
    arguments = function.schema.arguments.all
    if function.kind is not Kind.functional:
        return "writes to a tensor"
    if not any(a.type.is_tensor_like() for a in arguments):
        return "takes no tensor"
    if cast is Cast.float32_dtype:
        optional = any(
            a.name == DTYPE and isinstance(a.type, OptionalType) and a.type.is_like(Base.ScalarType)
            for a in arguments
        )
        return None if optional else f"has no optional argument '{DTYPE}'"
    if cast is Cast.float32_overload and overload_with_dtype(function, program) is None:
        return f"has no overload with the same arguments and '{DTYPE}'"
    return None
