"""Defaults: added, removed, changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from opgen.api.defaults import cpp_expr
from opgen.api.python_types import python_default
from opgen.breaking import calls, type_changes
from opgen.breaking import examples as ex
from opgen.breaking.arguments_matched import Kept
from opgen.breaking.finding import NOBODY, Bump, Finding, Rule, effects
from opgen.breaking.pair import Pair, Witness
from opgen.breaking.type_changes import differences
from opgen.breaking.written import list_shown
from opgen.model import Base, BaseType, ListType, OptionalType, Type

ADDED = Rule(
    "OPB301",
    "default-added",
    "An argument can be left out, which older libraries don't know.",
    effects(graph_fc="X"),
    Bump.minor,
    ex.f("Tensor self, int? k"),
    ex.f("Tensor self, int? k=None"),
    "give it the default only when no new program runs on an old library",
)
REMOVED = Rule(
    "OPB302",
    "default-removed",
    "An argument can no longer be left out.",
    effects(cpp="X", python="X", graph_bc="X"),
    Bump.major,
    ex.f("Tensor self, int k=0"),
    ex.f("Tensor self, int k"),
    "keep the default",
)
CHANGED = Rule(
    "OPB303",
    "default-changed",
    "Callers that leave the argument out get another result.",
    effects(cpp="S", python="S", graph_bc="S", graph_fc="S"),
    Bump.major,
    ex.f("Tensor self, int k=0"),
    ex.f("Tensor self, int k=1"),
    "keep the default, or declare another overload with the new one",
)
KIND_CHANGED = Rule(
    "OPB304",
    "default-kind-changed",
    "The default is of another kind (1 and 1.0, False and None), which type promotion and kernels see.",
    effects(cpp="S", python="S", graph_bc="S", graph_fc="S"),
    Bump.major,
    ex.f("Tensor self, Scalar alpha=1"),
    ex.f("Tensor self, Scalar alpha=1.0"),
    "keep the default",
)
RESPELLED = Rule(
    "OPB305",
    "default-respelled",
    "The same value, spelled in another way, is no change.",
    NOBODY,
    Bump.none,
    ex.f("Tensor self, float eps=1e-5, int[2] k=[0,0], str s='L'"),
    ex.f('Tensor self, float eps=1e-05, int[2] k=0, str s="L"'),
    silent=True,
)
CPP_DROPPED = Rule(
    "OPB306",
    "cpp-default-dropped",
    "cpp_no_default_args names an argument more: C++ callers have to give it.",
    effects(cpp="X"),
    Bump.major,
    ex.f("Tensor self, bool unbiased=True"),
    ex.f("Tensor self, bool unbiased=True") + "  cpp_no_default_args: [unbiased]\n",
    "leave cpp_no_default_args as it was",
)
RULES = (ADDED, REMOVED, CHANGED, KIND_CHANGED, RESPELLED)
CPP_RULES = (CPP_DROPPED,)


def compare(pair: Pair) -> Iterator[Finding]:
    for kept in pair.arguments.kept:
        before, after = kept.old.argument.default, kept.new.argument.default
        if before is None and after is not None:
            yield _added(pair, kept)
        elif before is not None and after is None:
            yield _removed(pair, kept)
        elif before is not None and after is not None:
            rule = _difference(before, kept.old.type, after, kept.new.type)
            if rule is not None:
                yield _changed(pair, kept, rule)


def cpp_defaults(pair: Pair) -> Iterator[Finding]:
    before, after = pair.old.cpp_no_default_args, pair.new.cpp_no_default_args
    defaults = {k.new.name for k in pair.arguments.kept if k.old.argument.default is not None}
    lost = [name for name in after if name not in before and name in defaults]
    for name in lost:
        yield pair.field(
            CPP_DROPPED,
            f"C++ callers have to give '{name}' now",
            "cpp_no_default_args",
            list_shown("cpp_no_default_args", dict.fromkeys(before, False), "[]"),
            list_shown("cpp_no_default_args", {n: n == name for n in after}, "[]"),
            subject=f"argument {name}",
            witness=Witness(calls.cpp_call(pair.old), f"does not compile: '{name}' is missing"),
        )


def _added(pair: Pair, kept: Kept) -> Finding:
    name = kept.new.name
    return pair.changed(
        ADDED,
        f"the argument '{name}' can be left out now",
        [pair.was.argument(kept.old.name)],
        [pair.now.argument(name, "default")],
        subject=f"argument {kept.old.name}",
        witness=Witness(f"new: {calls.graph(pair.new)}", f"on the old library '{kept.old.name}' is missing"),
    )


def _removed(pair: Pair, kept: Kept) -> Finding:
    return pair.changed(
        REMOVED,
        f"the argument '{kept.new.name}' can no longer be left out",
        [pair.was.argument(kept.old.name, "default")],
        [pair.now.argument(kept.new.name)],
        subject=f"argument {kept.old.name}",
        witness=Witness(calls.python(pair.old), f"TypeError: the argument '{kept.new.name}' is missing"),
    )


def _changed(pair: Pair, kept: Kept, rule: Rule) -> Finding:
    before, after = kept.old.argument.default, kept.new.argument.default
    return pair.changed(
        rule,
        f"the argument '{kept.new.name}' is {after} when left out; it was {before}",
        [pair.was.argument(kept.old.name, "default")],
        [pair.now.argument(kept.new.name, "default")],
        subject=f"argument {kept.old.name}",
        witness=Witness(calls.python(pair.old), f"computes with {kept.new.name}={after}"),
    )


def _difference(before: str, old: Type, after: str, new: Type) -> Rule | None:
    if (before == after and _size(old) == _size(new)) or type_changes.CHANGED in differences(old, new):
        return None
    was, now = _values(before, old), _values(after, new)
    if was & now or _seen(before, old) == _seen(after, new):
        return None
    kinds = {_kind(v) for v in was}, {_kind(v) for v in now}
    return CHANGED if kinds[0] & kinds[1] else KIND_CHANGED


def _seen(text: str, type: Type) -> tuple[str, ...]:
    """Returns the default in the signatures: `[]` and None are one for `Tensor?`."""
    in_cpp = (cpp_expr(text, type, symint) for symint in (False, True))
    return (*in_cpp, python_default(text, type))


def _values(text: str, type: Type) -> frozenset[tuple[str, object]]:
    """Returns all forms of the literal's value: a single element for a list of fixed size is repeated."""
    if isinstance(type, OptionalType):
        return frozenset({_tagged(None)}) if text == "None" else _values(text, type.elem)
    if not isinstance(type, ListType):
        return frozenset({_tagged(_literal(text, type))})
    if not text.startswith("["):
        one = _tagged(_literal(text, type.elem))
        return frozenset({("all", one), ("list", (one,) * (type.size or 1))})
    parts = [p.strip() for p in text[1:-1].split(",") if p.strip()]
    items = tuple(_tagged(_literal(p, type.elem)) for p in parts)
    found: set[tuple[str, object]] = {("list", items)}
    if type.size is not None and len(items) == type.size and len(set(items)) == 1:
        found.add(("all", items[0]))
    return frozenset(found)


def _literal(text: str, type: Type) -> object:
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return _ENUMERATORS.get(text, text) if text not in _FLOATS else float(text)
    if isinstance(found, list):  # no tensor at all
        return text
    is_float = isinstance(type, BaseType) and type.base is Base.float
    return float(found) if is_float and isinstance(found, int) else found


_ENUMERATORS = {"Mean": 1}
_FLOATS = ("inf", "-inf", "nan")


def _tagged(value: object) -> tuple[str, object]:
    """Returns the value with its type, for comparing: 1, 1.0 and True are equal to Python. NaN equals itself
    here.
    """
    return type(value).__name__, "nan" if value != value else value


def _kind(tagged: tuple[str, object]) -> str:
    return "list" if tagged[0] in ("all", "list") else tagged[0]


def _size(type: Type) -> int | None:
    as_list = type.as_list()
    return None if as_list is None else as_list.size
