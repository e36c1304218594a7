"""Types, alias annotations and defaults inside a schema string."""

from __future__ import annotations

import re
from functools import cached_property

from opgen.diagnostics import did_you_mean
from opgen.model import DROPPED, Alias, Base, BaseType, CustomClassType, ListType, OptionalType, Type
from opgen.parse import foreign_defaults, foreign_types, literals
from opgen.parse import schema_rules as rules
from opgen.parse.cursor import Cursor, Range, is_identifier

_TYPES: dict[str, BaseType] = {b.value: BaseType(b) for b in Base}
MAX_SUFFIXES = 4
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_ALIAS = re.compile(r"\([a-z](?:\|[a-z])*!?(?: -> (?:\*|[a-z](?:\|[a-z])*))?\)\Z")
_ALIAS_NAME = re.compile(r"[A-Za-z_]\w*|\*", re.ASCII)
_ALIAS_LETTER = re.compile(r"[(|>] ?([a-z])(?=[!|) ])")
# What torch.library takes: names of any length, '*' everywhere, and blanks.
_NAMES = r"\s*((?:[A-Za-z_]\w*|\*)(?:\s*\|\s*(?:[A-Za-z_]\w*|\*))*)\s*"
_LIBRARY_ALIAS = re.compile(rf"\({_NAMES}(!?)\s*(?:->{_NAMES})?\)", re.ASCII)


class TypeCursor(Cursor):
    def __init__(self, text: str):
        super().__init__(text)
        self.letters: dict[str, str] = {}  # for alias sets with longer names

    @cached_property
    def own_letters(self) -> frozenset[str]:
        """Returns the letters that are alias sets somewhere in the text."""
        return frozenset(_ALIAS_LETTER.findall(self.text))

    def annotated_type(self, returned: bool = False) -> tuple[Type, Alias | None, Range, Range]:
        start, known_faults = self.pos, len(self.faults)
        base = self.base_type(returned)
        alias: Alias | None = None
        if self.peek(" ("):
            self.blanks(0)
        alias_range = (self.pos, self.pos)
        if self.peek("(") or self.peek("!"):
            alias = self.alias()
            alias_range = (alias_range[0], self.pos)
            if base != BaseType(Base.Tensor) and len(self.faults) == known_faults:
                message = f"{base} takes no alias annotation, only Tensor does"
                self.fault(rules.ALIAS_TYPE, *alias_range, message, f"write {base}", fatal=False)
                alias = None
        suffixes = self.pos
        type = self.suffixes(base)
        if alias is not None and self.text[suffixes : self.pos] not in ("", "?", "[]"):
            message = "after an annotated Tensor only '?' or '[]' may follow"
            self.fault(rules.ALIAS_TYPE, suffixes, self.pos, message)
        if self.peek("("):
            after = self.late_alias(base, alias, suffixes)
            alias = alias or after
        return type, alias, (start, self.pos), alias_range

    def late_alias(self, base: Type, alias: Alias | None, suffixes: int) -> Alias:
        """Reports an annotation after '?' or '[]', and returns it."""
        start = self.pos
        suffix = self.text[suffixes:start]
        after = self.alias()
        edit, help = None, None
        if base.is_tensor_like() and alias is None:
            moved = f"({after}){suffix}"
            help, edit = f"write Tensor{moved}", (suffixes, self.pos, moved)
        message = "an annotation follows the word Tensor"
        self.fault(rules.ALIAS_TYPE, start, self.pos, message, help, edit, fatal=suffix not in ("?", "[]"))
        return after

    def base_type(self, returned: bool) -> Type:
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
        if found is not None and not foreign_types.GOES_ON.match(self.text, end):
            return found
        if not name and not self.peek("::"):
            raise self.stop(
                rules.TYPE_SYNTAX, start, start + 1, f"expected a type, found {self.shown(start)}"
            )
        return self.foreign_type(start, returned)

    def foreign_type(self, start: int, returned: bool) -> Type:
        """Reports a type that is none of the format's. Returns the one that is meant, so that the rest of the
        argument can be read.
        """
        foreign = foreign_types.read(self.text, start, returned)
        self.pos = max(foreign.end, self.pos)
        name, meaning = self.text[start : self.pos], foreign.text
        message = f"there is no type '{name}'"
        if meaning is None:
            known = [spelling for spelling, type in _TYPES.items() if type.base not in DROPPED]
            help = did_you_mean(name, known) or f"the types are {', '.join(known)}"
            raise self.stop(rules.UNKNOWN_TYPE, start, self.pos, message, help)
        help = f"write {meaning}"
        if foreign.written:
            help = "write Tensor(a!) if the operator writes to it, Tensor if it doesn't"
        self.fault(rules.UNKNOWN_TYPE, start, self.pos, message, help)
        return TypeCursor(meaning).meant_type()

    def meant_type(self) -> Type:
        if self.peek("("):  # several results, or none
            return BaseType(Base.Tensor)
        _, end = self.word()
        return self.suffixes(_TYPES[self.text[:end]])

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
        found = _LIBRARY_ALIAS.match(self.text, self.pos)
        if found is not None and not _ALIAS.match(found[0]):
            return self.library_alias(found)
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
            help = f"write ({before[0]}!)" if write and not after else None
            self.fault(rules.ALIAS_SYNTAX, start, self.pos, message, help, fatal=False)
        return Alias(before, write, after)

    def library_alias(self, found: re.Match[str]) -> Alias:
        """Reports an annotation that torch.library takes, and returns it with letters for the names."""
        before, after = (
            tuple(map(self.letter, _ALIAS_NAME.findall(part or ""))) for part in found.group(1, 3)
        )
        alias = Alias(before, bool(found[2]), after)
        start, self.pos = self.pos, found.end()
        message = f"'{found[0]}' is for torch.library; here alias sets are lower-case letters"
        help = f"write ({alias})" if "*" not in before else "write the letters of what it may alias: (a|b)"
        self.fault(rules.ALIAS_SYNTAX, start, self.pos, message, help, fatal=False)
        return alias

    def letter(self, name: str) -> str:
        """Returns the letter for an alias set: its own, its initial, or the first that nothing else has."""
        if name == "*" or (len(name) == 1 and name in _LETTERS):
            return name
        if name in self.letters:
            return self.letters[name]
        taken = self.own_letters.union(self.letters.values())
        free = [c for c in (name[0].lower(), *sorted(_LETTERS)) if c in _LETTERS and c not in taken]
        self.letters[name] = letter = free[0] if free else name
        return letter

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
        else:
            self.pos = foreign_defaults.end(text, start)
            if c in ("[", "{", "(") and self.pos == start + 1:
                self.pos = foreign_defaults.after_elements(text, start)
                raise self.stop(rules.DEFAULT_TYPE, start, start + 1, f"this '{c}' is not closed")
        value = text[start : self.pos]
        if not value:
            raise self.stop(rules.DEFAULT_MISSING, start - 1, start, "nothing follows '='")
        if value == "None" and not isinstance(type, OptionalType):
            self.fault(rules.DEFAULT_NONE, start, self.pos, f"None is no {type}", f"make the type {type}?")
        elif not literals.fits(value, type):
            spelled = foreign_defaults.translate(value, type)
            message = f"'{value[:60]}' is no default of {type}; expected {literals.expected(type)}"
            help = f"write {spelled}" if spelled else None
            edit = (start, self.pos, spelled) if spelled and foreign_defaults.same(value, spelled) else None
            self.fault(rules.DEFAULT_TYPE, start, self.pos, message, help, edit)
        return value
