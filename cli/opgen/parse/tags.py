"""tags.yaml: the tags that entries may carry. Without such a file PyTorch's own are used."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.diagnostics import Related, Report, Rule, Severity
from opgen.model import Tag
from opgen.parse.cursor import is_identifier
from opgen.parse.nodes import Mapping, Scalar, describe
from opgen.parse.source import Item

_GOOD = "- tag: core\n  desc: What it means.\n"

TAG_ENTRY = Rule(
    "OPG250",
    "tag-entry",
    Severity.error,
    "An entry of a tags file has a 'tag', a name, and a 'desc' that says what it means.",
    "- tag: core\n",
    _GOOD,
    ignorable=False,
)
TAG_TWICE = Rule(
    "OPG251",
    "tag-twice",
    Severity.error,
    "A tag is declared once.",
    _GOOD + _GOOD,
    _GOOD,
    ignorable=False,
)

# These two rules are about a tags file; their examples are tags files.
RULES = (TAG_ENTRY, TAG_TWICE)

# The index is the tag's number, in every library and extension: new ones go to the end.
BUILT_IN = (
    *("core", "pointwise", "reduction", "inplace", "out", "out_variant", "inplace_view", "view_copy"),
    *("generated", "dynamic_output_shape", "data_dependent_output", "nondeterministic_seeded"),
    *("nondeterministic_bitwise", "needs_exact_strides", "needs_contiguous_strides"),
    *("needs_fixed_stride_order", "flexible_layout", "maybe_aliasing_or_mutating", "cudagraph_unsafe"),
    "pt2_compliant_tag",
)


def built_in() -> dict[str, Tag]:
    return {name: Tag(name, "a tag of PyTorch's") for name in BUILT_IN}


def read(items: Iterable[Item], report: Report) -> dict[str, Tag]:
    tags: dict[str, Tag] = {}
    for item in items:
        if item.node is None:  # not YAML; its fault is reported already
            continue
        span = item.source.span(item.node)
        if not isinstance(item.node, Mapping):
            report.add(TAG_ENTRY.at(span, f"expected 'tag:' and 'desc:', but this is {describe(item.node)}"))
            continue
        name, description = item.node.values.get("tag"), item.node.values.get("desc")
        for key, _ in item.node.pairs:
            if key.value not in ("tag", "desc"):
                report.add(TAG_ENTRY.at(item.source.span(key), f"there is no field '{key.value}'"))
        if not isinstance(name, Scalar) or not is_identifier(name.value):
            report.add(TAG_ENTRY.at(span, "this entry names no tag"))
            continue
        span = item.source.span(name)
        if not isinstance(description, Scalar) or not description.value.strip():
            report.add(TAG_ENTRY.at(span, f"the tag '{name.value}' has no description"))
            continue
        if name.value in tags:
            first = tags[name.value].span
            related = () if first is None else (Related(first, "first declared here"),)
            report.add(TAG_TWICE.at(span, f"the tag '{name.value}' is declared twice", related=related))
            continue
        tags[name.value] = Tag(name.value, description.value.strip(), span)
    return tags
