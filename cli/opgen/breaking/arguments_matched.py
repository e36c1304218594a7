"""Matches the arguments of the old schema with the new one's: by name, then by place and type."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from opgen.model import Argument, Base, BaseType, ListType, OptionalType, Schema, Type


class Passed(enum.Enum):
    """How callers pass an argument."""

    positional = "positional"
    keyword = "keyword-only"
    out = "out"


_FEW = 16  # renaming more arguments than that is unlikely


@dataclass(frozen=True, slots=True)
class Slot:
    """An argument with its place in the schema."""

    argument: Argument
    index: int
    passed: Passed

    @property
    def name(self) -> str:
        return self.argument.name

    @property
    def type(self) -> Type:
        return self.argument.type


@dataclass(frozen=True, slots=True)
class Kept:
    """The same argument before and after, whatever its name."""

    old: Slot
    new: Slot

    @property
    def renamed(self) -> bool:
        return self.old.name != self.new.name


@dataclass(frozen=True, slots=True)
class Matched:
    """The arguments of both versions, matched; `kept` is in the old order."""

    kept: tuple[Kept, ...]
    removed: tuple[Slot, ...]
    added: tuple[Slot, ...]


def match(old: Schema, new: Schema) -> Matched:
    before, after = list(slots(old)), list(slots(new))
    new_by_name = {s.name: s for s in after}
    kept = {s.name: Kept(s, new_by_name[s.name]) for s in before if s.name in new_by_name}
    for was, now in _renamed(before, after, kept.keys()):
        kept[was.name] = Kept(was, now)
    taken = {k.new.name for k in kept.values()}
    return Matched(
        tuple(kept[s.name] for s in before if s.name in kept),
        tuple(s for s in before if s.name not in kept),
        tuple(s for s in after if s.name not in taken),
    )


def slots(schema: Schema) -> Iterator[Slot]:
    args = schema.arguments
    index = 0
    for passed, group in (
        (Passed.positional, args.positional),
        (Passed.keyword, args.kwarg_only),
        (Passed.out, args.out),
    ):
        for argument in group:
            yield Slot(argument, index, passed)
            index += 1


def _renamed(before: list[Slot], after: list[Slot], common: Collection[str]) -> Iterator[tuple[Slot, Slot]]:
    """Yields renamed arguments: those between the same neighbours, passed alike and of the same type. They
    are paired one by one where their number is unchanged, else by similar names.
    """
    now = _by_place(after, common)
    for place, gone in _by_place(before, common).items():
        new = now.get(place, [])
        if len(gone) == len(new):
            yield from ((a, b) for a, b in zip(gone, new, strict=True) if _same_type(a, b))
            continue
        if max(len(gone), len(new)) > _FEW:
            continue
        for slot in gone:
            same = next((s for s in new if _same_type(slot, s) and names_alike(slot.name, s.name)), None)
            if same is not None:
                new.remove(same)
                yield slot, same


def _same_type(one: Slot, other: Slot) -> bool:
    return plain(one.type) == plain(other.type)


def _by_place(found: list[Slot], common: Collection[str]) -> dict[object, list[Slot]]:
    """Groups the arguments that are not common by the common argument before them and how they are passed."""
    places: dict[object, list[Slot]] = {}
    before = None
    for slot in found:
        if slot.name in common:
            before = slot.name
        else:
            places.setdefault((before, slot.passed), []).append(slot)
    return places


def names_alike(one: str, other: str) -> bool:
    import difflib  # this import takes longer than most comparisons

    one, other = one.strip("_"), other.strip("_")
    return one in other or other in one or difflib.SequenceMatcher(None, one, other).ratio() >= 0.6


def plain(type: Type) -> Type:
    """Returns the type with int in place of SymInt: users see no difference."""
    if isinstance(type, OptionalType):
        return OptionalType(plain(type.elem))
    if isinstance(type, ListType):
        return ListType(plain(type.elem), type.size)
    return BaseType(Base.int) if type == BaseType(Base.SymInt) else type
