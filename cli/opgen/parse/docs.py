"""A docs file to entries: an operator with a sentence about it and, optionally, a formula."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.diagnostics import Report, Rule, Severity, did_you_mean
from opgen.model.docs import Doc
from opgen.parse.nodes import Mapping, Node, Scalar, describe
from opgen.parse.source import Item

DOCS_PART = "# docs.yaml\n"
FORMULA = "formula"
_FUNCTION = "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: f\n"
_GOOD = f"{_FUNCTION}{DOCS_PART}- f: Twice each element.\n  formula: 2 * x\n"

ENTRY = Rule(
    "OPG270",
    "docs-entry",
    Severity.error,
    "An entry of a docs file is an operator's name with a sentence about it; only 'formula' may follow.",
    f"{_FUNCTION}{DOCS_PART}- f\n",
    _GOOD,
    ignorable=False,
)
TEXT = Rule(
    "OPG271",
    "docs-text",
    Severity.error,
    "The sentence and the formula of a docs file are texts of one line, and not empty.",
    f"{_FUNCTION}{DOCS_PART}- f:\n",
    _GOOD,
    ignorable=False,
)
RULES = (ENTRY, TEXT)


def read(items: Iterable[Item], report: Report) -> list[Doc]:
    return [doc for item in items if item.node is not None and (doc := _entry(item, report)) is not None]


def _entry(item: Item, report: Report) -> Doc | None:
    node = item.node
    assert node is not None
    if not isinstance(node, Mapping) or not node.keys:
        message = f"expected an operator's name and a sentence, but this is {_described(node)}"
        help = "write '- NAME: What it does.'"
        report.add(ENTRY.at(item.source.span(node), message, help))
        return Doc(node.value, "", None, item.source.span(node)) if isinstance(node, Scalar) else None
    (name, said), *others = node.pairs
    for key, _ in others:
        if key.value != FORMULA:
            message = f"there is no field '{key.value}' beside the sentence about '{name.value}'"
            help = did_you_mean(key.value, [FORMULA]) or "begin each operator's entry with '- '"
            report.add(ENTRY.at(item.source.span(key), message, help))
    sentence = _text(item, name, said, report) or ""
    formula = node.values.get(FORMULA) if name.value != FORMULA else None
    written = None if formula is None else _text(item, node.keys[FORMULA], formula, report)
    return Doc(name.value, sentence, written, item.source.span(name))


def _described(node: Node) -> str:
    return "an empty mapping" if isinstance(node, Mapping) else describe(node)


def _text(item: Item, key: Scalar, node: Node, report: Report) -> str | None:
    """Returns the text of `key`; None unless it is one line of text."""
    if isinstance(node, Scalar) and node.value.strip() and "\n" not in node.value.strip():
        return node.value.strip()
    empty = isinstance(node, Scalar) and not node.value.strip()
    several = "a text of several lines" if isinstance(node, Scalar) else describe(node)
    message = f"'{key.value}' must be a text of one line, but it is {'empty' if empty else several}"
    report.add(TEXT.at(item.source.span(key if empty else node), message))
    return None
