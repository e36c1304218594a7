"""Operators of a project that the library's own code calls: the calls have to compile with its schemas."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from opgen.check.generation_rules import CALLED_OTHERWISE
from opgen.diagnostics import Diagnostic
from opgen.model import Argument, Program, Schema, Variant
from opgen.template_views import names
from opgen.template_views.source import Source


def otherwise(
    own: Program, shipped: Program, sources: Iterable[Source], base: Collection[str]
) -> Iterator[Diagnostic]:
    """Yields a fault for each operator of `own` that replaces one of `shipped`, but can't be called as that
    is by the runtime, which calls the operators `base`, or by the shipped ones of `sources`.
    """
    callers: dict[str, list[Source]] = {}
    for source in sources:
        for name in source.calls if source.is_shipped else ():
            callers.setdefault(name, []).append(source)
    for function in own.functions:
        theirs = shipped.by_name.get(function.qualified_name)
        name = names.base(function)
        if theirs is None or (name not in base and name not in callers):
            continue
        of_method = [s for s in callers.get(name, []) if f".{name}(".encode() in s.content]
        variants = theirs.variants if name in base or of_method else theirs.variants - {Variant.method}
        if variants <= function.variants and _fits(function.schema, theirs.schema):
            continue
        first = next(iter(of_method or callers.get(name, [])), None)
        caller = "the runtime" if first is None else first.origin
        message = f"{caller} calls this operator as '{theirs.schema}'"
        if not variants <= function.variants:
            message += f", with variants: {', '.join(sorted(v.value for v in variants))}"
        yield CALLED_OTHERWISE.at(
            function.span, message, "declare it so, or give your operator another name or overload"
        )


def _fits(own: Schema, theirs: Schema) -> bool:
    ours, called = own.arguments.all, theirs.arguments.all
    same = all(map(_stands_for, ours, called)) and len(ours) >= len(called)
    more = all(a.default is not None for a in ours[len(called) :])
    return same and more and [r.type for r in own.returns] == [r.type for r in theirs.returns]


def _stands_for(own: Argument, called: Argument) -> bool:
    return own.type == called.type and (own.default is not None or called.default is None)
