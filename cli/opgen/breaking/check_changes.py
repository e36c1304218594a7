"""Conditions on arguments: those of the checks files, and those that schemas imply."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from opgen.breaking import calls, conditions
from opgen.breaking import examples as ex
from opgen.breaking.finding import Bump, Finding, Rule, Shown, effects
from opgen.breaking.pair import Pair, Witness
from opgen.breaking.written import list_shown
from opgen.diagnostics import Span
from opgen.model import Function
from opgen.model.checks import Check, Checks

_F = ex.f("Tensor self, int k") + ex.CHECKS


def _asked(*conditions: str) -> str:
    return _F + "- ops: [f]\n  checks:\n" + "".join(f"  - {condition}\n" for condition in conditions)


TIGHTENED = Rule(
    "OPB905",
    "check-tightened",
    "More is asked of an argument: calls are refused that were taken.",
    effects(cpp="w", python="w", graph_bc="w"),
    Bump.major,
    _asked("k >= 0"),
    _asked("k > 0"),
    "ask no more than before; accept it where the kernel has always refused such calls",
)
RELAXED = Rule(
    "OPB906",
    "check-relaxed",
    "Less is asked of an argument: new programs may have calls that older libraries refuse.",
    effects(graph_fc="w"),
    Bump.minor,
    _asked("dim(self) in 3, 4"),
    _asked("dim(self) in 2, 3, 4"),
)
RULES = (TIGHTENED, RELAXED)


def compare(pair: Pair) -> Iterator[Finding]:
    """Yields changes of the conditions on arguments that both versions have. The conditions of an operator
    that is called are findings of that operator.
    """
    old, new = pair.base.checks, pair.program.checks
    if old is None or new is None or not pair.both_written:
        return
    if pair.new.is_form_of(old.faulty | new.faulty):
        return
    names = {kept.old.name: kept.new.name for kept in pair.arguments.kept}
    before = tuple(_renamed(c, names) for c in _of(old, pair.old, names))
    after = _of(new, pair.new, names.values())
    for check in conditions.not_implied(after, before, pair.new):
        yield _finding(pair, TIGHTENED, check, before, after)
    for check in conditions.not_implied(before, after, pair.new):
        yield _finding(pair, RELAXED, check, before, after)


def _of(checks: Checks, function: Function, names: Collection[str]) -> tuple[Check, ...]:
    return tuple(c for c in checks.of.get(function.qualified_name, ()) if set(c.names) <= set(names))


def _renamed(check: Check, names: Mapping[str, str]) -> Check:
    within = check.range
    if within is not None:
        dim = names[within.dim] if isinstance(within.dim, str) else within.dim
        within = replace(within, of=names[within.of], dim=dim)
    return replace(check, argument=names[check.argument], range=within)


def _finding(
    pair: Pair, rule: Rule, check: Check, before: Sequence[Check], after: Sequence[Check]
) -> Finding:
    was, now = (tuple(c for c in some if conditions.alike(c, check)) for some in (before, after))
    permits = conditions.is_permission(check)
    message = f"'{check}' is {'said' if permits else 'asked'} {'now' if check in now else 'no more'}"
    ranges = (_shown(was, check), _span(was, pair.old)), (_shown(now, check), _span(now, pair.new))
    call = calls.python(pair.old, [k.old.name for k in pair.arguments.kept if k.new.name == check.argument])
    if rule is TIGHTENED:
        where = conditions.refused_without(check) if permits else "that does not hold"
        witness = Witness(call, f"RuntimeError where {where}")
    else:
        witness = Witness(f"new: {calls.graph(pair.new)}", "on the old library a RuntimeError")
    return pair.finding(rule, message, *ranges, f"check: {check}", witness)


def _shown(checks: Sequence[Check], changed: Check) -> Shown:
    texts = dict.fromkeys(map(str, checks), False)
    marked = {text: text == str(changed) or str(changed) not in texts for text in texts}
    return list_shown("checks", marked)


def _span(checks: Sequence[Check], function: Function) -> Span:
    return next((c.span for c in checks if c.span is not None), function.span)
