"""Changes of the computed C++ signatures that no rule about a part of the schema has found, such as another
name or order because an argument is not `out` any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opgen.api import cpp
from opgen.api.cpp_types import NoCppType
from opgen.api.signature import Signature
from opgen.breaking import calls
from opgen.breaking import examples as ex
from opgen.breaking.finding import Audience, Bump, Finding, Rule, Shown, effects
from opgen.breaking.pair import Pair, Witness
from opgen.model import Function, Variant

CHANGED = Rule(
    "OPB708",
    "cpp-signature-changed",
    "The function that C++ sees has another name, or its parameters or results have other types.",
    effects(cpp="X", abi="X"),
    Bump.major,
    ex.entry("f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "dispatch: {CPU: f_out}"),
    ex.entry("f.out(Tensor self, Tensor(a!) out) -> Tensor(a!)", "dispatch: {CPU: f_out}"),
    "keep the old schema, and declare the new one as another overload",
)
RULES = (CHANGED,)


def compare(pair: Pair, found: Sequence[Finding]) -> Iterator[Finding]:
    """`found` are the findings of the other rules about the schema."""
    told = {audience for finding in found for audience in finding.breaks}
    if told & {Audience.cpp, Audience.abi}:
        return
    for was, now in zip(_forms(pair.old), _forms(pair.new), strict=True):
        if was is not None and now is not None and _seen(was) != _seen(now):
            yield _finding(pair, was, now)
            return


def _forms(function: Function) -> tuple[Signature | None, ...]:
    try:
        return (
            cpp.function(function) if Variant.function in function.variants else None,
            cpp.method(function) if Variant.method in function.variants else None,
        )
    except NoCppType:
        return (None, None)


def _seen(signature: Signature) -> tuple[object, ...]:
    return signature.name, signature.returns.text, signature.param_types()


def _finding(pair: Pair, was: Signature, now: Signature) -> Finding:
    old, new = was.defn(), now.defn()
    message = f"in C++ it is '{new}' now; it was '{old}'"
    before = Shown(old, ((0, len(old)),)), pair.was.span(())
    after = Shown(new, ((0, len(new)),)), pair.now.span(())
    witness = Witness(calls.cpp_call(pair.old), "does not compile, or calls another function")
    return pair.finding(CHANGED, message, before, after, "C++ signature", witness)
