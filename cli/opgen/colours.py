"""Colours of messages on a terminal. There are none where NO_COLOR is set, or where output is not a terminal
with colours.
"""

from __future__ import annotations

import os
import re
from typing import TextIO

_OFF = "\x1b[0m"
_STYLES = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m"}
_MARK, _DIM = "\x1b[1;32m", "\x1b[36m"
# Severities, as `opgen validate` and compilers print them; ranges under excerpts; other lines of a
# diagnostic.
_SEVERITY = re.compile(
    r"^(?P<place>\S+:\d+(?::\d+)?: |(?:opgen: )?)"
    r"(?P<word>error|warning|note)(?P<code>\[OP[BG]\d+ [\w-]+\])?(?=:)"
)
_RANGE = re.compile(r"^(?P<margin> *\| *)(?P<marks>[\^~]+)$")
_REMARK = re.compile(r"^(?P<margin> *)(?P<what>-->|= [^:]+:)(?= )")


def coloured(text: str, stream: TextIO) -> str:
    """Returns `text`, which holds no control characters, with the colours that `stream` supports."""
    return "\n".join(map(_line, text.split("\n"))) if _wanted(stream) else text


def _wanted(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _line(line: str) -> str:
    if found := _SEVERITY.match(line):
        style = _STYLES[found["word"]]
        return f"{found['place']}{style}{found['word']}{found['code'] or ''}{_OFF}{line[found.end() :]}"
    if found := _RANGE.match(line):
        return f"{found['margin']}{_MARK}{found['marks']}{_OFF}"
    if found := _REMARK.match(line):
        return f"{found['margin']}{_DIM}{found['what']}{_OFF}{line[found.end() :]}"
    return line
