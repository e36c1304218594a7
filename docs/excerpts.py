#!/usr/bin/env python3
"""Keeps the excerpts in docs/adding-an-operator.md equal to the files they are taken from.

    python docs/excerpts.py            # lists the excerpts that are out of date
    python docs/excerpts.py --write    # updates them

A comment in front of a code block names the file and, one per line, the parts of the excerpt:

    <!-- from: ops/elementwise/meta.cpp
    #include <ATen/ops/frac_meta.h>
    TORCH_META_FUNC(frac) ... }
    -->

`FIRST ... LAST` are the lines from the only one that begins with FIRST to the next that begins with LAST and
has the same indentation; `FIRST` is that line alone. Lines indented below the last line belong to it. If no
single line is unique, `A / B` is a line that begins with A followed by one that begins with B.
`<!-- counted: FILE` has no code block: it marks lines that the section's operator also needs but that the
guide doesn't show; without lines, the whole file.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "docs" / "adding-an-operator.md"

_SECTION = re.compile(r"^## (.+): `(\w+)`$|^## .+$", re.MULTILINE)
_BLOCK = re.compile(
    r"^<!-- (?:from: (?P<shown>\S+)(?P<lines>\n(?:.+\n)+?)-->\n\n(?P<fence>```\w+\n)(?P<text>(?:.*\n)*?)```$"
    r"|counted: (?P<counted>\S+)(?P<more>\n(?:.+\n)*?| )-->$)",
    re.MULTILINE,
)
_COMMENT = re.compile(r"^<!-- *(from|counted)\b", re.MULTILINE)


class Unfound(Exception):
    """An excerpt's file doesn't exist, or a line isn't there exactly once."""


@dataclasses.dataclass(frozen=True)
class Block:
    """Excerpts of one file; `text` is what the guide shows, None for counted lines."""

    line: int
    file: str
    anchors: tuple[str, ...]
    text: str | None

    def ranges(self, root: Path) -> list[range]:
        """The line indices of each excerpt, from 0."""
        path = root / self.file
        if not path.is_file():
            raise Unfound(f"there is no file {self.file}")
        lines = path.read_text(encoding="utf-8").splitlines()
        if not self.anchors:
            return [range(len(lines))]
        return [_range(self.file, lines, anchor) for anchor in self.anchors]

    def taken(self, root: Path) -> str:
        """The excerpts' current text; excerpts that aren't adjacent are separated by a blank line."""
        ranges = self.ranges(root)
        lines = (root / self.file).read_text(encoding="utf-8").splitlines()
        parts = [_text(lines, ranges[0])]
        for before, after in itertools.pairwise(ranges):
            parts.append(("" if before.stop == after.start else "\n") + _text(lines, after))
        return "".join(parts)


@dataclasses.dataclass(frozen=True)
class Example:
    """A section of the guide: a kind of operator, with an example."""

    kind: str
    operator: str
    blocks: tuple[Block, ...]

    def parts(self, root: Path) -> dict[str, list[int]]:
        """File -> the indices of the operator's lines, from 0, without blank ones."""
        found: dict[str, set[int]] = {}
        for block in self.blocks:
            numbers = itertools.chain.from_iterable(block.ranges(root))
            found.setdefault(block.file, set()).update(numbers)
        texts = {file: (root / file).read_text(encoding="utf-8").splitlines() for file in found}
        return {file: sorted(n for n in lines if texts[file][n].strip()) for file, lines in found.items()}

    def whole_files(self) -> set[str]:
        """Files that belong to the operator only."""
        return {block.file for block in self.blocks if not block.anchors}


