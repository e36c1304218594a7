"""Changes of what an operator returns: number, types and names of values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opgen.breaking import calls
from opgen.breaking import examples as ex
from opgen.breaking.finding import EVERYONE, NOBODY, Bump, Finding, Rule, effects
from opgen.breaking.pair import Pair, Witness
from opgen.model import OptionalType, Return, Schema

TYPE_CHANGED = Rule(
    "OPB501",
    "return-type-changed",
    "A result is of another type.",
    EVERYONE,
    Bump.major,
    ex.f("Tensor self"),
    ex.f("Tensor self", "int"),
    "declare another operator",
)
COUNT_CHANGED = Rule(
    "OPB502",
    "return-count-changed",
    "There are more results, or fewer.",
    EVERYONE,
    Bump.major,
    ex.f("Tensor self", "(Tensor, Tensor)"),
    ex.f("Tensor self"),
    "declare another operator",
)
MADE_OPTIONAL = Rule(
    "OPB503",
    "return-made-optional",
    "A result may be None.",
    effects(cpp="X", abi="X", python="w", graph_bc="X", backend="X"),
    Bump.major,
    ex.f("Tensor self"),
    ex.f("Tensor self", "Tensor?"),
    "return something in every case",
)
MADE_REQUIRED = Rule(
    "OPB504",
    "return-made-required",
    "A result is never None any more.",
    effects(cpp="w", abi="X", graph_fc="w", backend="X"),
    Bump.minor,
    ex.f("Tensor self", "Tensor?"),
    ex.f("Tensor self"),
    "declare another operator, so that kernels of the old signature still register",
)
RENAMED = Rule(
    "OPB505",
    "return-renamed",
    "A field of the named tuple that Python gets has another name.",
    effects(python="w"),
    Bump.major,
    ex.f("Tensor self", "(Tensor values, Tensor indices)"),
    ex.f("Tensor self", "(Tensor vals, Tensor indices)"),
    "keep the old name",
)
NAMES_ADDED = Rule(
    "OPB506",
    "return-names-added",
    "Python gets a named tuple where it got a plain one.",
    NOBODY,
    Bump.minor,
    ex.f("Tensor self", "(Tensor, Tensor)"),
    ex.f("Tensor self", "(Tensor a, Tensor b)"),
)
NAMES_REMOVED = Rule(
    "OPB507",
    "return-names-removed",
    "Python gets a plain tuple where it got a named one.",
    effects(python="w"),
    Bump.major,
    ex.f("Tensor self", "(Tensor a, Tensor b)"),
    ex.f("Tensor self", "(Tensor, Tensor)"),
    "keep the names",
)
SWAPPED = Rule(
    "OPB508",
    "returns-swapped",
    "Results changed places: nothing but their values tells.",
    effects(cpp="S", abi="S", python="S", graph_bc="S", graph_fc="S", backend="S"),
    Bump.major,
    ex.f("Tensor self", "(Tensor a, Tensor b)"),
    ex.f("Tensor self", "(Tensor b, Tensor a)"),
    "keep the order",
)
RULES = (
    *(TYPE_CHANGED, COUNT_CHANGED, MADE_OPTIONAL, MADE_REQUIRED, RENAMED, NAMES_ADDED, NAMES_REMOVED),
    SWAPPED,
)


@dataclass(frozen=True, slots=True)
class Place:
    """A result with its index in the schema."""

    index: int
    result: Return


def compare(pair: Pair) -> Iterator[Finding]:
    old = _own(pair.old.schema, {s.name for s in pair.arguments.removed})
    new = _own(pair.new.schema, {s.name for s in pair.arguments.added})
    if len(old) != len(new):
        results = "is 1 result" if len(new) == 1 else f"are {len(new)} results"
        yield _all(pair, COUNT_CHANGED, f"there {results} in place of {len(old)}", "count")
        return
    names = _names(old), _names(new)
    if names[0] != names[1] and sorted(names[0]) == sorted(names[1]):
        order = f"the order of the results ({', '.join(names[0])}) is ({', '.join(names[1])}) now"
        yield _all(pair, SWAPPED, order, "order")
        return
    for was, now in zip(old, new, strict=True):
        yield from _types(pair, was, now)
    if names[0] != names[1] and len(old) > 1:
        yield from _renamed(pair, old, new)


def _own(schema: Schema, without: set[str]) -> list[Place]:
    """Returns the results other than the out arguments in `without`, which have findings of their own."""
    names = schema.aliased_return_names()
    return [Place(i, r) for i, r in enumerate(schema.returns) if names[i] is None or names[i] not in without]


def _names(places: list[Place]) -> list[str]:
    return [p.result.name or "" for p in places]


def _types(pair: Pair, was: Place, now: Place) -> Iterator[Finding]:
    old, new = was.result.type, now.result.type
    if old == new:
        return
    rule = TYPE_CHANGED
    if isinstance(new, OptionalType) and new.elem == old:
        rule = MADE_OPTIONAL
    elif isinstance(old, OptionalType) and old.elem == new:
        rule = MADE_REQUIRED
    yield pair.changed(
        rule,
        f"{_called(now)} is '{new}', and was '{old}'",
        [pair.was.returned(was.index, "type")],
        [pair.now.returned(now.index, "type")],
        subject=f"result {was.index}",
        witness=Witness(f"{old} result = {calls.python(pair.old)}", f"the result is {new} now"),
    )


def _called(place: Place) -> str:
    return f"the result '{place.result.name}'" if place.result.name else f"result {place.index + 1}"


def _renamed(pair: Pair, old: list[Place], new: list[Place]) -> Iterator[Finding]:
    was, now = _names(old), _names(new)
    if not any(was) or not any(now):
        field = next(filter(None, was), "")
        message = "the results have names now" if any(now) else "the results have no names any more"
        gone = f"AttributeError: there is no field '{field}'"
        witness = Witness(f"{calls.python(pair.old)}.{field}", gone) if field else None
        yield _all(pair, NAMES_ADDED if any(now) else NAMES_REMOVED, message, "names", witness)
        return
    for before, after in zip(old, new, strict=True):
        if before.result.name != after.result.name:
            yield pair.changed(
                RENAMED,
                f"the result '{before.result.name or ''}' is called '{after.result.name or ''}' now",
                [pair.was.returned(before.index, "name")],
                [pair.now.returned(after.index, "name")],
                subject=f"result {before.index}",
                witness=Witness(
                    f"{calls.python(pair.old)}.{before.result.name}",
                    f"AttributeError: the field is called '{after.result.name}' now",
                ),
            )


def _all(pair: Pair, rule: Rule, message: str, subject: str, witness: Witness | None = None) -> Finding:
    if witness is None and rule is not NAMES_ADDED:
        count = len(pair.old.schema.returns)
        targets = ", ".join(r.name or f"r{i}" for i, r in enumerate(pair.old.schema.returns)) or "nothing"
        call = f"{targets} = {calls.python(pair.old)}" if count else calls.python(pair.old)
        witness = Witness(call, message)
    return pair.changed(
        rule,
        message,
        [pair.was.returns()],
        [pair.now.returns()],
        subject=f"results: {subject}",
        witness=witness,
    )
