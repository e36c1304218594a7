"""A batching file to rules by operator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from opgen.diagnostics import Report, Rule, Severity
from opgen.model.batching import Batching, DeclaredRule
from opgen.parse import entries
from opgen.parse.nodes import Mapping as MappingNode
from opgen.parse.nodes import Node, Scalar, describe
from opgen.parse.source import Item

BATCHING_PART = "# batching.yaml\n"
_FUNCTION = "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: f\n"

ENTRY = Rule(
    "OPG290",
    "batching-entry",
    Severity.error,
    "An entry of a batching file has 'ops', a list of operators, and how a batch of calls is computed: one"
    " word, or a formula.",
    f"{_FUNCTION}{BATCHING_PART}- ops: [f]\n  loops:\n",
    f"{_FUNCTION}{BATCHING_PART}- ops: [f]\n  loop:\n",
    ignorable=False,
)
RULES = (ENTRY,)

# A kind of rule -> what its text is; "" for those that have none.
DETAILS = {
    "loop": "",
    "leading": "",
    "pointwise": "",
    "folded": "the rank of the tensors of role b",
    "as": "the operator to call",
    "composite": "",
}
KINDS = tuple(DETAILS)
FIELDS = (*KINDS, "ops", "roles", "formula")


def read(items: Iterable[Item], report: Report) -> Batching:
    """Returns the rules by operator, as named: with or without the overload."""
    found: dict[str, DeclaredRule] = {}
    for item in items:
        if item.node is not None:
            known = len(report.diagnostics)
            names, rule = _entry(item, report)
            if len(report.diagnostics) == known:
                found.update(dict.fromkeys(names, rule))
    return found


def _entry(item: Item, report: Report) -> tuple[list[str], DeclaredRule]:
    words = f"'ops' and one of {', '.join(KINDS)}, or a formula"
    node = entries.mapping(item, FIELDS, words, ENTRY, report)
    if node is None:
        return [], DeclaredRule("")
    kinds = [kind for kind in KINDS if kind in node.values]
    if len(kinds) > 1:
        _fault(item, node.keys[kinds[1]], f"'{kinds[1]}' beside '{kinds[0]}': one of them holds", report)
    if not kinds and "formula" not in node.values and not set(node.keys) - set(FIELDS):
        _fault(item, node, f"expected {words}", report)
    kind = kinds[0] if kinds else ""
    formula = _text(item, node.values["formula"], "formula", report) if "formula" in node.values else ""
    rule = DeclaredRule(kind, _detail(item, node, kind, report), formula, _roles(item, node, report))
    return [op.value for op in entries.texts(item, "ops", ENTRY, report)], rule


def _detail(item: Item, node: MappingNode, kind: str, report: Report) -> str:
    given = node.values.get(kind)
    if given is None:
        return ""
    detail = _text(item, given, kind, report)
    expected = DETAILS[kind]
    if bool(detail) is not bool(expected) or (kind == "folded" and not detail.isdecimal()):
        _fault(item, given, f"'{kind}' has {f'a text, {expected}' if expected else 'no text'}", report)
    return detail


def _roles(item: Item, node: MappingNode, report: Report) -> Mapping[str, str]:
    roles = node.values.get("roles")
    if roles is None:
        return {}
    if not isinstance(roles, MappingNode):
        message = f"'roles' must have a letter for each argument that it names, but it is {describe(roles)}"
        _fault(item, roles, message, report)
        return {}
    return {key: _text(item, value, key, report) for key, value in roles.values.items()}


def _text(item: Item, node: Node, name: str, report: Report) -> str:
    if isinstance(node, Scalar):
        return node.value
    _fault(item, node, f"'{name}' must be a text, but it is {describe(node)}", report)
    return ""


def _fault(item: Item, node: Node, message: str, report: Report) -> None:
    report.add(ENTRY.at(item.source.span(node), message))
