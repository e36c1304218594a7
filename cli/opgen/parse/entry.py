"""One entry's mapping: its places for diagnostics, and readers for the kinds of values that fields have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Sequence as Seq

from opgen.diagnostics import Related, Report, Rule, Span, did_you_mean
from opgen.parse import edits
from opgen.parse import entry_rules as rules
from opgen.parse.cursor import Fault, is_identifier
from opgen.parse.nodes import Mapping, Node, Scalar, Sequence, describe
from opgen.parse.source import Source

_TRUE = frozenset({"True", "true", "TRUE"})
_FALSE = frozenset({"False", "false", "FALSE"})
_FLAG_WORDS = {"True": ("true", "yes", "on", "y"), "False": ("false", "no", "off", "n")}
_NULL = frozenset({"", "null", "Null", "NULL", "~"})


class Entry:
    """A mapping of the file. Implements `Places`; readers report faults and then return nothing."""

    __slots__ = ("fields", "mapping", "misread", "report", "source")

    def __init__(self, source: Source, mapping: Mapping, report: Report):
        self.source = source
        self.mapping = mapping
        self.report = report
        self.misread = False  # whether a value that rules compare with other entries was not read
        self.fields: dict[str, Node] = mapping.values

    # -- places ------------------------------------------------------------

    def _node(self, path: Seq[str | int]) -> Node | None:
        node: Node | None = self.mapping
        for step in path:
            if isinstance(node, Mapping) and isinstance(step, str):
                node = node.values.get(step)
            elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
                node = node.items[step]
            else:
                return None
        return node

    def has(self, *path: str | int) -> bool:
        return self._node(path) is not None

    def value(self, *path: str | int) -> Span:
        """Returns the place of the value at `path`; of its nearest existing ancestor when there is none."""
        for end in range(len(path), 0, -1):
            node = self._node(path[:end])
            if node is not None:
                return self.source.span(node)
        return self.source.span(self.mapping)

    def key(self, *path: str | int) -> Span:
        holder = self._node(path[:-1])
        found = holder.keys.get(str(path[-1])) if isinstance(holder, Mapping) else None
        return self.value(*path[:-1]) if found is None else self.source.span(found)

    def inside(self, start: int, end: int, *path: str | int) -> Span:
        node = self._node(path)
        return self.source.inside(node, start, end) if isinstance(node, Scalar) else self.value(*path)

    # -- faults ------------------------------------------------------------

    def fault(
        self,
        rule: Rule,
        span: Span,
        message: str,
        help: str | None = None,
        related: tuple[Related, ...] = (),
        fix: edits.Edits = (),
    ) -> None:
        self.report.add(rule.at(span, message, help, related, fix))

    def schema_faults(self, faults: Seq[Fault], scalar: Scalar, offset: int = 0) -> None:
        for f in faults:
            span = self.source.inside(scalar, f.start + offset, f.end + offset)
            fix: edits.Edits = ()
            if f.edit is not None:
                start, end, text = f.edit
                fix = edits.inside(self.source, scalar, start + offset, end + offset, text)
            self.fault(f.rule, span, f.message, f.help, fix=fix)

    def wrong_kind(self, name: str, expected: str) -> None:
        node = self.fields[name]
        self.fault(
            rules.WRONG_KIND,
            self.source.span(node),
            f"'{name}' must be {expected}, but it is {describe(node)}",
        )

    # -- readers ------------------------------------------------------------

    def text(self, name: str) -> Scalar | None:
        """Returns a non-empty text; None when the field is absent or null."""
        node = self.fields.get(name)
        if node is None or (isinstance(node, Scalar) and not node.style and node.value in _NULL):
            return None
        if not isinstance(node, Scalar):
            self.wrong_kind(name, "text")
            return None
        return node

    def flag(self, name: str, default: bool) -> bool:
        node = self.fields.get(name)
        if node is None:
            return default
        if isinstance(node, Scalar) and not node.style:
            if node.value in _TRUE:
                return True
            if node.value in _FALSE:
                return False
        self.fault(
            rules.NOT_BOOL,
            self.source.span(node),
            f"'{name}' must be True or False, but it is {describe(node)}",
            "quotes make it text" if isinstance(node, Scalar) and node.value in _TRUE | _FALSE else None,
            fix=self._as_flag(node),
        )
        return default

    def _as_flag(self, node: Node) -> edits.Edits:
        """Returns the edit that replaces another spelling of a boolean (YAML 1.1, common mistakes) with the
        format's.
        """
        word = node.value.lower() if isinstance(node, Scalar) else ""
        meant = next((text for text, words in _FLAG_WORDS.items() if word in words), None)
        return () if meant is None else edits.value(self.source, node, meant)

    def identifier(self, name: str, pattern: re.Pattern[str] | None = None) -> str | None:
        node = self.text(name)
        if node is None:
            return None
        fits = is_identifier(node.value) if pattern is None else pattern.match(node.value)
        if not fits:
            self.fault(
                rules.FIELD_NAME, self.source.span(node), f"'{node.value}' is no name that '{name}' can have"
            )
            return None
        return node.value

    def separated(self, name: str) -> Iterator[tuple[str, Span]]:
        """Yields the parts of a text like 'a, b', each with its place."""
        node = self.text(name)
        if node is None:
            return
        offset = 0
        for part in node.value.split(","):
            start = offset + (1 if offset and part.startswith(" ") else 0)
            word = part.strip()
            span = self.source.inside(node, start, offset + len(part))
            if (offset and part != " " + word) or (not offset and part != word) or not word:
                fix = self._spaced(node)
                self.fault(rules.LIST_SPACING, span, f"'{name}' must separate its names by ', '", fix=fix)
            offset += len(part) + 1
            if word:
                yield word, span

    def _spaced(self, node: Scalar) -> edits.Edits:
        words = [part.strip() for part in node.value.split(",")]
        text = ", ".join(filter(None, words))
        return edits.inside(self.source, node, 0, len(node.value), text) if text else ()

    def listed(self, name: str, one_is_enough: bool = False) -> Iterator[tuple[str, Span]]:
        """Yields the texts of a YAML list, each with its place; with `one_is_enough` a single text is
        accepted, too.
        """
        node = self.fields.get(name)
        if node is None:
            return
        if isinstance(node, Sequence):
            nodes = node.items
        elif one_is_enough and isinstance(node, Scalar):
            nodes = [node]
        else:
            self.wrong_kind(name, "a list" + (" or one name" if one_is_enough else ""))
            return
        seen: dict[str, Span] = {}
        for i, item in enumerate(nodes):
            span = self.source.span(item)
            if not isinstance(item, Scalar) or not item.value:
                self.fault(
                    rules.WRONG_KIND, span, f"an item of '{name}' must be text, but it is {describe(item)}"
                )
                continue
            if item.value in seen:
                first = (Related(seen[item.value], "first given here"),)
                fix = edits.without_item(self.source, node, i) if isinstance(node, Sequence) else ()
                self.fault(rules.REPEATED, span, f"'{item.value}' is given twice", None, first, fix)
            seen.setdefault(item.value, span)
            yield item.value, span

    def choice(self, name: str, rule: Rule, choices: Seq[str], default: str) -> str:
        node = self.text(name)
        if node is None:
            return default
        if node.value not in choices:
            known = " or ".join(f"'{c}'" for c in choices)
            message = f"'{node.value}' is no {name}; it can be {known}"
            self.fault(rule, self.source.span(node), message, did_you_mean(node.value, choices))
            return default
        return node.value
