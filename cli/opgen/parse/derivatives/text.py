"""The tokens of a formula. A formula is a C++ expression; here it is only split, whatever its content: every
character is in a token, or in white space or a comment between two.
"""

from __future__ import annotations

import enum
import re
from functools import lru_cache
from typing import NamedTuple


class TokenKind(enum.Enum):
    name = "name"
    number = "number"
    string = "string"
    open = "opening bracket"
    close = "closing bracket"
    operator = "operator"
    unknown = "unknown"


class Token(NamedTuple):
    """The characters [start, end) of a formula."""

    kind: TokenKind
    text: str
    start: int
    end: int

    def __str__(self) -> str:
        return self.text


_TOKEN = re.compile(
    r"""(?P<name>[A-Za-z_]\w*)
      | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.'])*)
      | (?P<string>"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*')
      | (?P<comment>/\*.*?\*/)
      | (?P<open>[(\[{])
      | (?P<close>[)\]}])
      | (?P<unknown>%:|<%|%>|<:(?!:)|:>)
      | (?P<operator>->|::|<<=?|>>=?|<=>|[-+*/%&|^=!<>]=|&&|\|\||\+\+|--|//|/\*|\*/|[-+*/%&|^~!<>=?:.,;])
      | (?P<other>\S)
    """,
    re.VERBOSE | re.ASCII | re.DOTALL,
)
# Unknown tokens include C++'s alternative spellings of brackets and of `#`, which would hide them.
_KINDS = {kind.name: kind for kind in TokenKind} | {"other": TokenKind.unknown}
CLOSING = {"(": ")", "[": "]", "{": "}"}


@lru_cache(maxsize=16384)
def tokens(text: str) -> tuple[Token, ...]:
    found = _TOKEN.finditer(text)
    return tuple(
        [
            Token(_KINDS[m.lastgroup or "other"], m.group(), *m.span())
            for m in found
            if m.lastgroup != "comment"
        ]
    )


def words(text: str) -> frozenset[str]:
    """Returns every identifier in `text`: variables, members, and words of strings."""
    return frozenset(_WORD.findall(text))


_WORD = re.compile(r"\w+")


class Bracket(NamedTuple):
    """An opening token without its closing one, or the reverse; `wrong` closes another kind."""

    token: Token
    wrong: Token | None = None


def unbalanced(text: str) -> Bracket | None:
    """Returns the first bracket that has no partner."""
    opened: list[Token] = []
    for token in tokens(text):
        if token.kind is TokenKind.open:
            opened.append(token)
        elif token.kind is TokenKind.close:
            if not opened:
                return Bracket(token)
            if CLOSING[opened[-1].text] != token.text:
                return Bracket(opened[-1], token)
            opened.pop()
    return Bracket(opened[-1]) if opened else None


def lambdas(found: tuple[Token, ...]) -> list[tuple[int, int]]:
    """Returns the lambdas of balanced tokens: from the index of the `[` to that of the last `}`."""
    ranges = []
    for i, token in enumerate(found):
        if token.text == "[" and not _is_subscript(found, i):
            end = _after_group(found, i)
            if end < len(found) and found[end].text == "(":
                end = _after_group(found, end)
            if end < len(found) and found[end].text == "{":
                ranges.append((i, _after_group(found, end) - 1))
    return ranges


def _is_subscript(found: tuple[Token, ...], i: int) -> bool:
    """Whether `[` follows something that can be indexed."""
    before = found[i - 1] if i else None
    return before is not None and before.kind in (TokenKind.name, TokenKind.close, TokenKind.string)


def _after_group(found: tuple[Token, ...], i: int) -> int:
    """Returns the index after the bracket that closes the one at `i`."""
    depth = 0
    for j in range(i, len(found)):
        depth += (found[j].kind is TokenKind.open) - (found[j].kind is TokenKind.close)
        if depth == 0:
            return j + 1
    return len(found)
