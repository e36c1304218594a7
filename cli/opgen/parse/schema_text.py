"""The grammar of `func:` lines: `[ns::]name[.overload](arguments) -> returns`, by recursive descent.

Total: every string gives a schema or at least one fault, each with its range of characters. After a fault in
an argument or return the parser goes on with the next one. `str()` of a schema is the text again.
"""

from __future__ import annotations

from dataclasses import dataclass

from opgen.model import Argument, Arguments, BaseName, OperatorName, Return, Schema
from opgen.parse import foreign_types, shorthand, well_formed
from opgen.parse import schema_rules as rules
from opgen.parse.argument_text import ArgumentCursor
from opgen.parse.cursor import Fault, GiveUp, Layout, Stop, is_identifier
from opgen.parse.grouping import group

MAX_LENGTH = 65536


@dataclass(slots=True)
class Parsed:
    namespace: str | None
    schema: Schema | None
    faults: list[Fault]


def parse(text: str) -> Parsed:
    """Parses `text` as a schema; `schema` is None when faults prevent it."""
    schema = well_formed.schema(text) if len(text) <= MAX_LENGTH else None
    return Parsed(None, schema, []) if schema is not None else _Parser(text).parse()


def layout(text: str) -> Layout:
    """Returns the ranges of the parts of `text`."""
    parser = _Parser(text)
    parser.parse()
    return parser.layout


def parse_argument(text: str) -> tuple[Argument | None, list[Fault]]:
    """Parses one argument on its own, as `precomputed` lists them."""
    parser = _Parser(text)
    argument = parser.one_argument()
    return (None if parser.faults else argument), parser.faults


