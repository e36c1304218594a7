"""A position in a schema string, the faults found so far, and the steps shared by the whole grammar."""

from __future__ import annotations

from dataclasses import dataclass, field

from opgen.diagnostics import Rule
from opgen.parse import schema_rules as rules

MAX_FAULTS = 40  # of those that leave the schema unread
_WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with the characters [start, end) of a schema. If it isn't `fatal`, the schema is clear
    all the same.
    """

    rule: Rule
    start: int
    end: int
    message: str
    help: str | None = None
    edit: tuple[int, int, str] | None = None  # the replacement for the characters [start, end) that fixes it
    fatal: bool = True


Range = tuple[int, int]


@dataclass(slots=True)
class Part:
    """The range of an argument or return, and of its pieces (empty ranges where there is none)."""

    whole: Range
    type: Range
    alias: Range
    name: Range
    default: Range


@dataclass(slots=True)
class Layout:
    """The ranges of a schema's parts; `star` and others are empty where the part is missing."""

    namespace: Range = (0, 0)
    name: Range = (0, 0)
    overload: Range = (0, 0)
    arguments: dict[str, Part] = field(default_factory=dict)
    returns: list[Part] = field(default_factory=list)
    all_returns: Range = (0, 0)


class Stop(Exception):
    """The current argument, return or schema can't be read further; the fault is already recorded."""


class GiveUp(Stop):
    """Too many faults in one schema."""


def is_identifier(text: str) -> bool:
    return text.isascii() and text.isidentifier()


class Cursor:
    def __init__(self, text: str):
        self.text = text
        self.pos = 0
        self.faults: list[Fault] = []
        self.fatal = 0  # how many of the faults leave the schema unread
        self.layout = Layout()

    def fault(
        self,
        rule: Rule,
        start: int,
        end: int,
        message: str,
        help: str | None = None,
        edit: tuple[int, int, str] | None = None,
        fatal: bool = True,
    ) -> None:
        self.faults.append(Fault(rule, start, max(end, start + 1), message, help, edit, fatal))
        self.fatal += fatal
        if self.fatal >= MAX_FAULTS:
            raise GiveUp

    def stop(
        self,
        rule: Rule,
        start: int,
        end: int,
        message: str,
        help: str | None = None,
        edit: tuple[int, int, str] | None = None,
    ) -> Stop:
        self.fault(rule, start, end, message, help, edit)
        return Stop()

    def peek(self, token: str) -> bool:
        return self.text.startswith(token, self.pos)

    def take(self, token: str) -> bool:
        if self.peek(token):
            self.pos += len(token)
            return True
        return False

    def word(self) -> tuple[int, int]:
        """Returns the range of the identifier at the current position; it may be empty."""
        start, text = self.pos, self.text
        while self.pos < len(text) and text[self.pos] in _WORD:
            self.pos += 1
        return start, self.pos

    def blanks(self, expected: int) -> None:
        """Skips white space; anything but `expected` spaces is a fault."""
        start, text = self.pos, self.text
        while self.pos < len(text) and text[self.pos] in " \t\r\n":
            self.pos += 1
        if text[start : self.pos] != " " * expected:
            message = f"expected {'one space' if expected else 'no space'} here"
            self.spacing(start, self.pos, message, " " * expected)

    def spacing(self, start: int, end: int, message: str, text: str) -> None:
        """Reports white space, which `text` should replace."""
        self.fault(rules.SPACING, start, end, message, edit=(start, self.pos, text), fatal=False)

    def after_string(self, start: int) -> int:
        """Returns the end of the string that opens at `start`; `start` itself when it is not closed."""
        i, text = start + 1, self.text
        while i < len(text):
            if text[i] == text[start]:
                return i + 1
            i += 2 if text[i] == "\\" else 1
        return start

    def shown(self, start: int) -> str:
        """Returns the text at `start`, for messages."""
        if start >= len(self.text):
            return "the end"
        end = start
        while end < len(self.text) and self.text[end] in _WORD and end - start < 40:
            end += 1
        return f"'{self.text[start : max(end, start + 1)]}'"
