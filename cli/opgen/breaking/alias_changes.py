"""Changes of what an operator writes to and what its results share memory with. The letters of alias sets are
not compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking import calls
from opgen.breaking import examples as ex
from opgen.breaking.arguments_matched import Kept
from opgen.breaking.finding import NOBODY, Bump, Finding, Rule, effects
from opgen.breaking.pair import Pair, Witness
from opgen.breaking.written import Written
from opgen.model import Alias, Schema
from opgen.parse.cursor import Range

_VIEW = effects(cpp="S", python="S", graph_bc="S", graph_fc="S", backend="S")

MUTATION_ADDED = Rule(
    "OPB601",
    "alias-mutation-added",
    "An argument is written to.",
    effects(cpp="w", abi="X", python="S", graph_bc="S", graph_fc="S", backend="S"),
    Bump.major,
    ex.f("Tensor self, Tensor noise"),
    ex.f("Tensor self, Tensor(a!) noise"),
    "declare another operator that writes, and leave this one alone",
)
MUTATION_REMOVED = Rule(
    "OPB602",
    "alias-mutation-removed",
    "An argument is no longer written to.",
    effects(abi="X", python="S", graph_bc="S", graph_fc="S", backend="S"),
    Bump.major,
    ex.f("Tensor self, Tensor(a!) noise"),
    ex.f("Tensor self, Tensor noise"),
    "declare another operator that does not write",
)
VIEW_ADDED = Rule(
    "OPB603",
    "alias-view-added",
    "A result shares memory with an argument.",
    _VIEW,
    Bump.major,
    ex.f("Tensor self"),
    ex.f("Tensor(a) self", "Tensor(a)"),
    "return fresh memory, and declare another operator for the view",
)
VIEW_REMOVED = Rule(
    "OPB604",
    "alias-view-removed",
    "A result no longer shares memory with an argument.",
    _VIEW,
    Bump.major,
    ex.f("Tensor(a) self", "Tensor(a)"),
    ex.f("Tensor self"),
    "keep the view, and declare a _copy form of it",
)
RESPELLED = Rule(
    "OPB605",
    "alias-set-respelled",
    "The same sets under other letters are no change.",
    NOBODY,
    Bump.none,
    ex.f("Tensor(a) self", "Tensor(a)"),
    ex.f("Tensor(b) self", "Tensor(b)"),
    silent=True,
)
RULES = (MUTATION_ADDED, MUTATION_REMOVED, VIEW_ADDED, VIEW_REMOVED, RESPELLED)

_ANYTHING = "*"


def compare(pair: Pair) -> Iterator[Finding]:
    for kept in pair.arguments.kept:
        if kept.old.argument.is_write != kept.new.argument.is_write:
            yield _mutation(pair, kept)
    yield from _views(pair)


def _mutation(pair: Pair, kept: Kept) -> Finding:
    name, writes = kept.new.name, kept.new.argument.is_write
    return pair.changed(
        MUTATION_ADDED if writes else MUTATION_REMOVED,
        f"the argument '{name}' is {'written to' if writes else 'no longer written to'}",
        [_place(pair.was, kept.old.argument.alias, kept.old.name)],
        [_place(pair.now, kept.new.argument.alias, name)],
        subject=f"argument {kept.old.name}",
        witness=Witness(
            calls.python(pair.old, give=[kept.old.name]),
            f"changes '{name}'" if writes else f"leaves '{name}' as it was",
        ),
    )


def _place(written: Written, alias: Alias | None, name: str) -> Range:
    return written.argument(name, "whole" if alias is None else "alias")


def _views(pair: Pair) -> Iterator[Finding]:
    old, new = _shared(pair.old.schema), _shared(pair.new.schema)
    if len(old) != len(new):
        return
    same = {k.old.name: k.new.name for k in pair.arguments.kept} | {_ANYTHING: _ANYTHING}
    known = set(same.values())
    for i, (was, now) in enumerate(zip(old, new, strict=True)):
        before = {same[name] for name in was if name in same}
        gained, lost = (now & known) - before, before - now
        if gained:
            yield _view(pair, i, VIEW_ADDED, f"shares memory with {_named(gained)} now")
        if lost:
            yield _view(pair, i, VIEW_REMOVED, f"no longer shares memory with {_named(lost)}")


def _named(names: set[str]) -> str:
    return " and ".join("anything" if n == _ANYTHING else f"'{n}'" for n in sorted(names))


def _shared(schema: Schema) -> list[set[str]]:
    """Returns, for each result, the arguments whose memory it may share."""
    by_letter: dict[str, set[str]] = {}
    for a in schema.arguments.all:
        for letter in a.alias.set if a.alias is not None else ():
            by_letter.setdefault(letter, set()).add(a.name)
        if a.alias is not None and _ANYTHING in a.alias.after:
            for letter in a.alias.set:
                by_letter[letter].add(_ANYTHING)
    results = (r.alias.set if r.alias is not None else () for r in schema.returns)
    return [set().union(*(by_letter.get(letter, {_ANYTHING}) for letter in letters)) for letters in results]


def _view(pair: Pair, index: int, rule: Rule, what: str) -> Finding:
    return pair.changed(
        rule,
        f"result {index + 1} {what}" if len(pair.new.schema.returns) > 1 else f"the result {what}",
        [pair.was.returned(index)],
        [pair.now.returned(index)],
        subject=f"result {index}",
        witness=Witness(
            f"result = {calls.python(pair.old)}; result.zero_()",
            "changes the argument, too" if rule is VIEW_ADDED else "no longer changes the argument",
        ),
    )
