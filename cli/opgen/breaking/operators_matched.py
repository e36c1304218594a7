"""Matches the operators of the baseline with the new file's: by name, else by signature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from opgen.breaking.arguments_matched import names_alike
from opgen.breaking.pair import Pair
from opgen.model import DEFAULT_NAMESPACE, Alias, Argument, Function, Generated, Program, Return, Schema


@dataclass(slots=True)
class Matches:
    """The operators matched: `pairs` have one name; `overloads` and `operators` (all functions of one name,
    in order) were renamed; the rest is removed or new.
    """

    pairs: list[Pair] = field(default_factory=list)
    overloads: list[Pair] = field(default_factory=list)
    operators: list[tuple[tuple[Function, ...], tuple[Function, ...]]] = field(default_factory=list)
    removed: list[Function] = field(default_factory=list)
    added: list[Function] = field(default_factory=list)


def match(base: Program, new: Program) -> Matches:
    """Matches the operators; those whose entry could not be read on one side are left out."""
    found = Matches()
    unread_base, unread_new = (frozenset(entry.name for entry in p.unread) for p in (base, new))
    for old in base.by_name.values():
        twin = new.by_name.get(old.qualified_name)
        if twin is not None:
            found.pairs.append(Pair(old, twin, base, new))
        elif not _is_unread(old, unread_new):
            found.removed.append(old)
    found.added = [
        f for name, f in new.by_name.items() if name not in base.by_name and not _is_unread(f, unread_base)
    ]
    if found.removed and found.added:
        _operators_renamed(found, base, new)
        _overloads_renamed(found, base, new)
    return found


def _is_unread(function: Function, unread: frozenset[str]) -> bool:
    """Whether its entry, or the entry it was generated from, is one of `unread`."""
    if not unread:
        return False
    origin = function.origin
    parent = str(origin.parent) if isinstance(origin, Generated) else str(function.name)
    prefix = "" if function.namespace == DEFAULT_NAMESPACE else f"{function.namespace}::"
    return function.qualified_name in unread or prefix + parent in unread


def base_name(function: Function) -> str:
    """Returns the name that the overloads share: `add`, `ns::add_`."""
    return function.qualified_name.partition(".")[0]


def by_base_name(functions: Iterable[Function]) -> Mapping[str, tuple[Function, ...]]:
    found: dict[str, list[Function]] = {}
    for function in functions:
        found.setdefault(base_name(function), []).append(function)
    return {name: tuple(members) for name, members in found.items()}


def _operators_renamed(found: Matches, base: Program, new: Program) -> None:
    """Finds renamed operators: a removed and a new name with the same overloads of the same signatures."""
    gone = _whole(found.removed, new)
    fresh = _whole(found.added, base)
    fresh_by_key: dict[object, list[str]] = {}
    for name, functions in fresh.items():
        fresh_by_key.setdefault(_operator_key(functions), []).append(name)
    gone_by_key: dict[object, list[str]] = {}
    for name, functions in gone.items():
        gone_by_key.setdefault(_operator_key(functions), []).append(name)
    alone = len(gone) == len(fresh) == 1
    for key, names in gone_by_key.items():
        others = fresh_by_key.get(key, ())
        if len(names) == len(others) == 1 and (alone or _evident(gone[names[0]], fresh[others[0]])):
            found.operators.append((gone[names[0]], fresh[others[0]]))
    taken = {f.qualified_name for pair in found.operators for side in pair for f in side}
    _leave_out(taken, found)


def _whole(functions: Iterable[Function], other: Program) -> Mapping[str, tuple[Function, ...]]:
    """Returns the names of which the other version has no overload at all, with their functions."""
    known = {base_name(f) for f in other.by_name.values()}
    return {name: fs for name, fs in by_base_name(functions).items() if name not in known}


def _operator_key(functions: tuple[Function, ...]) -> object:
    first = functions[0].name.name
    signatures = frozenset((f.name.overload, _signature(f.schema)) for f in functions)
    return functions[0].namespace, first.inplace, first.dunder, signatures


def _evident(old: tuple[Function, ...], new: tuple[Function, ...]) -> bool:
    """Whether a renaming is evident. Where many operators are removed and new, the same `f(Tensor self) ->
    Tensor` proves nothing; similar names or long signatures do.
    """
    longest = max(len(f.schema.arguments.all) for f in old)
    return longest >= 5 or names_alike(str(old[0].name.name), str(new[0].name.name))


def _overloads_renamed(found: Matches, base: Program, new: Program) -> None:
    added: dict[object, list[Function]] = {}
    for function in found.added:
        added.setdefault((base_name(function), _signature(function.schema)), []).append(function)
    for old in found.removed:
        candidates = added.get((base_name(old), _signature(old.schema)))
        if candidates:
            found.overloads.append(Pair(old, candidates.pop(0), base, new))
    taken = {f.qualified_name for pair in found.overloads for f in (pair.old, pair.new)}
    _leave_out(taken, found)


def _leave_out(taken: set[str], found: Matches) -> None:
    found.removed = [f for f in found.removed if f.qualified_name not in taken]
    found.added = [f for f in found.added if f.qualified_name not in taken]


def _signature(schema: Schema) -> str:
    """Returns arguments and results as text; alias sets are numbered by order of occurrence."""
    letters: dict[str, str] = {}
    arguments = [str(_relettered(a, letters)) for a in schema.arguments.all]
    kinds = f"{len(schema.arguments.positional)}/{len(schema.arguments.out)}"
    returns = [str(_relettered(r, letters)) for r in schema.returns]
    return f"{kinds}({', '.join(arguments)}) -> ({', '.join(returns)})"


def _relettered(part: Argument | Return, letters: dict[str, str]) -> Argument | Return:
    if part.alias is None:
        return part
    alias = Alias(
        tuple(_letters(part.alias.set, letters)),
        part.alias.write,
        tuple(_letters(part.alias.after, letters)),
    )
    if isinstance(part, Return):
        return Return(part.name, part.type, alias)
    return Argument(part.name, part.type, part.default, alias)


def _letters(used: Iterable[str], letters: dict[str, str]) -> Iterator[str]:
    return (letter if letter == "*" else letters.setdefault(letter, f"a{len(letters)}") for letter in used)
