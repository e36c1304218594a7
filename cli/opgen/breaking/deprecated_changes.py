"""Changes of deprecated Python signatures that the baseline still accepts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.breaking import examples as ex
from opgen.breaking.deprecated import OldSignature
from opgen.breaking.finding import Bump, Finding, Rule, Shown, effects

_OLD = ex.F + ex.DEPRECATED + "- name: f(Tensor self, Scalar k) -> Tensor\n  aten: f(self)\n"

REMOVED = Rule(
    "OPB904",
    "deprecated-signature-removed",
    "A deprecated Python signature is taken no longer.",
    effects(python="X"),
    Bump.major,
    _OLD + "- name: f(Scalar k, Tensor self) -> Tensor\n  aten: f(self)\n",
    _OLD,
    "keep it until the next major version",
)
RULES = (REMOVED,)


def compare(base: Iterable[OldSignature], new: Iterable[OldSignature]) -> Iterator[Finding]:
    kept = {signature.text for signature in new}
    for signature in base:
        if signature.text not in kept:
            yield Finding(
                REMOVED,
                signature.operator,
                f"the deprecated signature of '{signature.operator}' is taken no longer",
                signature.span,
                Shown(signature.text, ((0, len(signature.text)),)),
                in_baseline=True,
                subject=f"deprecated {signature.text}",
                worked=signature.text,
                fails=f"TypeError: write {signature.call}",
                help=REMOVED.advice,
                breaks=REMOVED.breaks,
                private=signature.operator.startswith("_") and not signature.operator.startswith("__"),
            )
