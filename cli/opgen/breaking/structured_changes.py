"""Changes of how the kernels of structured operators are composed."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking import examples as ex
from opgen.breaking.finding import Bump, Finding, Rule, effects
from opgen.breaking.pair import Pair, Witness
from opgen.breaking.written import field_shown
from opgen.model import DEFAULT_NAMESPACE, Precomputed

CHANGED = Rule(
    "OPB807",
    "structured-changed",
    "The operator became structured or ceased to be, or its meta function gives its kernels other arguments.",
    effects(cpp="w", abi="w", backend="X"),
    Bump.minor,
    ex.entry("f(Tensor self) -> Tensor", "dispatch: {CPU: f_cpu}") + ex.F_OUT + "  dispatch: {CPU: f_out}\n",
    ex.entry("f(Tensor self) -> Tensor", "structured_delegate: f.out")
    + ex.F_OUT
    + "  structured: True\n  dispatch: {CPU: f_out}\n",
    "leave the entry as it was, and declare another operator",
)
RULES = (CHANGED,)


def compare(pair: Pair) -> Iterator[Finding]:
    if not pair.both_written:
        return
    old, new = pair.old, pair.new
    if old.structured != new.structured:
        yield _changed(pair, "structured", str(old.structured), str(new.structured))
    if old.structured_delegate != new.structured_delegate and not _out_form_says_it(pair):
        was, now = (str(f.structured_delegate or "") for f in (old, new))
        yield _changed(pair, "structured_delegate", was, now)
    if old.structured and new.structured:
        if old.structured_inherits != new.structured_inherits:
            was, now = old.structured_inherits or "", new.structured_inherits or ""
            yield _changed(pair, "structured_inherits", was, now)
        if old.precomputed != new.precomputed:
            yield _changed(pair, "precomputed", _shown(old.precomputed), _shown(new.precomputed))


def _out_form_says_it(pair: Pair) -> bool:
    """Whether the out form has the same finding, for all forms of the operator."""
    delegate = pair.new.structured_delegate or pair.old.structured_delegate
    prefix = "" if pair.new.namespace == DEFAULT_NAMESPACE else f"{pair.new.namespace}::"
    old, new = pair.base.function(f"{prefix}{delegate}"), pair.program.function(f"{prefix}{delegate}")
    return old is not None and new is not None and old.structured != new.structured


def _shown(precomputed: Precomputed | None) -> str:
    if precomputed is None:
        return ""
    replaced = [f"{name} -> {', '.join(map(str, a))}" for name, a in precomputed.replace.items()]
    return "; ".join([*replaced, *map(str, precomputed.add)])


def _changed(pair: Pair, field: str, was: str, now: str) -> Finding:
    message = f"'{field}' is {now or 'not given'}, and was {was or 'not given'}"
    struct = f"the meta and impl functions of {pair.old.name}, defined out of tree"
    witness = Witness(struct, "their declarations differ now")
    before, after = field_shown(field, was), field_shown(field, now)
    return pair.field(CHANGED, message, field, before, after, subject=field, witness=witness)
