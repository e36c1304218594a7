"""Changes of tags, which compilers and exporters act on."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking import calls
from opgen.breaking import examples as ex
from opgen.breaking.finding import Bump, Finding, Rule, Shown, effects
from opgen.breaking.pair import Pair, Witness
from opgen.breaking.written import list_shown
from opgen.model import Function

_S = "f(Tensor self) -> Tensor"

CORE_LOST = Rule(
    "OPB901",
    "tag-core-lost",
    "The operator is no longer one of the core set, which graph consumers have to know.",
    effects(graph_bc="X", graph_fc="X"),
    Bump.major,
    ex.entry(_S, "tags: [core, pointwise]"),
    ex.entry(_S, "tags: pointwise"),
    "keep the tag 'core'",
    alike=True,
)
SEMANTICS = Rule(
    "OPB902",
    "tag-semantics-changed",
    "A tag that compilers act on is gone, or is new.",
    effects(graph_bc="S", graph_fc="S", backend="S"),
    Bump.minor,
    ex.entry(_S, "tags: pointwise"),
    ex.entry(_S),
    alike=True,
)
RULES = (CORE_LOST, SEMANTICS)

_CORE = "core"
# Tags that opgen adds itself, by an operator's form.
_OF_FORM = frozenset({"generated", "out", "inplace", "pt2_compliant_tag", _CORE})


def compare(pair: Pair) -> Iterator[Finding]:
    if pair.old.tags == pair.new.tags or not pair.both_written:
        return
    if _CORE in pair.old.tags - pair.new.tags and _CORE in pair.program.tags:
        message = "the operator is no longer one of the core set"
        fails = "consumers of the core set refuse it"
        yield _changed(pair, CORE_LOST, _CORE, message, fails)
    known = pair.base.tags.keys() & pair.program.tags.keys()
    for tag in sorted((pair.old.tags ^ pair.new.tags) & known - _OF_FORM):
        gone = tag in pair.old.tags
        message = f"the tag '{tag}' is {'gone' if gone else 'new'}"
        fails = f"compilers {'no longer ' if gone else ''}take it for {tag}"
        yield _changed(pair, SEMANTICS, tag, message, fails)


def _changed(pair: Pair, rule: Rule, tag: str, message: str, fails: str) -> Finding:
    before, after = (_shown(function, tag) for function in (pair.old, pair.new))
    witness = Witness(calls.graph(pair.old), fails)
    return pair.field(rule, message, "tags", before, after, subject=f"tag {tag}", item=tag, witness=witness)


def _shown(function: Function, tag: str) -> Shown:
    given = sorted(function.tags - (_OF_FORM - {_CORE}))
    return list_shown("tags", {name: name == tag for name in given}, "[]")