def _range(file: str, lines: Sequence[str], anchor: str) -> range:
    first, _, last = anchor.partition(" ... ")
    begins = first.split(" / ")
    starts = [
        n
        for n in range(len(lines) - len(begins) + 1)
        if all(lines[n + k].lstrip().startswith(begin) for k, begin in enumerate(begins))
    ]
    if len(starts) != 1:
        places = ", ".join(str(n + 1) for n in starts)
        found = f"lines {places} do: name more of one" if starts else "none does: name how one begins now"
        raise Unfound(f"expected one line of {file} that begins with {first!r}, but {found}")
    start, end = starts[0], starts[0] + len(begins) - 1
    if last:
        wanted = _indent(lines[start]) + last
        ends = [n for n in range(end + 1, len(lines)) if lines[n].startswith(wanted)]
        if not ends:
            raise Unfound(f"{file}: no line after {end + 1} begins with {wanted!r}, where the excerpt ends")
        end = ends[0]
    return range(start, _with_indented(lines, end))


def _with_indented(lines: Sequence[str], end: int) -> int:
    """The index after line `end` and the more deeply indented lines below it."""
    depth, stop = len(_indent(lines[end])), end + 1
    while stop < len(lines) and lines[stop].strip() and len(_indent(lines[stop])) > depth:
        stop += 1
    return stop


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _text(lines: Sequence[str], chosen: range) -> str:
    return textwrap.dedent("\n".join(lines[chosen.start : chosen.stop])) + "\n"


def examples(guide: str) -> list[Example]:
    """The sections that show an operator, in order."""
    heads = [*_SECTION.finditer(guide), None]
    found = []
    for head, after in itertools.pairwise(heads):
        assert head is not None
        if head[1] is not None:
            section = guide[head.start() : after.start() if after else len(guide)]
            before = guide.count("\n", 0, head.start())
            found.append(Example(head[1], head[2], tuple(_blocks(section, before))))
    return found


def _blocks(section: str, lines_before: int) -> Iterator[Block]:
    for match in _BLOCK.finditer(section):
        line = lines_before + section.count("\n", 0, match.start()) + 1
        anchors = (match["lines"] or match["more"] or "").strip()
        yield Block(
            line, match["shown"] or match["counted"], tuple(filter(None, anchors.split("\n"))), match["text"]
        )


def unread(guide: str) -> list[int]:
    """Lines with a comment that looks like an excerpt's but isn't parsed as one."""
    read = {block.line for example in examples(guide) for block in example.blocks}
    comments = (guide.count("\n", 0, match.start()) + 1 for match in _COMMENT.finditer(guide))
    return [line for line in comments if line not in read]


def faults(guide: str, root: Path) -> list[str]:
    """A message for each excerpt that differs from its file."""
    found = [f"line {line}: the comment is followed by no block of code" for line in unread(guide)]
    for example in examples(guide):
        for block in example.blocks:
            try:
                taken = block.taken(root)
            except Unfound as fault:
                found.append(f"line {block.line}: {fault}")
                continue
            if block.text is not None and block.text != taken:
                found.append(
                    f"line {block.line}: {block.file} has now (docs/excerpts.py --write takes it):\n{taken}"
                )
    return found


def rewritten(guide: str, root: Path) -> str:
    """The guide with all excerpts updated. Raises Unfound."""
    blocks = {block.line: block for example in examples(guide) for block in example.blocks}

    def replace(match: re.Match[str]) -> str:
        block = blocks.get(guide.count("\n", 0, match.start()) + 1)
        if block is None or block.text is None:
            return match[0]
        start, end = (match.start("text") - match.start(), match.end("text") - match.start())
        return match[0][:start] + block.taken(root) + match[0][end:]

    return _BLOCK.sub(replace, guide)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--write", action="store_true", help="take the excerpts anew")
    write = parser.parse_args().write
    guide = GUIDE.read_text(encoding="utf-8")
    if write and not unread(guide):
        try:
            guide = rewritten(guide, ROOT)
        except Unfound as fault:
            print(f"{GUIDE.name}: {fault}", file=sys.stderr)
            return 1
        GUIDE.write_text(guide, encoding="utf-8")
    found = faults(guide, ROOT)
    for fault in found:
        print(f"{GUIDE.name}, {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
