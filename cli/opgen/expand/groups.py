"""Families (all forms of one signature), and the groups that complete ones form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.expand import signature
from opgen.model import Function, Group, Kind, ViewGroup
from opgen.model.function import Generated
from opgen.model.program import Family


def families(functions: Iterable[Function]) -> list[Family]:
    """Groups functions into families, ordered by their first function."""
    found: dict[object, list[Function]] = {}
    for function in functions:
        found.setdefault((function.namespace, signature.key(function.schema)), []).append(function)
    return [Family(tuple(members)) for members in found.values()]


def join(before: list[Family], generated: Iterable[Function]) -> list[Family]:
    """Returns the families, including generated forms."""
    made: dict[str, list[Function]] = {}
    for function in generated:
        assert isinstance(function.origin, Generated)
        made.setdefault(f"{function.namespace}::{function.origin.parent}", []).append(function)
    joined = []
    for family in before:
        added = [g for f in family.functions for g in made.pop(f"{f.namespace}::{f.name}", ())]
        joined.append(Family(family.functions + tuple(added)) if added else family)
    return joined


def groups(found: Iterable[Family]) -> list[Group]:
    return [g for g in map(group, found) if g is not None]


def group(family: Family) -> Group | None:
    """Returns the family as a group; None without a functional or an out form."""
    if len(family.functions) == 1:
        return None
    forms = family.by_kind()
    functional, out = forms.get(Kind.functional), forms.get(Kind.out)
    if functional is None or out is None:
        return None
    return Group(functional, out, forms.get(Kind.inplace), forms.get(Kind.mutable))


def view_groups(functions: Iterable[Function]) -> Iterator[ViewGroup]:
    """Yields views with their copies and in-place forms, in the order of the first function of each."""
    functions = list(functions)
    views = {(f.namespace, signature.key(f.schema, view_copy=True)) for f in functions if f.is_view}
    bases = {key[1][0] for key in views}
    found: dict[object, dict[str, Function]] = {}
    for f in functions:
        name = f.root_name
        if name in bases or name.endswith(("_copy", "_scatter")):
            key = (f.namespace, signature.key(f.schema, view_copy=True))
            if key in views:
                found.setdefault(key, {}).setdefault(_role(f), f)
    for roles in found.values():
        if "view" in roles:
            yield ViewGroup(roles["view"], roles.get("functional"), roles.get("inplace view"))


def _role(function: Function) -> str:
    if function.is_view:
        return "inplace view" if function.name.name.inplace else "view"
    return function.kind.value
