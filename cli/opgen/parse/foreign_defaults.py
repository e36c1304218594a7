"""Defaults as C++ and Python spell them, and what the format writes for them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.model import ListType, OptionalType, Type
from opgen.parse import literals

_WORDS = {
    "true": "True",
    "false": "False",
    "nullopt": "None",
    "nullptr": "None",
    "NULL": "None",
    "null": "None",
    "none": "None",
    "infinity()": "inf",
    "INFINITY": "inf",
    "float('inf')": "inf",
    'float("inf")': "inf",
    "float('-inf')": "-inf",
    'float("-inf")': "-inf",
    "float('nan')": "nan",
    "NAN": "nan",
    "Contiguous": "contiguous_format",
    "kLong": "long",
    "kInt64": "long",
    "int64": "long",
}
_MAX_LENGTH = 1000  # of a default that is translated
_SCOPE = re.compile(r"\A(?:\w+(?:<\w*>)?(?:::|\.))*(?=[A-Za-z_{(])")
_NUMBER = re.compile(r"([-+]?[0-9][0-9.]*(?:[eE][-+]?[0-9]+)?|[-+]?\.[0-9]+)[fFlLuU]*\Z")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]{1,16}\Z")
_BRACKETS = re.compile(r"(?:[A-Za-z_][\w:<>]*)?[({\[]+(.*?)[)}\]]+\Z")
_ELEMENTS = re.compile(r"[(\[{](?:[-+.0-9e, ]*[0-9.])?")
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_LAYOUT = re.compile(r"[\s()\[\]{}]")


def translate(value: str, type: Type) -> str | None:
    """Returns the default of `type` that `value` means, None where that is not clear."""
    if len(value) > _MAX_LENGTH:
        return None
    return next((text for text in _candidates(value, type) if literals.fits(text, type)), None)


def same(value: str, text: str) -> bool:
    """Whether the two differ in brackets, blanks and case only."""
    return _LAYOUT.sub("", value).lower() == _LAYOUT.sub("", text).lower()


def _candidates(value: str, type: Type) -> Iterator[str]:
    word = _SCOPE.sub("", value, count=1)
    yield word
    yield _WORDS.get(word, "")
    if value in ("{}", "()", "[]"):
        yield "None" if value == "{}" and isinstance(type, OptionalType) else "[]"
        yield "None"
    number = _NUMBER.match(value)
    if number is not None:
        text = number[1].removeprefix("+").replace("E", "e")
        yield text
        yield {"0": "False", "1": "True"}.get(text, "")
        yield re.sub(r"\.0*\Z", "", text)
    if value.startswith("0x") and _HEXADECIMAL.match(value):
        yield str(int(value, 16))
    items = type.as_list()
    if items is not None:
        yield from _lists(value, items)
    yield f"'{value}'"


def _lists(value: str, type: ListType) -> Iterator[str]:
    found = _BRACKETS.match(value)
    elements = re.split(r",\s*", found[1].rstrip(", ")) if found is not None else [value]
    meanings = [translate(e, type.elem) for e in elements]
    yield f"[{','.join(m or '' for m in meanings)}]"


def end(text: str, start: int) -> int:
    """Returns where the default that begins at `start` ends: before a ',', ')' or blank that is in no bracket
    and no string of it. Of a bracket that isn't closed only the bracket counts.
    """
    open_brackets: list[str] = []
    i = plain_end = start
    while i < len(text):
        c = text[i]
        if open_brackets and c == open_brackets[-1]:
            open_brackets.pop()
            if text.startswith(") -> ", i):  # this one closes the arguments
                return plain_end + 1
        elif not open_brackets and c in ",) ":
            return i
        elif c in _PAIRS:
            plain_end = plain_end if open_brackets else i
            open_brackets.append(_PAIRS[c])
        elif c in "'\"":
            closing = text.find(c, i + 1)
            i = closing if closing >= 0 else i
        i += 1
    return i if not open_brackets else plain_end + 1


def after_elements(text: str, start: int) -> int:
    """Returns the end of the numbers of a list that isn't closed."""
    found = _ELEMENTS.match(text, start)
    return start if found is None else found.end()
