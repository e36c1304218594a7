"""A docs file to entries: an operator with a sentence about it and, optionally, a formula, texts about its
arguments, results and errors, and an example.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable

from opgen.diagnostics import Report, Rule, Severity, did_you_mean
from opgen.model.docs import Doc, Example, Returns, Said
from opgen.parse import docs_example
from opgen.parse.nodes import Mapping, Node, Scalar, Sequence, describe
from opgen.parse.source import Item

DOCS_PART = "# docs.yaml\n"
FORMULA, ARGS, RETURNS, RAISES, EXAMPLE = FIELDS = ("formula", "args", "returns", "raises", "example")
# The classes that `raises` may name: Python's own, and the one that the library adds.
ERRORS = frozenset(
    {n for n, c in vars(builtins).items() if isinstance(c, type) and issubclass(c, Exception)}
    | {"LinAlgError"}
)
_FUNCTION = "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: f\n"
_SAID = f"{_FUNCTION}{DOCS_PART}- f: Twice each element.\n"
_GOOD = f"{_SAID}  formula: 2 * x\n"

ENTRY = Rule(
    "OPG270",
    "docs-entry",
    Severity.error,
    "An entry of a docs file is an operator's name with a sentence about it; only 'formula', 'args',"
    " 'returns', 'raises' and 'example' may follow.",
    f"{_FUNCTION}{DOCS_PART}- f\n",
    _GOOD,
    ignorable=False,
)
TEXT = Rule(
    "OPG271",
    "docs-text",
    Severity.error,
    "The sentence, the formula and each text of 'args', 'returns' and 'raises' in a docs file are one line,"
    " and not empty. 'args' and 'raises' have a text for each name; 'returns' is a text or a list of them.",
    f"{_FUNCTION}{DOCS_PART}- f:\n",
    _GOOD,
    ignorable=False,
)
ERROR_CLASS = Rule(
    "OPG272",
    "docs-error-class",
    Severity.error,
    "'raises' names exceptions of Python, or LinAlgError.",
    f"{_SAID}  raises:\n    RuntimError: x is empty\n",
    f"{_SAID}  raises:\n    RuntimeError: x is empty\n",
    ignorable=False,
)
EXAMPLE_SYNTAX = Rule(
    "OPG273",
    "docs-example",
    Severity.error,
    "An example is a session of Python: statements after '>>> ', their further lines after '... ', each with"
    " what it prints.",
    f"{_SAID}  example: |\n    >>> aten.f(aten.ones(2)\n    tensor([2., 2.])\n",
    f"{_SAID}  example: |\n    >>> aten.f(aten.ones(2))\n    tensor([2., 2.])\n",
    ignorable=False,
)
RULES = (ENTRY, TEXT, ERROR_CLASS, EXAMPLE_SYNTAX)


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
    operator = _declared(name, said, others)
    if operator:
        text = next((n.value.strip() for _, n in others if isinstance(n, Scalar)), "What it does.")
        message = "the entry begins with 'func', but an entry of a docs file begins with the operator's name"
        report.add(ENTRY.at(item.source.span(name), message, f"write '- {operator}: {text}'"))
        return Doc(operator, "", None, item.source.span(name))
    sentence = _text(item, name, said, report) or ""
    doc = Doc(name.value, sentence, None, item.source.span(name))
    return _with_fields(doc, others, item, report) if others else doc


def _declared(name: Scalar, said: Node, others: Iterable[tuple[Scalar, Node]]) -> str:
    """Returns the operator of an entry that is written as in the functions file: `- func: f`, and the text in
    a field of its own; "" for other entries.
    """
    if name.value != "func" or not isinstance(said, Scalar) or all(key.value in FIELDS for key, _ in others):
        return ""
    is_schema = "(" in said.value or " " not in said.value
    return said.value.partition("(")[0].partition(".")[0] if is_schema else ""


def _with_fields(doc: Doc, others: Iterable[tuple[Scalar, Node]], item: Item, report: Report) -> Doc:
    fields: dict[str, tuple[Scalar, Node]] = {}
    for key, node in others:
        if key.value in FIELDS:
            fields[key.value] = key, node
            continue
        message = f"there is no field '{key.value}' beside the sentence about '{doc.name}'"
        help = did_you_mean(key.value, FIELDS) or "begin each operator's entry with '- '"
        report.add(ENTRY.at(item.source.span(key), message, help))
    errors = _texts(item, *fields[RAISES], "an error's class", report) if RAISES in fields else ()
    for error in errors:
        if error.name not in ERRORS:
            help = did_you_mean(error.name, ERRORS) or "name an exception of Python, or LinAlgError"
            report.add(ERROR_CLASS.at(error.span, f"there is no error '{error.name}'", help))
    return Doc(
        doc.name,
        doc.sentence,
        _text(item, *fields[FORMULA], report) if FORMULA in fields else None,
        doc.span,
        _texts(item, *fields[ARGS], "an argument", report) if ARGS in fields else (),
        _returns(item, *fields[RETURNS], report) if RETURNS in fields else None,
        errors,
        _example(item, *fields[EXAMPLE], report) if EXAMPLE in fields else None,
    )


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


def _texts(item: Item, key: Scalar, node: Node, named: str, report: Report) -> tuple[Said, ...]:
    """Returns the texts of a mapping by their names; `named` says for messages what the names are."""
    if not isinstance(node, Mapping) or not node.keys:
        empty = isinstance(node, Scalar) and not node.value
        message = f"'{key.value}' must have a text for each name, but it is {_described(node)}"
        help = f"write '{named.split()[-1].upper()}: TEXT' in a line of its own for {named}"
        report.add(TEXT.at(item.source.span(key if empty else node), message, help))
        return ()
    span = item.source.span
    return tuple(
        Said(n.value, _text(item, n, text, report) or "", span(n), span(text)) for n, text in node.pairs
    )


def _returns(item: Item, key: Scalar, node: Node, report: Report) -> Returns | None:
    span = item.source.span(node)
    if not isinstance(node, Sequence):
        text = _text(item, key, node, report)
        return None if text is None else Returns((text,), False, span)
    if not node.items:
        report.add(TEXT.at(span, f"'{key.value}' must be a text, or a list of them, but it is an empty list"))
        return None
    texts = [_text(item, key, each, report) for each in node.items]
    return Returns(tuple(text or "" for text in texts), True, span)


def _example(item: Item, key: Scalar, node: Node, report: Report) -> Example | None:
    if not isinstance(node, Scalar) or not node.value.strip():
        empty = isinstance(node, Scalar)
        message = f"'{key.value}' must be lines of Python, but it is {'empty' if empty else describe(node)}"
        help = f"write '{key.value}: |' and below it, indented, '>>> ' and a statement"
        report.add(TEXT.at(item.source.span(key if empty else node), message, help))
        return None
    for start, end, message, fault_help in docs_example.faults(node.value):
        report.add(EXAMPLE_SYNTAX.at(item.source.inside(node, start, end), message, fault_help))
    lines = node.value.rstrip().split("\n")
    while not lines[0].strip():
        del lines[0]
    begin = len(node.value) - len(node.value.lstrip())
    first = item.source.inside(node, begin, begin + 1)
    return Example(tuple(line.rstrip() for line in lines), first.line)
