"""Single arguments and returns inside a schema string."""

from __future__ import annotations

from opgen.model import Argument, Return
from opgen.parse import schema_rules as rules
from opgen.parse.cursor import Part, Stop, is_identifier
from opgen.parse.type_text import TypeCursor


class ArgumentCursor(TypeCursor):
    def argument(self) -> tuple[Argument, Part]:
        start = self.pos
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
        if self.take("="):
            default = self.default(type)
            default_range = (name_end + 1, self.pos)
        part = Part((start, self.pos), type_range, alias_range, (name_start, name_end), default_range)
        return Argument(name, type, default, alias), part

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
        type, alias, type_range, alias_range = self.annotated_type()
        name = None
        name_range = (self.pos, self.pos)
        if self.peek(" "):
            self.blanks(1)
            name_range = self.word()
            name = self.text[slice(*name_range)]
            if not is_identifier(name):
                raise self.stop(rules.ARGUMENT_NAME, *name_range, f"'{name}' is no identifier")
        if self.peek("="):
            end = self.pos
            while end < len(self.text) and self.text[end] not in ",)":
                end += 1
            raise self.stop(rules.RETURN_DEFAULT, self.pos, end, "a return has no default")
        part = Part((start, self.pos), type_range, alias_range, name_range, (self.pos, self.pos))
        return Return(name, type, alias), part