class _Parser(ArgumentCursor):
    is_declaration = False

    def parse(self) -> Parsed:
        if len(self.text) > MAX_LENGTH:
            self.fault(rules.TOO_LONG, 0, 1, f"the schema has {len(self.text)} characters")
            return Parsed(None, None, self.faults)
        namespace = None
        schema = None
        try:
            namespace, name = self.operator_name()
            positional, keyword = self.argument_list()
            returns = () if self.is_declaration else self.return_list()
            arguments = self.grouped(positional, keyword)
            expanded = shorthand.expand(arguments, returns)
            if expanded is None:
                raise self.stop(rules.ALIAS_SYNTAX, 0, 1, "more than 26 alias sets")
            schema = Schema(name, *expanded)
        except Stop:
            pass
        return Parsed(namespace, None if self.fatal else schema, self.faults)

    def operator_name(self) -> tuple[str | None, OperatorName]:
        opened = self.text.find("(")
        head_end = opened if opened >= 0 else len(self.text)
        declared = foreign_types.declaration(self.text[:head_end]) if "->" not in self.text else None
        if opened >= 0 and declared is not None:
            self.is_declaration = True
            message = "this is a declaration of C++; a schema says what it returns after the arguments"
            self.fault(rules.SYNTAX, 0, head_end, message, f"write {declared[0]}(...) -> {declared[1]}")
            self.pos = opened + 1
            return None, OperatorName(BaseName(declared[0]))
        *namespaces, name = self.text[:head_end].split("::")
        start = head_end - len(name)
        if namespaces:
            self.layout.namespace = (0, start - 2)
            if len(namespaces) > 1:
                self.fault(rules.NAMESPACE, 0, start - 2, "only one namespace is allowed")
            elif not is_identifier(namespaces[0]):
                self.fault(rules.NAMESPACE, 0, start - 2, f"'{namespaces[0]}' is not an identifier")
        base, dot, overload = name.partition(".")
        self.layout.name = (start, start + len(base))
        self.layout.overload = (start + len(base) + 1, head_end) if dot else (head_end, head_end)
        if not is_identifier(base):
            message = f"'{base}' is not an identifier" if base else "the operator has no name"
            self.fault(rules.OPERATOR_NAME, start, start + len(base), message)
        elif base.endswith("_out"):
            message = f"'{base}' ends in '_out', which is reserved"
            self.fault(rules.OPERATOR_NAME, *self.layout.name, message, f"did you mean '{base[:-4]}.out'?")
        if dot and not is_identifier(overload):
            message = f"'{overload}' is not an identifier" if overload else "nothing follows '.'"
            self.fault(rules.OVERLOAD_NAME, *self.layout.overload, message)
        if opened < 0:
            raise self.stop(rules.SYNTAX, head_end, head_end, "expected '(' after the name")
        self.pos = opened + 1
        valid = is_identifier(base)
        return (namespaces[0] if namespaces else None), OperatorName(
            BaseName.parse(base if valid else "x"), overload
        )

    def argument_list(self) -> tuple[list[Argument], list[Argument]]:
        positional: list[Argument] = []
        keyword: list[Argument] = []
        star: int | None = None
        if self.take(")") or self.unclosed():
            return positional, keyword
        self.blanks(0)
        while True:
            start = self.pos
            if self.peek("*") and self.text[self.pos + 1 : self.pos + 2] in (",", ")", " "):
                self.pos += 1
                if star is not None:
                    self.fault(rules.STAR, start, self.pos, "a second '*'")
                star = start
            elif self.peek(",") or self.peek(")"):
                self.fault(rules.EMPTY_ARGUMENT, start, start + 1, "expected an argument here")
            else:
                self.read_argument(positional if star is None else keyword)
            if not self.next_item(")"):
                break
        if star is not None and not keyword and not self.faults:
            self.fault(rules.STAR, star, star + 1, "no keyword-only argument follows '*'")
        return positional, keyword

    def read_argument(self, into: list[Argument]) -> None:
        start = self.pos
        try:
            argument, part = self.argument()
            into.append(argument)
            self.layout.arguments.setdefault(argument.name, part)
        except GiveUp:
            raise
        except Stop:
            self.skip_item(start)

    def unclosed(self) -> bool:
        """Whether the ')' before '->' is missing. What follows is read as if it were there."""
        if not self.text[self.pos :].lstrip().startswith("->"):
            return False
        self.fault(rules.SYNTAX, self.pos, self.pos + 1, "expected ')' before '->'")
        return True

    def next_item(self, closer: str) -> bool:
        """Steps over ', ' (True) or over `closer` (False)."""
        if self.take(closer) or (closer == ")" and self.unclosed()):
            return False
        if self.peek(" ") and self.text[self.pos :].lstrip().startswith((",", closer)):
            self.blanks(0)
            return self.next_item(closer)
        if self.take(","):
            self.blanks(1)
            return True
        if self.pos >= len(self.text):
            raise self.stop(rules.SYNTAX, self.pos - 1, self.pos, f"expected '{closer}' before the end")
        if self.peek(" "):
            self.fault(rules.COMMA, self.pos, self.pos + 1, "expected ', ' between two arguments")
            self.pos += 1
            return True
        self.fault(
            rules.SYNTAX, self.pos, self.pos + 1, f"expected ',' or '{closer}', found {self.shown(self.pos)}"
        )
        self.skip_item(self.pos)
        return self.next_item(closer)

    def skip_item(self, start: int) -> None:
        """Moves to the ',' or ')' that ends the item begun at `start`, past anything nested or quoted."""
        depth, i, text = 0, start, self.text
        arrow = text.find(") -> ", start)
        end = arrow if arrow >= 0 else len(text)
        while i < len(text):
            c = text[i]
            if c in "'\"":
                i = max(i, self.after_string(i) - 1)
            elif c in "([{<":
                depth += 1
            elif (c in ")]}" or (c == ">" and text[i - 1] != "-")) and depth:
                depth -= 1
            elif c == ")" or (c == "," and not depth):
                break
            i += 1
        # An unclosed bracket must not swallow the rest of the list.
        if depth or i > end:
            comma = text.find(", ", start)
            i = comma if 0 <= comma < end else end
        self.pos = max(i, self.pos) if i >= self.pos else self.pos

    def return_list(self) -> tuple[Return, ...]:
        start = self.pos
        if not self.take(" -> "):
            stripped = self.text[start:].lstrip()
            if not stripped.startswith("->"):
                end = len(self.text) if not stripped.startswith("=>") else self.text.find(">", start) + 1
                raise self.stop(rules.ARROW, start, end, "expected ' -> ' after the arguments")
            self.pos = self.text.index("->", start) + 2
            if not self.text[self.pos :].strip():
                raise self.stop(
                    rules.RETURN_MISSING, start, self.pos, "nothing follows '->'", "write () for no returns"
                )
            arrow_end = self.pos
            self.pos += len(self.text[self.pos :]) - len(self.text[self.pos :].lstrip())
            self.spacing(start, arrow_end, "expected ' -> ' here", " -> ")
        begin = self.pos
        returns: list[Return] = []
        if self.pos >= len(self.text):
            raise self.stop(
                rules.RETURN_MISSING, start, self.pos, "nothing follows '->'", "write () for no returns"
            )
        if self.take("("):
            if not self.take(")"):
                self.read_return(returns)
                while self.next_item(")"):
                    self.read_return(returns)
                if len(returns) == 1 and not self.faults:
                    message = "a single return stands without parentheses"
                    bare = self.text[begin + 1 : self.pos - 1]
                    edit = (begin, self.pos, bare)
                    self.fault(rules.RETURN_PARENTHESES, begin, self.pos, message, edit=edit, fatal=False)
        else:
            result, part = self.one_of_returns()
            returns.append(result)
            self.layout.returns.append(part)
        self.layout.all_returns = (begin, self.pos)
        self.at_end()
        return tuple(returns)

    def read_return(self, into: list[Return]) -> None:
        start = self.pos
        try:
            result, part = self.one_of_returns()
            into.append(result)
            self.layout.returns.append(part)
        except GiveUp:
            raise
        except Stop:
            self.skip_item(start)

    # -- rules beyond the grammar ------------------------------------------------------------

    def grouped(self, positional: list[Argument], keyword: list[Argument]) -> Arguments:
        arguments = group(positional, keyword)
        if arguments is not None:
            return arguments
        first_out = next((i for i, a in enumerate(keyword) if a.is_write), len(keyword))
        for late in keyword[first_out:]:
            if not late.is_write:
                where = self.layout.arguments[late.name].whole
                message = f"'{late.name}' is not written to, so it cannot follow the out arguments"
                raise self.stop(rules.OUT_LAST, *where, message, "move it before them")
        part = self.layout.arguments["dtype"]
        raise self.stop(rules.OPTIONS_ONCE, *part.whole, "the tensor options are given twice")
