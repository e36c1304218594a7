"""Changes of the types of arguments. int, SymInt, Scalar and the enumerations are distinct types, whatever a
runtime stores them in.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking import calls
from opgen.breaking import examples as ex
from opgen.breaking.arguments_matched import Kept
from opgen.breaking.finding import EVERYONE, Audience, Bump, Finding, Rule, effects
from opgen.breaking.pair import Pair, Witness
from opgen.model import Base, BaseType, ListType, OptionalType, Type

MADE_OPTIONAL = Rule(
    "OPB401",
    "type-made-optional",
    "An argument takes None, too.",
    effects(abi="X", graph_fc="X", backend="X"),
    Bump.minor,
    ex.f("Tensor self, Tensor bias"),
    ex.f("Tensor self, Tensor? bias"),
    "declare another overload, so that kernels of the old signature still register",
)
MADE_REQUIRED = Rule(
    "OPB402",
    "type-made-required",
    "An argument takes None no longer.",
    effects(cpp="w", abi="X", python="w", graph_bc="X", backend="X"),
    Bump.major,
    ex.f("Tensor self, Tensor? k"),
    ex.f("Tensor self, Tensor k"),
    "keep it optional",
)
INT_TO_SYMINT = Rule(
    "OPB403",
    "type-int-to-symint",
    "An integer can be symbolic: at::f stays, f_symint comes along.",
    effects(abi="X", graph_fc="w"),
    Bump.minor,
    ex.f("Tensor self, int k"),
    ex.f("Tensor self, SymInt k"),
)
SYMINT_TO_INT = Rule(
    "OPB404",
    "type-symint-to-int",
    "An integer can no longer be symbolic: f_symint is gone.",
    effects(cpp="X", abi="X", graph_bc="w", backend="X"),
    Bump.major,
    ex.f("Tensor self, SymInt k"),
    ex.f("Tensor self, int k"),
    "keep SymInt",
)
INT_TO_ENUM = Rule(
    "OPB405",
    "type-int-to-enum",
    "An integer and an enumeration, or two of these, took each other's place; saved programs hold both as"
    " integers.",
    effects(cpp="X", abi="X", python="X", graph_bc="S", graph_fc="S", backend="X"),
    Bump.major,
    ex.f("Tensor self, int k"),
    ex.f("Tensor self, ScalarType k"),
    "declare another overload",
)
WIDENED = Rule(
    "OPB406",
    "type-widened",
    "An argument takes more: a Scalar where it took a number, lists with gaps where it took full ones.",
    effects(cpp="w", abi="X", graph_fc="X", backend="X"),
    Bump.minor,
    ex.f("Tensor self, float k"),
    ex.f("Tensor self, Scalar k"),
    "declare another overload, so that kernels of the old signature still register",
)
NARROWED = Rule(
    "OPB407",
    "type-narrowed",
    "An argument takes less: a number where it took any Scalar, full lists where it took gaps.",
    effects(cpp="w", abi="X", python="X", graph_bc="X", backend="X"),
    Bump.major,
    ex.f("Tensor self, Scalar k"),
    ex.f("Tensor self, float k"),
    "keep the wider type",
)
CHANGED = Rule(
    "OPB408",
    "type-changed",
    "An argument is of another type.",
    EVERYONE,
    Bump.major,
    ex.f("Tensor self, int[] offsets"),
    ex.f("Tensor self, Tensor offsets"),
    "declare another overload",
)
SIZE_CHANGED = Rule(
    "OPB411",
    "list-size-changed",
    "A list has another size; in C++ it is the same type.",
    effects(cpp="w", python="X", graph_bc="X", graph_fc="X", backend="S"),
    Bump.major,
    ex.f("Tensor self, int[2] stride"),
    ex.f("Tensor self, int[3] stride"),
    "declare another overload",
)
SIZE_REMOVED = Rule(
    "OPB412",
    "list-size-removed",
    "A list has no fixed size any more, so that one number no longer stands for all of its elements.",
    effects(python="X", graph_fc="X"),
    Bump.major,
    ex.f("Tensor self, int[2] k"),
    ex.f("Tensor self, int[] k"),
    "keep the size",
)
SIZE_ADDED = Rule(
    "OPB413",
    "list-size-added",
    "A list has a fixed size, which lists of other sizes are refused for.",
    effects(cpp="w", python="w", graph_bc="w", backend="S"),
    Bump.major,
    ex.f("Tensor self, int[] k"),
    ex.f("Tensor self, int[2] k"),
    "leave the size open",
)
RULES = (
    *(MADE_OPTIONAL, MADE_REQUIRED, INT_TO_SYMINT, SYMINT_TO_INT, INT_TO_ENUM, WIDENED, NARROWED, CHANGED),
    *(SIZE_CHANGED, SIZE_REMOVED, SIZE_ADDED),
)

_ENUMS = frozenset({Base.ScalarType, Base.Layout, Base.MemoryFormat, Base.DeviceIndex})
_INTEGERS = frozenset({Base.int, Base.SymInt})
_NUMBERS = _INTEGERS | {Base.float, Base.bool}
_SYMBOLIC = {(Base.int, Base.SymInt): INT_TO_SYMINT, (Base.bool, Base.SymBool): INT_TO_SYMINT}
_CONCRETE = {(new, old): SYMINT_TO_INT for old, new in _SYMBOLIC}


def compare(pair: Pair) -> Iterator[Finding]:
    for kept in pair.arguments.kept:
        for rule in differences(kept.old.type, kept.new.type):
            yield _changed(pair, kept, rule)


def differences(old: Type, new: Type) -> tuple[Rule, ...]:
    """Returns the steps from one type to the other; a single CHANGED where the types are unrelated."""
    if old == new:
        return ()
    steps = tuple(dict.fromkeys(_steps(old, new)))
    return (CHANGED,) if CHANGED in steps else steps


def _steps(old: Type, new: Type) -> Iterator[Rule]:
    was, now = isinstance(old, OptionalType), isinstance(new, OptionalType)
    if was != now:
        yield MADE_REQUIRED if was else MADE_OPTIONAL
    old, new = _bare(old), _bare(new)
    if isinstance(old, ListType) and isinstance(new, ListType):
        yield from _of_lists(old, new)
    elif isinstance(old, BaseType) and isinstance(new, BaseType):
        yield from _of_bases(old.base, new.base)
    elif old != new:
        yield CHANGED


def _bare(type: Type) -> Type:
    return type.elem if isinstance(type, OptionalType) else type


def _of_lists(old: ListType, new: ListType) -> Iterator[Rule]:
    if old.size != new.size:
        yield SIZE_REMOVED if new.size is None else SIZE_ADDED if old.size is None else SIZE_CHANGED
    for rule in _steps(old.elem, new.elem):
        yield {MADE_OPTIONAL: WIDENED, MADE_REQUIRED: NARROWED}.get(rule, rule)


def _of_bases(old: Base, new: Base) -> Iterator[Rule]:
    if old is new:
        return
    symbolic = _SYMBOLIC.get((old, new)) or _CONCRETE.get((old, new))
    if symbolic is not None:
        yield symbolic
    elif (old in _ENUMS and new in _ENUMS | _INTEGERS) or (old in _INTEGERS and new in _ENUMS):
        yield INT_TO_ENUM
    elif old in _NUMBERS and new is Base.Scalar:
        yield WIDENED
    elif old is Base.Scalar and new in _NUMBERS:
        yield NARROWED
    else:
        yield CHANGED


_MESSAGES = {
    MADE_OPTIONAL: "takes None, too",
    MADE_REQUIRED: "takes None no longer",
    INT_TO_SYMINT: "can be symbolic",
    SYMINT_TO_INT: "can no longer be symbolic",
}


def _changed(pair: Pair, kept: Kept, rule: Rule) -> Finding:
    old, new = kept.old, kept.new
    what = _MESSAGES.get(rule)
    change = f"is '{new.type}', and was '{old.type}'"
    return pair.changed(
        rule,
        f"the argument '{new.name}' {what}: it {change}" if what else f"the argument '{new.name}' {change}",
        [pair.was.argument(old.name, "type")],
        [pair.now.argument(new.name, "type")],
        subject=f"argument {old.name}",
        witness=_witness(pair, kept, rule),
    )


def _witness(pair: Pair, kept: Kept, rule: Rule) -> Witness:
    name, type = kept.old.name, kept.new.type
    refused = f"TypeError: '{kept.new.name}' must be {type}"
    if rule in _REFUSED:
        return Witness(calls.python(pair.old, values={name: _REFUSED[rule]}), refused)
    if Audience.python in rule.breaks:
        return Witness(calls.python(pair.old, give=[name]), refused)
    if rule is SYMINT_TO_INT:
        call = calls.cpp_call(pair.old, give=[name], symint=True)
        return Witness(call, "does not compile: there is no form with c10::SymInt any more")
    if Audience.backend in rule.breaks:
        return Witness(calls.registration(pair.old), f"refused: '{name}' is {type} in the schema")
    return Witness(calls.struct(pair.old), f"no such symbol: '{name}' is c10::SymInt in it")


# A value that the old type accepts and the new one does not.
_REFUSED = {MADE_REQUIRED: "None", NARROWED: "1j", SIZE_REMOVED: "2", SIZE_ADDED: "[2, 2, 2, 2, 2, 2, 2]"}
