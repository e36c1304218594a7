"""Single arguments and returns inside a schema string."""

from __future__ import annotations

import re

from opgen.model import Argument, Return
from opgen.parse import foreign_defaults, foreign_types
from opgen.parse import schema_rules as rules
from opgen.parse.cursor import Part, Stop, is_identifier
from opgen.parse.type_text import TypeCursor

_ANNOTATED = re.compile(r"([A-Za-z_]\w*)\s*:(?!:)\s*", re.ASCII)
_EQUALS = re.compile(r"[ \t]*=(?:[ \t]+(?![,) \t]))?")


class ArgumentCursor(TypeCursor):
    def argument(self) -> tuple[Argument, Part]:
        start = self.pos
        annotated = _ANNOTATED.match(self.text, start)
        if annotated is not None:
            raise self.python_annotation(annotated[1], annotated.end())
        type, alias, type_range, alias_range = self.annotated_type()
        if not self.peek(" "):
            if self.pos < len(self.text) and self.text[self.pos] not in ",)=":
                message = f"expected ' ' and a name after the type, found {self.shown(self.pos)}"
                raise self.stop(rules.TYPE_SYNTAX, self.pos, self.pos + 1, message)
            raise self.stop(
                rules.ARGUMENT_NAME,
                start,
                self.pos,
                f"the argument '{self.text[start : self.pos]}' has no name",
            )
        self.blanks(1)
        name_start, name_end = self.word()
        name = self.text[name_start:name_end]
        if not is_identifier(name):
            message = (
                f"'{name}' is no identifier" if name else f"expected a name, found {self.shown(self.pos)}"
            )
            raise self.stop(rules.ARGUMENT_NAME, name_start, name_end, message)
        default = None
        default_range = (self.pos, self.pos)
        if self.equals_sign():
            default_start = self.pos
            default = self.default(type)
            default_range = (default_start, self.pos)
        part = Part((start, self.pos), type_range, alias_range, (name_start, name_end), default_range)
        return Argument(name, type, default, alias), part

    def equals_sign(self) -> bool:
        """Steps over '='; blanks around it are a fault."""
        found = _EQUALS.match(self.text, self.pos)
        if found is None:
            return False
        start, self.pos = self.pos, found.end()
        if found[0] != "=":
            self.spacing(start, self.pos, "expected no space around '='", "=")
        return True

    def python_annotation(self, name: str, type_start: int) -> Stop:
        """Reports `name: type` or `name: type = default`."""
        start = self.pos
        foreign = foreign_types.read(self.text, type_start, nested=True)
        meaning = foreign.text or self.text[type_start : foreign.end]
        self.pos = foreign.end
        found = _EQUALS.match(self.text, self.pos)
        default = ""
        if found is not None:
            self.pos = foreign_defaults.end(self.text, found.end())
            default = f"={self.text[found.end() : self.pos]}"
        message = (
            f"'{self.text[start : self.pos]}' is an annotation of Python; the type stands before the name"
        )
        return self.stop(rules.TYPE_SYNTAX, start, self.pos, message, f"write {meaning} {name}{default}")

    def one_argument(self) -> Argument | None:
        """Returns the whole text as an argument; None and a fault when it is not one."""
        try:
            argument, _ = self.argument()
        except Stop:
            return None
        return argument if self.at_end() else None

    def one_return(self) -> Return | None:
        try:
            result, _ = self.one_of_returns()
        except Stop:
            return None
        return result if self.at_end() else None

    def at_end(self) -> bool:
        if self.pos < len(self.text):
            self.fault(rules.TRAILING, self.pos, len(self.text), f"unexpected {self.shown(self.pos)}")
            return False
        return True

    def one_of_returns(self) -> tuple[Return, Part]:
        start = self.pos
        type, alias, type_range, alias_range = self.annotated_type(returned=True)
        name = None
        name_range = (self.pos, self.pos)
        if self.peek(" "):
            self.blanks(1)
            name_range = self.word()
            name = self.text[slice(*name_range)]
            if not is_identifier(name):
                raise self.stop(rules.ARGUMENT_NAME, *name_range, f"'{name}' is no identifier")
        if _EQUALS.match(self.text, self.pos):
            end = self.pos
            while end < len(self.text) and self.text[end] not in ",)":
                end += 1
            raise self.stop(rules.RETURN_DEFAULT, self.pos, end, "a return has no default")
        part = Part((start, self.pos), type_range, alias_range, name_range, (self.pos, self.pos))
        return Return(name, type, alias), part
