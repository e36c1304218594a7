"""Changes of the order of arguments and of how they are passed."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from opgen.breaking import calls
from opgen.breaking import examples as ex
from opgen.breaking.arguments_matched import Kept, Passed, plain
from opgen.breaking.finding import Bump, Finding, Rule, effects
from opgen.breaking.pair import Pair, Witness

SWAPPED = Rule(
    "OPB221",
    "args-swapped-same-type",
    "Arguments of the same type changed places: nothing but the result tells.",
    effects(cpp="S", abi="S", python="S", graph_bc="S", graph_fc="S", backend="S"),
    Bump.major,
    ex.f("Tensor self, Tensor a, Tensor b"),
    ex.f("Tensor self, Tensor b, Tensor a"),
    "keep the order",
)
REORDERED = Rule(
    "OPB222",
    "args-reordered",
    "Arguments of different types changed places.",
    effects(cpp="X", abi="X", python="X", graph_bc="X", graph_fc="X", backend="X"),
    Bump.major,
    ex.f("Tensor self, int k, Tensor b"),
    ex.f("Tensor self, Tensor b, int k"),
    "keep the order, or declare another overload",
)
KEYWORDS_REORDERED = Rule(
    "OPB223",
    "kwargs-reordered",
    "Keyword-only arguments changed places, and C++ gives them by position.",
    effects(cpp="S", abi="X", graph_bc="w", graph_fc="w", backend="S"),
    Bump.major,
    ex.f("Tensor self, *, int a=0, int b=0"),
    ex.f("Tensor self, *, int b=0, int a=0"),
    "keep the order",
)
MADE_KEYWORD = Rule(
    "OPB224",
    "arg-made-keyword-only",
    "An argument can no longer be given by position.",
    effects(python="X", graph_bc="X"),
    Bump.major,
    ex.f("Tensor self, int k=0"),
    ex.f("Tensor self, *, int k=0"),
    "leave it before the '*'",
)
MADE_POSITIONAL = Rule(
    "OPB225",
    "arg-made-positional",
    "A keyword-only argument can be given by position, too.",
    effects(graph_fc="w"),
    Bump.minor,
    ex.f("Tensor self, *, int k=0"),
    ex.f("Tensor self, int k=0"),
    "leave it behind the '*' while new programs run on old libraries",
)
RULES = (SWAPPED, REORDERED, KEYWORDS_REORDERED, MADE_KEYWORD, MADE_POSITIONAL)


def compare(pair: Pair) -> Iterator[Finding]:
    yield from _order(pair)
    for kept in pair.arguments.kept:
        passed = (kept.old.passed, kept.new.passed)
        if passed == (Passed.positional, Passed.keyword):
            yield _made(pair, kept, MADE_KEYWORD, "can only be given by keyword")
        elif passed == (Passed.keyword, Passed.positional):
            yield _made(pair, kept, MADE_POSITIONAL, "can be given by position")


def _order(pair: Pair) -> Iterator[Finding]:
    kept = pair.arguments.kept
    if all(a.new.index < b.new.index for a, b in pairwise(kept)):
        return
    by_position, others = _crossing(kept, _BY_POSITION), _crossing(kept, _OTHERWISE)
    if by_position:
        same = [plain(k.old.type) for k in by_position] == [
            plain(k.old.type) for k in _in_new_order(by_position)
        ]
        yield _moved(pair, by_position, SWAPPED if same else REORDERED)
    if others:
        yield _moved(pair, others, KEYWORDS_REORDERED)


class _Way(enum.Enum):
    """How calls pass an argument."""

    positional = "by position, before and now"
    newly = "by position now"
    keyword = "by keyword now"


# For each way, the ways of the arguments that it may be swapped with so that a call could pass one of the two
# by position, and passes both by position now; then those for which there is no such call.
_BY_POSITION = {
    _Way.positional: (_Way.positional, _Way.newly),
    _Way.newly: (_Way.positional,),
    _Way.keyword: (),
}
_OTHERWISE = {
    _Way.positional: (_Way.keyword,),
    _Way.newly: (_Way.newly, _Way.keyword),
    _Way.keyword: tuple(_Way),
}


def _way(kept: Kept) -> _Way:
    if kept.new.passed is not Passed.positional:
        return _Way.keyword
    return _Way.positional if kept.old.passed is Passed.positional else _Way.newly


def _crossing(kept: Sequence[Kept], others: Mapping[_Way, Sequence[_Way]]) -> list[Kept]:
    """Returns the arguments that changed places with one of `others`. (There may be thousands: pairs are not
    enumerated.)
    """
    ways = [_way(k) for k in kept]
    last = _running(kept, ways, max, -1)
    first = _running(kept[::-1], ways[::-1], min, len(kept) + max(k.new.index for k in kept))[::-1]
    return [
        k
        for k, way, before, behind in zip(kept, ways, last, first, strict=True)
        if any(before[w] > k.new.index or behind[w] < k.new.index for w in others[way])
    ]


def _running(
    kept: Sequence[Kept], ways: Sequence[_Way], best: Callable[[int, int], int], start: int
) -> list[dict[_Way, int]]:
    """Returns, for each argument, the best new index of those before it, by kind."""
    found = dict.fromkeys(_Way, start)
    steps = []
    for k, way in zip(kept, ways, strict=True):
        steps.append(found)
        found = {**found, way: best(found[way], k.new.index)}
    return steps


def _in_new_order(kept: list[Kept]) -> list[Kept]:
    return sorted(kept, key=lambda k: k.new.index)


def _moved(pair: Pair, moved: list[Kept], rule: Rule) -> Finding:
    before = ", ".join(k.old.name for k in moved)
    after = ", ".join(k.new.name for k in _in_new_order(moved))
    names = [k.old.name for k in moved]
    call = calls.cpp_call if rule is KEYWORDS_REORDERED else calls.python
    return pair.changed(
        rule,
        f"the order ({before}) is ({after}) now",
        [pair.was.argument(k.old.name) for k in moved],
        [pair.now.argument(k.new.name) for k in moved],
        subject=f"order of {', '.join(sorted(names))}",
        witness=Witness(call(pair.old, give=names), f"the values are taken for ({after})"),
    )


def _made(pair: Pair, kept: Kept, rule: Rule, what: str) -> Finding:
    was, now = kept.old.name, kept.new.name
    if rule is MADE_KEYWORD:
        upto = [s.old.name for s in pair.arguments.kept if s.old.index <= kept.old.index]
        witness = Witness(calls.python(pair.old, give=upto), f"TypeError: '{now}' is keyword-only")
    else:
        upto = [s.new.name for s in pair.arguments.kept if s.new.index <= kept.new.index]
        witness = Witness(
            f"new: {calls.graph(pair.new, give=upto)}", f"on the old library: '{was}' is keyword-only"
        )
    return pair.changed(
        rule,
        f"the argument '{now}' {what} now",
        [pair.was.argument(was)],
        [pair.now.argument(now)],
        subject=f"argument {was}",
        witness=witness,
    )
