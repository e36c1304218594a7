"""A batching file to rules by operator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.diagnostics import InputError
from opgen.model.batching import Batching, DeclaredRule
from opgen.parse.nodes import Mapping, Node, Scalar, Sequence
from opgen.parse.source import Item

KINDS = ("loop", "leading", "pointwise", "folded", "as", "composite")
_WITHOUT_DETAIL = ("loop", "leading", "pointwise", "composite")
FIELDS = (*KINDS, "ops", "roles", "formula")


def read(items: Iterable[Item]) -> Batching:
    """Returns the rules by operator, as named: with or without the overload. Raises InputError."""
    return {name: rule for item in items for name, rule in _entry(item)}


def _entry(item: Item) -> Iterator[tuple[str, DeclaredRule]]:
    node = item.node
    if not isinstance(node, Mapping):
        raise _fault(item, "expected an entry with 'ops' and a rule")
    kinds = [kind for kind in KINDS if kind in node.values]
    formula = _text(item, node.values["formula"]) if "formula" in node.values else ""
    unknown = [key for key in node.keys if key not in FIELDS]
    if len(kinds) > 1 or not (kinds or formula) or unknown or "ops" not in node.values:
        message = f"expected 'ops' with one of {', '.join(KINDS)}, or a formula, and no field but 'roles'"
        raise _fault(item, message)
    kind = kinds[0] if kinds else ""
    detail = _text(item, node.values[kind]) if kind else ""
    roles = node.values.get("roles")
    if kind and bool(detail) is (kind in _WITHOUT_DETAIL):
        raise _fault(item, f"'{kind}' has {'no' if kind in _WITHOUT_DETAIL else 'a'} text")
    if roles is not None and not isinstance(roles, Mapping):
        raise _fault(item, "'roles' has a letter for each argument that it names")
    pairs = {} if roles is None else {key: _text(item, value) for key, value in roles.values.items()}
    rule = DeclaredRule(kind, detail, formula, pairs)
    ops = node.values["ops"]
    if not isinstance(ops, Sequence):
        raise _fault(item, "'ops' is a list of operators")
    for op in ops.items:
        yield _text(item, op), rule


def _text(item: Item, node: Node) -> str:
    if not isinstance(node, Scalar):
        raise _fault(item, "expected a text")
    return node.value


def _fault(item: Item, message: str) -> InputError:
    return InputError(f"{item.source.span(item.node)}: {message}" if item.node else message)
