"""Types, alias annotations and defaults inside a schema string."""

from __future__ import annotations

from opgen.diagnostics import did_you_mean
from opgen.model import DROPPED, Alias, Base, BaseType, CustomClassType, ListType, OptionalType, Type
from opgen.parse import literals
from opgen.parse import schema_rules as rules
from opgen.parse.cursor import Cursor, Range, is_identifier

_TYPES: dict[str, BaseType] = {b.value: BaseType(b) for b in Base}
_SYNONYMS = {"integer": "int", "double": "float", "string": "str", "boolean": "bool", "tensor": "Tensor"}
MAX_SUFFIXES = 4
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")


class TypeCursor(Cursor):
    def annotated_type(self) -> tuple[Type, Alias | None, Range, Range]:
        start = self.pos
        base = self.base_type()
        alias: Alias | None = None
        alias_range = (self.pos, self.pos)
        if self.peek("(") or self.peek("!"):
            alias = self.alias()
            alias_range = (alias_range[0], self.pos)
            if base != BaseType(Base.Tensor):
                self.fault(
                    rules.ALIAS_TYPE, *alias_range, f"{base} takes no alias annotation, only Tensor does"
                )
        suffixes = self.pos
        type = self.suffixes(base)
        if alias is not None and self.text[suffixes : self.pos] not in ("", "?", "[]"):
            message = "after an annotated Tensor only '?' or '[]' may follow"
            self.fault(rules.ALIAS_TYPE, suffixes, self.pos, message)
        if self.peek("("):
            end = self.text.find(")", self.pos)
            end = end + 1 if end >= 0 else len(self.text)
            moved = self.text[self.pos : end] + self.text[suffixes : self.pos]
            tensor = base.is_tensor_like() and alias is None
            help = f"write Tensor{moved}" if tensor else None
            edit = (suffixes, end, moved) if tensor else None
            message = "an annotation follows the word Tensor"
            raise self.stop(rules.ALIAS_TYPE, self.pos, end, message, help, edit)
        return type, alias, (start, self.pos), alias_range

    def base_type(self) -> Type:
        start = self.pos
        if self.take(CustomClassType.PREFIX):
            name_start = self.pos
            self.word()
            while self.take("."):
                self.word()
            name = self.text[name_start : self.pos]
            if not all(is_identifier(part) for part in name.split(".")):
                raise self.stop(rules.UNKNOWN_TYPE, start, self.pos, f"'{name}' is no class name")
            return CustomClassType(name)
        _, end = self.word()
        name = self.text[start:end]
        found = _TYPES.get(name)
        if found is None:
            if not name:
                raise self.stop(
                    rules.TYPE_SYNTAX, start, start + 1, f"expected a type, found {self.shown(start)}"
                )
            known = [spelling for spelling, type in _TYPES.items() if type.base not in DROPPED]
            help = did_you_mean(_SYNONYMS.get(name, name), known)
            raise self.stop(rules.UNKNOWN_TYPE, start, end, f"there is no type '{name}'", help)
        return found

    def suffixes(self, type: Type) -> Type:
        depth = 0
        while True:
            start = self.pos
            depth += 1
            if depth > MAX_SUFFIXES and (self.peek("?") or self.peek("[")):
                raise self.stop(rules.TYPE_SYNTAX, start, start + 1, "nested too deep")
            if self.take("?"):
                if isinstance(type, OptionalType):
                    self.fault(rules.TYPE_SYNTAX, start, self.pos, "an optional of an optional")
                type = OptionalType(type)
            elif self.take("["):
                type = ListType(type, self.list_size(start))
            else:
                return type

    def list_size(self, opened: int) -> int | None:
        if self.take("]"):
            return None
        start, end = self.word()
        digits = self.text[start:end]
        if not self.take("]"):
            raise self.stop(rules.TYPE_SYNTAX, opened, opened + 1, "this '[' is not closed")
        if not digits.isdigit() or digits[0] == "0" or len(digits) > 9:
            raise self.stop(
                rules.LIST_SIZE, start, end, f"'{digits}' is no list size", "write a number from 1, or []"
            )
        return int(digits)

    def alias(self) -> Alias:
        if self.take("!"):
            return Alias(("?",), write=True, shorthand=True)
        start = self.pos
        self.pos += 1
        before = self.alias_set()
        write = self.take("!")
        after: tuple[str, ...] = ()
        if self.take(" -> "):
            after = ("*",) if self.take("*") else self.alias_set()
        if not self.take(")"):
            text = self.text[start : self.pos + 1]
            message = f"'{text}' is no alias annotation: found {self.shown(self.pos)} where ')' was expected"
            raise self.stop(rules.ALIAS_SYNTAX, start, self.pos + 1, message)
        if (write and len(before) > 1) or (len(before) > 1 and len(after) > 1):
            message = "only one alias set can be written to, and only one side of '->' can have several"
            self.fault(rules.ALIAS_SYNTAX, start, self.pos, message)
        return Alias(before, write, after)

    def alias_set(self) -> tuple[str, ...]:
        letters = []
        while True:
            c = self.text[self.pos : self.pos + 1]
            if c not in _LETTERS:
                message = f"expected an alias set (a lower-case letter), found {self.shown(self.pos)}"
                raise self.stop(rules.ALIAS_SYNTAX, self.pos, self.pos + 1, message)
            letters.append(c)
            self.pos += 1
            if not self.take("|"):
                return tuple(letters)

    def default(self, type: Type) -> str:
        start, text = self.pos, self.text
        c = text[start : start + 1]
        if c and c in "'\"":
            self.pos = self.after_string(start)
            if self.pos == start:
                raise self.stop(rules.DEFAULT_TYPE, start, len(text), "this quote is not closed")
        elif c == "[":
            closing = text.find("]", start)
            if closing < 0:
                raise self.stop(rules.DEFAULT_TYPE, start, start + 1, "this '[' is not closed")
            self.pos = closing + 1
        else:
            while self.pos < len(text) and text[self.pos] not in ",) ":
                self.pos += 1
        value = text[start : self.pos]
        if not value:
            raise self.stop(rules.DEFAULT_MISSING, start - 1, start, "nothing follows '='")
        if value == "None" and not isinstance(type, OptionalType):
            self.fault(rules.DEFAULT_NONE, start, self.pos, f"None is no {type}", f"make the type {type}?")
        elif not literals.fits(value, type):
            spelled = {"true": "True", "false": "False"}.get(value, "")
            message = f"'{value[:60]}' is no default of {type}; expected {literals.expected(type)}"
            help = f"write {spelled}" if spelled else None
            edit = (start, self.pos, spelled) if spelled and literals.fits(spelled, type) else None
            self.fault(rules.DEFAULT_TYPE, start, self.pos, message, help, edit)
        return value
