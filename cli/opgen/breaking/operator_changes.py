"""Operators and overloads that are removed, new, or called differently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from opgen.breaking import calls, overlap
from opgen.breaking import examples as ex
from opgen.breaking.finding import EVERYONE, NOBODY, NOTHING, Audience, Bump, Finding, Rule, effects
from opgen.breaking.operators_matched import Matches, base_name, by_base_name
from opgen.breaking.pair import Pair, Witness, is_private
from opgen.breaking.written import Written
from opgen.diagnostics import Related
from opgen.model import Function, Generated, Program

_LOST = effects(cpp="w", abi="X", python="w", graph_bc="X", backend="X")
_TWO = ex.func("f.A(Tensor self, int k) -> Tensor", "f.B(Tensor self, Tensor b) -> Tensor")
_AUTOGEN = ex.entry("f(Tensor self) -> Tensor", "dispatch: {CompositeExplicitAutograd: f}", "autogen: f.out")

REMOVED = Rule(
    "OPB101",
    "op-removed",
    "No overload of the operator is left.",
    effects(cpp="X", abi="X", python="X", graph_bc="X", backend="X"),
    Bump.major,
    ex.F + ex.func("g(Tensor self) -> Tensor"),
    ex.F,
    "keep it, deprecated, until the next major version",
)
OVERLOAD_REMOVED = Rule(
    "OPB102",
    "overload-removed",
    "An overload is gone; others of the operator are left.",
    _LOST,
    Bump.major,
    _TWO,
    ex.func("f.B(Tensor self, Tensor b) -> Tensor"),
    "keep it, deprecated, until the next major version",
)
OVERLOAD_RENAMED = Rule(
    "OPB103",
    "overload-renamed",
    "An overload has another name; its signature is the same.",
    effects(abi="X", graph_bc="X", graph_fc="X", backend="X"),
    Bump.major,
    ex.F,
    ex.func("f.self(Tensor self) -> Tensor"),
    "keep the overload's name",
)
RENAMED = Rule(
    "OPB104",
    "op-renamed",
    "An operator has another name; its signatures are the same.",
    EVERYONE,
    Bump.major,
    ex.func("f(Tensor self, int k) -> Tensor"),
    ex.func("g(Tensor self, int k) -> Tensor"),
    "keep an entry of the old name beside the new one, that calls it",
)
ADDED = Rule(
    "OPB105",
    "op-added",
    "An operator is new: programs that use it need the new library.",
    effects(graph_fc="X"),
    Bump.minor,
    ex.F,
    ex.F + ex.func("g(Tensor self) -> Tensor"),
)
OVERLOAD_ADDED = Rule(
    "OPB106",
    "overload-added",
    "An overload is new; calls that another one took may come to it, or be ambiguous.",
    effects(cpp="w", python="S", graph_fc="X"),
    Bump.minor,
    ex.func("f.int(Tensor self, int k) -> Tensor"),
    ex.func("f.int(Tensor self, int k) -> Tensor", "f.Scalar(Tensor self, Scalar k) -> Tensor"),
    "call it differently, or give it a required argument that the others don't have",
)
GENERATED_REMOVED = Rule(
    "OPB107",
    "generated-overload-removed",
    "A form of the operator is no longer generated, and not written either.",
    _LOST,
    Bump.major,
    _AUTOGEN,
    ex.entry("f(Tensor self) -> Tensor", "dispatch: {CompositeExplicitAutograd: f}"),
    "keep 'autogen'",
)
GENERATED_DECLARED = Rule(
    "OPB108",
    "generated-overload-declared",
    "A form that was generated and is written now, or the other way round, is no change.",
    NOBODY,
    Bump.none,
    _AUTOGEN,
    ex.entry("f(Tensor self) -> Tensor", "dispatch: {CompositeExplicitAutograd: f}")
    + ex.entry(
        "f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "dispatch: {CompositeExplicitAutograd: f_out}"
    ),
    silent=True,
)
RULES = (
    *(REMOVED, OVERLOAD_REMOVED, OVERLOAD_RENAMED, RENAMED, ADDED, OVERLOAD_ADDED, GENERATED_REMOVED),
    GENERATED_DECLARED,
)


def compare(matches: Matches, base: Program, new: Program) -> Iterator[Finding]:
    yield from _removed(matches.removed, new)
    for pair in matches.overloads:
        yield _overload_renamed(pair)
    for old, now in matches.operators:
        yield _renamed(old, now, base, new)
    yield from _added(matches.added, base, new)


def _removed(removed: Iterable[Function], new: Program) -> Iterator[Finding]:
    left = {base_name(f) for f in new.by_name.values()}
    for name, functions in by_base_name(removed).items():
        written = [f for f in functions if not f.is_generated]
        if name not in left and written:
            yield _operator_gone(name, functions)
        else:
            yield from map(_overload_gone, functions)


def _operator_gone(name: str, functions: Sequence[Function]) -> Finding:
    first = functions[0]
    overloads = ", ".join(f.qualified_name for f in functions)
    message = f"the operator '{name}' is gone" + (f": {overloads}" if len(functions) > 1 else "")
    return _gone(REMOVED, name, message, first, functions[1:])


def _overload_gone(function: Function) -> Finding:
    if isinstance(function.origin, Generated):
        message = f"'{function.qualified_name}', which '{function.origin.parent}' made, is gone"
        return _gone(GENERATED_REMOVED, function.qualified_name, message, function)
    message = f"the overload '{function.qualified_name}' is gone"
    return _gone(OVERLOAD_REMOVED, function.qualified_name, message, function)


def _gone(
    rule: Rule, operator: str, message: str, function: Function, others: Sequence[Function] = ()
) -> Finding:
    was = Written(function)
    everything = [(0, len(was.text))]
    return Finding(
        rule,
        operator,
        message,
        was.span([was.name()]),
        was.shown(everything),
        in_baseline=True,
        worked=calls.graph(function) if rule is not REMOVED else calls.python(function),
        fails="AttributeError: there is no such " + ("operator" if rule is REMOVED else "overload"),
        help=rule.advice,
        related=tuple(Related(f.span, f"'{f.qualified_name}' is gone, too") for f in others),
        breaks=rule.breaks,
        private=is_private(function),
    )


def _overload_renamed(pair: Pair) -> Finding:
    was, now = pair.old.qualified_name, pair.new.qualified_name
    return pair.changed(
        OVERLOAD_RENAMED,
        f"the overload '{was}' is called '{now}' now",
        [pair.was.overload()],
        [pair.now.overload()],
        subject="overload",
        witness=Witness(calls.graph(pair.old), f"AttributeError: it is '{now}' now"),
    )


def _renamed(old: tuple[Function, ...], now: tuple[Function, ...], base: Program, new: Program) -> Finding:
    pair = Pair(old[0], now[0], base, new)
    was, name = base_name(old[0]), base_name(now[0])
    found = pair.changed(
        RENAMED,
        f"the operator '{was}' is called '{name}' now",
        [pair.was.name()],
        [pair.now.name()],
        subject="name",
        witness=Witness(calls.python(pair.old), f"AttributeError: it is '{name}' now"),
    )
    return found.of(was)


# Overloads of the same name to compare with a new one; PyTorch's largest families have a dozen.
MAX_RIVALS = 24


def _added(added: Iterable[Function], base: Program, new: Program) -> Iterator[Finding]:
    known = by_base_name(base.by_name.values())
    overloads = by_base_name(new.by_name.values())
    for name, functions in by_base_name(added).items():
        if name not in known:
            yield _operator_added(name, functions)
            continue
        old = [f for f in overloads[name] if f.qualified_name in base.by_name][:MAX_RIVALS]
        for function in functions:
            yield _overload_added(function, old)


def _operator_added(name: str, functions: Sequence[Function]) -> Finding:
    others = [Related(f.span, f"'{f.qualified_name}'") for f in functions[1:]]
    return _fresh(ADDED, name, f"the operator '{name}' is new", functions[0], ADDED.breaks, tuple(others))


def _overload_added(function: Function, old: Sequence[Function]) -> Finding:
    """Returns the finding for a new overload. Whom it breaks depends on the operators whose calls it takes
    over.
    """
    rivals = overlap.rivals(function, old)
    spared = {Audience.cpp: not rivals.cpp, Audience.python: not rivals.python}
    breaks = tuple(a for a in OVERLOAD_ADDED.breaks if not spared.get(a))
    message = f"the overload '{function.qualified_name}' is new"
    found = rivals.python or rivals.cpp
    if found:
        message += f"; calls that '{found[0].qualified_name}' took may come to it"
    related = tuple(Related(f.span, f"takes the same calls as '{f.qualified_name}'") for f in found)
    return _fresh(OVERLOAD_ADDED, function.qualified_name, message, function, breaks, related, found)


def _fresh(
    rule: Rule,
    operator: str,
    message: str,
    function: Function,
    breaks: tuple[Audience, ...],
    related: tuple[Related, ...],
    rivals: Sequence[Function] = (),
) -> Finding:
    now = Written(function)
    worked, fails = f"new: {calls.graph(function)}", "on the old library there is no such operator"
    if rivals:
        worked, fails = calls.python(rivals[0]), f"may call '{function.qualified_name}'"
    return Finding(
        rule,
        operator,
        message,
        now.span([now.name()]),
        NOTHING,
        now.shown([(0, len(now.text))]),
        worked=worked,
        fails=fails,
        help=rule.advice,
        related=related,
        breaks=breaks,
        private=is_private(function),
    )
