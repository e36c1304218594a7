"""What the entries of the files beside the functions file share."""

from __future__ import annotations

from collections.abc import Sequence as Names

from opgen.diagnostics import Report, Rule, did_you_mean
from opgen.parse.nodes import Mapping, Scalar, Sequence, describe
from opgen.parse.source import Item


def mapping(item: Item, fields: Names[str], expected: str, rule: Rule, report: Report) -> Mapping | None:
    """Returns the entry if it is a mapping; reports others, and fields that there are not."""
    node = item.node
    if not isinstance(node, Mapping):
        assert node is not None
        report.add(rule.at(item.source.span(node), f"expected {expected}, but this is {describe(node)}"))
        return None
    for key, _ in node.pairs:
        if key.value not in fields:
            message, help = f"there is no field '{key.value}'", did_you_mean(key.value, fields)
            report.add(rule.at(item.source.span(key), message, help))
    return node


def texts(item: Item, name: str, rule: Rule, report: Report) -> list[Scalar]:
    """Returns the texts of a field, a non-empty list; reports other values."""
    assert isinstance(item.node, Mapping)
    node = item.node.values.get(name)
    found = node.items if isinstance(node, Sequence) else []
    good = [i for i in found if isinstance(i, Scalar) and i.value.strip()]
    if not found or len(good) != len(found):
        what = "is missing" if node is None else "must be a list of texts, and not empty"
        report.add(rule.at(item.source.span(node or item.node), f"'{name}' {what}"))
        return []
    return good
