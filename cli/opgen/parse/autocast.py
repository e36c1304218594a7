"""An autocast file to entries: a cast, the devices whose regions make it, and the operators."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opgen.diagnostics import Report, Rule, Severity, Span, did_you_mean
from opgen.model.autocast import DEVICES, AutocastEntry, Cast
from opgen.parse import entries
from opgen.parse.nodes import Mapping, Scalar, describe
from opgen.parse.source import Item

AUTOCAST_PART = "# autocast.yaml\n"
_FUNCTION = "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: f\n"

ENTRY = Rule(
    "OPG280",
    "autocast-entry",
    Severity.error,
    "An entry of an autocast file has 'cast', 'devices' and 'ops', and 'instead' where the cast is"
    " 'refused'.",
    f"{_FUNCTION}{AUTOCAST_PART}- cast: float16\n  devices: [CPU]\n  ops: [f]\n",
    f"{_FUNCTION}{AUTOCAST_PART}- cast: float32\n  devices: [CPU]\n  ops: [f]\n",
    ignorable=False,
)
RULES = (ENTRY,)

FIELDS = ("cast", "devices", "ops", "instead")
CASTS = tuple(cast.value for cast in Cast)


def read(items: Iterable[Item], report: Report) -> list[AutocastEntry]:
    found = (_entry(item, report) for item in items if item.node is not None)
    return [entry for entry in found if entry is not None]


def _entry(item: Item, report: Report) -> AutocastEntry | None:
    node = entries.mapping(item, FIELDS, "'cast:', 'devices:' and 'ops:'", ENTRY, report)
    if node is None:
        return None
    cast = _one(item, "cast", CASTS, report)
    given = entries.texts(item, "devices", ENTRY, report)
    devices = [_known(item, "devices", text, DEVICES, report) for text in given]
    names = tuple((text.value, item.source.span(text)) for text in entries.texts(item, "ops", ENTRY, report))
    if cast is None or None in devices or not devices or not names:
        return None
    instead = _instead(item, node, Cast(cast), report)
    return AutocastEntry(Cast(cast), tuple(d for d in devices if d), names, instead)


def _instead(item: Item, node: Mapping, cast: Cast, report: Report) -> tuple[str, Span] | None:
    """Returns the operator that a refused one names, which no other entry has."""
    named = node.values.get("instead")
    if isinstance(named, Scalar) and cast is Cast.refused:
        return named.value, item.source.span(named)
    if named is not None or cast is Cast.refused:
        message = "'instead' is the operator to use for those that are refused, and only for them"
        report.add(ENTRY.at(item.source.span(named or node), message))
    return None


def _one(item: Item, name: str, known: Sequence[str], report: Report) -> str | None:
    assert isinstance(item.node, Mapping)
    node = item.node.values.get(name)
    if isinstance(node, Scalar):
        return _known(item, name, node, known, report)
    what = "is missing" if node is None else f"must be one of {', '.join(known)}, but it is {describe(node)}"
    report.add(ENTRY.at(item.source.span(node or item.node), f"'{name}' {what}"))
    return None


def _known(item: Item, name: str, text: Scalar, known: Sequence[str], report: Report) -> str | None:
    if text.value in known:
        return text.value
    message = f"'{name}' must be of {', '.join(known)}, but it is '{text.value}'"
    report.add(ENTRY.at(item.source.span(text), message, did_you_mean(text.value, known)))
    return None
