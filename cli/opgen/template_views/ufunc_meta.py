"""Generated meta functions: those of elementwise operators with functors, whose result has the common dtype
of its operands, or is bool, as the functor returns T or bool. Where a source includes an operator's
`<ATen/ops/*_meta.h>`, the meta functions are hand-written there.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable

from opgen.model.function import Group
from opgen.model.types import TENSOR
from opgen.template_views import names
from opgen.template_views.atoms import Cpp, Ident
from opgen.template_views.atoms_of import join
from opgen.template_views.source import Source

ITERATOR = "TensorIteratorBase"
# TensorIteratorBase's function, by the return type of functors and the number of operands.
_BUILDERS = {
    ("T", 1): Ident("build_borrowing_unary_op"),
    ("T", 2): Ident("build_borrowing_binary_op"),
    ("bool", 1): Ident("build_borrowing_unary_force_boolean_op"),
    ("bool", 2): Ident("build_borrowing_comparison_op"),
}
_RETURNS = re.compile(rb"\b(T|bool)\s+(\w+)\s*\(\s*T\s+\w+[,)]")


@dataclasses.dataclass(frozen=True, slots=True)
class Promotion:
    """The body of a generated meta function: the function that broadcasts and promotes the operands."""

    builder: Ident
    operands: Cpp


class Promotions:
    def __init__(self, sources: Iterable[Source]):
        self._returns: dict[str, str] = {}
        self._written: set[str] = set()
        for source in sources:
            self._written |= source.metas
            if source.group == "" and source.path.endswith(".h"):
                for returned, functor in _RETURNS.findall(source.content):
                    self._returns.setdefault(functor.decode(), returned.decode())

    def of(self, group: Group) -> Promotion | None:
        """Returns the promotion; None where the meta function is hand-written, or must be."""
        out = group.out
        if out.structured_inherits != ITERATOR or out.precomputed or names.base(out) in self._written:
            return None
        returned = {self._returns.get(loop.name) for loop in out.ufunc_inner_loop.values()}
        operands = [a.name for a in out.schema.arguments.non_out if a.type == TENSOR]
        builder = _BUILDERS.get((returned.pop() or "", len(operands))) if len(returned) == 1 else None
        return Promotion(builder, join(operands)) if builder is not None else None
