"""deprecated.yaml: old Python signatures, each with the call that it stands for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opgen.diagnostics import Span
from opgen.parse.nodes import Mapping, Scalar
from opgen.parse.source import Item


@dataclass(frozen=True, slots=True)
class OldSignature:
    """`text` is the signature, `call` the operator that it calls, with what is passed on."""

    text: str
    call: str
    span: Span

    @property
    def operator(self) -> str:
        return self.text.partition("(")[0]


_LINE = re.compile(r"^(?:- *)?(name|aten): *(.*?)$", re.MULTILINE)


def read(items: Iterable[Item]) -> tuple[OldSignature, ...]:
    """The entries that have both a `name` and an `aten`; others define no signature. Of an entry that isn't
    YAML its lines are read.
    """
    return tuple(_signatures(items))


def _signatures(items: Iterable[Item]) -> Iterator[OldSignature]:
    for item in items:
        if item.fault is not None:
            lines = dict(_LINE.findall(item.text))
            if lines.keys() == {"name", "aten"}:
                yield OldSignature(lines["name"], lines["aten"], item.fault.span)
            continue
        found = item.node.values if isinstance(item.node, Mapping) else {}
        name, call = found.get("name"), found.get("aten")
        if isinstance(name, Scalar) and isinstance(call, Scalar):
            text = " ".join(name.value.split())
            yield OldSignature(text, " ".join(call.value.split()), item.source.span(name))
