"""A derivatives file to entries: the formulas by dispatch key, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable

from opgen.diagnostics import Report, did_you_mean
from opgen.model import DEFAULT_NAMESPACE
from opgen.model.derivatives import DEFAULT_KEY, FORMULA_KEYS, DerivativeEntry, Formula
from opgen.parse import schema_text
from opgen.parse.cursor import is_identifier
from opgen.parse.derivatives import rules as rules
from opgen.parse.derivatives import syntax
from opgen.parse.entry import Entry
from opgen.parse.nodes import Mapping, Node, Scalar, Sequence, describe
from opgen.parse.source import Item

FIELDS = ("name", "dispatch", "output_differentiability")
_TRUE = frozenset({"True", "true", "TRUE"})
_FALSE = frozenset({"False", "false", "FALSE"})
_NAME = re.compile(r"\bname:\s*['\"]?((?:\w+::)?\w+(?:\.\w+)?)", re.ASCII)
_NULL = frozenset({"", "null", "Null", "NULL", "~"})


def read(items: Iterable[Item], report: Report) -> tuple[list[DerivativeEntry], frozenset[str]]:
    """Returns the entries in order, and the names of operators (as far as they are known) with faulty
    entries.
    """
    entries = []
    faulty: set[str] = set()
    for item in items:
        known = len(report.diagnostics)
        if item.node is None:
            faulty.update(_NAME.findall(item.text))
            continue
        if not isinstance(item.node, Mapping):
            message = f"an entry must be a mapping that begins with 'name:', but it is {describe(item.node)}"
            report.add(rules.NOT_A_MAPPING.at(item.source.span(item.node), message))
            continue
        entry = Entry(item.source, item.node, report)
        found = _entry(entry)
        if found is not None:
            entries.append(found)
        name = entry.fields.get("name")
        if len(report.diagnostics) > known and isinstance(name, Scalar):
            faulty.add(name.value.partition("(")[0].strip())
    return entries, frozenset(faulty)


def _entry(entry: Entry) -> DerivativeEntry | None:
    name = entry.text("name")
    if name is None:
        if "name" not in entry.fields or isinstance(entry.fields["name"], Scalar):
            message = "this entry does not name an operator"
            entry.fault(rules.NO_NAME, entry.value(), message, "give the operator's whole schema as 'name'")
        return None
    parsed = schema_text.parse(name.value)
    entry.schema_faults(parsed.faults, name)
    formulas = _all_formulas(entry)
    differentiable, condition = _differentiable(entry)
    if parsed.schema is None:
        return None
    return DerivativeEntry(
        schema=parsed.schema,
        span=entry.source.span(name),
        line=entry.source.first_line + entry.mapping.start_mark.line + 1,
        namespace=parsed.namespace or DEFAULT_NAMESPACE,
        formulas=formulas,
        differentiable=differentiable,
        condition=condition,
        places=entry,
    )


def _all_formulas(entry: Entry) -> dict[str, tuple[Formula, ...]]:
    written = _formulas(entry, entry.mapping, ())
    if "dispatch" not in entry.fields:
        return {DEFAULT_KEY: written}
    for formula in written:
        message = f"the formula for '{formula.key}' stands beside 'dispatch', where no key holds it"
        help = f"put it under a key of 'dispatch', such as {DEFAULT_KEY}"
        entry.fault(rules.BESIDE_DISPATCH, entry.key(*formula.path), message, help)
    node = entry.fields["dispatch"]
    if not isinstance(node, Mapping) or not node.keys:
        message = f"'dispatch' must be a mapping of keys to formulas, but it is {describe(node)}"
        entry.fault(rules.DISPATCH_KIND, entry.value("dispatch"), message)
        return {}
    found = {}
    for key, value in node.pairs:
        if key.value not in FORMULA_KEYS:
            message = f"there are no formulas for the key '{key.value}'"
            help = (
                did_you_mean(key.value, FORMULA_KEYS) or f"the keys are {DEFAULT_KEY} and Autograd<Backend>"
            )
            entry.fault(rules.DISPATCH_KEY, entry.source.span(key), message, help)
        if isinstance(value, Mapping):
            found[key.value] = _formulas(entry, value, ("dispatch", key.value))
        else:
            message = f"'{key.value}' must hold formulas by name, but it is {describe(value)}"
            entry.fault(rules.DISPATCH_KIND, entry.source.span(value), message)
    return found


def _formulas(entry: Entry, mapping: Mapping, path: tuple[str, ...]) -> tuple[Formula, ...]:
    found: list[Formula] = []
    seen: set[str] = set()
    for key, value in mapping.pairs:
        if not path and key.value in FIELDS:
            continue
        names = tuple(part.strip() for part in key.value.split(","))
        if not all(map(is_identifier, names)):
            message = f"'{key.value}' is no name, nor names separated by ', '"
            entry.fault(rules.KEY, entry.source.span(key), message)
            continue
        repeated = [name for i, name in enumerate(names) if name in seen or name in names[:i]]
        seen.update(names)
        for name in repeated:
            entry.fault(rules.TWICE, entry.source.span(key), f"'{name}' has two formulas")
        text = _text(entry, key.value, value)
        if text is not None and not repeated:
            formula = Formula(names, text, (*path, key.value))
            if syntax.check(formula, entry):
                found.append(formula)
    return tuple(found)


def _text(entry: Entry, key: str, value: Node) -> str | None:
    span = entry.source.span(value)
    if not isinstance(value, Scalar):
        entry.fault(
            rules.NOT_TEXT, span, f"the formula for '{key}' must be text, but it is {describe(value)}"
        )
        return None
    if not value.value.strip() or (not value.style and value.value in _NULL):
        entry.fault(
            rules.EMPTY,
            span,
            f"the formula for '{key}' is empty",
            "say 'non_differentiable' if that is meant",
        )
        return None
    return value.value


def _differentiable(entry: Entry) -> tuple[tuple[bool, ...] | None, str | None]:
    """Returns what `output_differentiability` says: a flag for each result, or a condition."""
    node = entry.fields.get("output_differentiability")
    if node is None:
        return None, None
    items = node.items if isinstance(node, Sequence) else []
    texts = [item.value if isinstance(item, Scalar) else None for item in items]
    if texts and all(text in _TRUE or text in _FALSE for text in texts):
        return tuple(text in _TRUE for text in texts), None
    if len(texts) == 1 and texts[0] is not None and texts[0] not in _NULL:
        condition = Formula((), texts[0], ("output_differentiability",))
        if syntax.check(condition, entry, index=0):
            return (True,), texts[0]
        return None, None
    what = describe(node) if not items else "a list that holds something else"
    message = f"'output_differentiability' must be a list of True and False, but it is {what}"
    entry.fault(rules.DIFFERENTIABILITY, entry.source.span(node), message, "such as [True, False]")
    return None, None
