"""Tags: those that exist, and those that an operator must carry."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.check import examples as ex
from opgen.check import fixes, places
from opgen.check.partial_words import SEEDED_TAG, part_of_random, random_names
from opgen.diagnostics import Diagnostic, Related, Rule, Severity, Span, did_you_mean
from opgen.model import Function, Kind, Program
from opgen.parse.tags import BUILT_IN

UNKNOWN = Rule(
    "OPG801",
    "unknown-tag",
    Severity.error,
    "A tag is declared in the tags file.",
    ex.F + "  tags: pointwize\n",
    ex.F + "  tags: pointwise\n",
)
GENERATED = Rule(
    "OPG802",
    "generated-tag",
    Severity.error,
    "The tag 'generated' is opgen's to give.",
    ex.F + "  tags: generated\n",
    ex.F,
    fixable=True,
)
SEEDED = Rule(
    "OPG803",
    "seeded-tag",
    Severity.error,
    "Operators that take a Generator, or with a word such as 'rand', 'randn' or 'dropout' in their names,"
    " carry nondeterministic_seeded.",
    ex.func("f(Tensor self, *, Generator? generator=None) -> Tensor"),
    ex.func("f(Tensor self, *, Generator? generator=None) -> Tensor")
    + "  tags: nondeterministic_seeded\n"
    + ex.func("_philox_randint_(Tensor(a!) self, Tensor key) -> Tensor(a!)"),
    fixable=True,
)
FUNCTION_RULES = (UNKNOWN, GENERATED, SEEDED)

_F = "- func: f(Tensor(a) self) -> Tensor(a)\n"
VIEW_NAME = Rule(
    "OPG810",
    "inplace-view-name",
    Severity.error,
    "The tag inplace_view is for operators whose names end in '_'.",
    ex.F + "  tags: inplace_view\n",
    _F + ex.F_ + "  tags: inplace_view\n",
)
VIEW_BASE = Rule(
    "OPG811",
    "inplace-view-base",
    Severity.error,
    "An in-place view has an out-of-place form.",
    ex.F_ + "  tags: inplace_view\n",
    _F + ex.F_ + "  tags: inplace_view\n",
)
VIEW_TAG = Rule(
    "OPG812",
    "inplace-view-tag",
    Severity.warning,
    "The in-place form of a view carries the tag inplace_view.",
    _F + ex.F_,
    _F + ex.F_ + "  tags: inplace_view\n",
    fixable=True,
)
VIEW_RULES = (VIEW_NAME, VIEW_BASE, VIEW_TAG)

# PyTorch's exceptions: `_copy` twins that are views, by design.
_NO_VIEW_TWIN = frozenset({"resize_", "resize_as_"})


def of_function(function: Function, program: Program) -> Iterator[Diagnostic]:
    if not function.tags <= program.tags.keys():
        for tag in sorted(function.tags - program.tags.keys()):
            message = f"there is no tag '{tag}'"
            yield UNKNOWN.at(_tag_span(function, tag), f"{message}{_where(program)}", _help(tag, program))
    if "generated" in function.tags:
        where, fix = _tag_span(function, "generated"), fixes.without_tag(function, "generated")
        yield GENERATED.at(where, "only generated operators carry this tag", "take it out", fix=fix)
    if SEEDED_TAG not in function.tags and SEEDED_TAG in program.tags:
        yield from _unseeded(function)


def _unseeded(function: Function) -> Iterator[Diagnostic]:
    why, names = "the operator takes a Generator", [*random_names(function)]
    if not function.schema.arguments.has_generator():
        words = [name for _, name, is_word in names if is_word]
        if not words:
            yield from (part_of_random(function, part, name) for part, name, _ in names[:1])
            return
        why = f"'{words[0]}' says that it is random"
    message = f"the tag {SEEDED_TAG} is missing: {why}"
    yield SEEDED.at(function.span, message, "add it to 'tags'", fix=fixes.with_tag(function, SEEDED_TAG))


def _where(program: Program) -> str:
    """Names the tags file, if one was read."""
    first = next((tag.span for tag in program.tags.values() if tag.span is not None), None)
    return "" if first is None else f" in {first.path}"


def _help(tag: str, program: Program) -> str | None:
    help = did_you_mean(tag, program.tags)
    if help or not _where(program):
        return help
    if tag in BUILT_IN:
        return "it is one of PyTorch's; add it to the tags file, which is read in place of theirs"
    return did_you_mean(tag, BUILT_IN) or f"declare it{_where(program)}"


def _tag_span(function: Function, tag: str) -> Span:
    node = getattr(function.places, "fields", {}).get("tags")
    for i, item in enumerate(getattr(node, "items", ())):
        if item.value == tag:
            return places.field(function, "tags", i)
    return places.field(function, "tags")


def in_place_views(program: Program) -> Iterator[Diagnostic]:
    out_of_place: dict[tuple[str, str, bool], list[Function]] = {}
    for f in program.functions:
        if not f.name.name.inplace:
            out_of_place.setdefault((f.namespace, f.root_name, f.name.name.dunder), []).append(f)
    for f in program.functions:
        name = f.name.name
        twins = out_of_place.get((f.namespace, f.root_name, name.dunder), [])
        if "inplace_view" in f.tags and str(f.name) not in _NO_VIEW_TWIN and str(name) != "set_":
            if not name.inplace:
                message = f"'{f.name}' is no in-place operator, but carries the tag inplace_view"
                yield VIEW_NAME.at(_tag_span(f, "inplace_view"), message)
            elif not twins:
                message = f"'{f.name}' carries the tag inplace_view, but there is no '{name.base}'"
                yield VIEW_BASE.at(_tag_span(f, "inplace_view"), message)
        elif f.kind is Kind.inplace and "inplace_view" not in f.tags:
            views = (t for t in (f, *twins) if t.is_view and t.name.overload == f.name.overload)
            view = next(views, None)
            if view is f:
                message = f"'{f.name}' is a view, as one of its alias annotations says"
                yield VIEW_TAG.at(f.span, message, "add inplace_view to 'tags'")
            elif view is not None:
                related = (Related(view.span, "the view"),)
                message = f"'{view.name}' is a view, so '{f.name}' needs the tag inplace_view"
                fix = fixes.with_tag(f, "inplace_view")
                yield VIEW_TAG.at(f.span, message, "add it to 'tags'", related, fix)
