"""Expressions in the symbols of dynamic sizes; their text in archives is `Mul(Integer(2), Symbol('s0'))`."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, NamedTuple

from ._errors import ProgramError

_DEPTH = 200  # of nested calls in a text, which comes from an archive
_TOKEN = re.compile(r"\s*(?:([A-Za-z_]\w*)|(-?\d+(?:\.\d+)?)|'([\w.+-]*)'|([(),=]))")
_ASSUMED = (("positive", "True"), ("integer", "True"))
# How loosely a printed expression binds: parts that bind more loosely than asked for get parentheses.
_LOOSE, _SUM, _PRODUCT, _ATOM = range(4)
_RELATIONS = {
    **{"GreaterThan": ">=", "StrictGreaterThan": ">", "LessThan": "<=", "StrictLessThan": "<"},
    **{"And": "&", "Or": "|"},
}
_SHORT = {"Equality": "Eq", "Unequality": "Ne", "BooleanTrue": "True", "true": "True", "false": "False"}


@dataclasses.dataclass(frozen=True)
class Expression:
    """A function of `args`, which are expressions, numbers and names; `hint` is its value at export.

    `Symbol` has its name as argument, numbers are `Integer(2)`; `options` are what is assumed of a symbol.
    """

    function: str
    args: tuple[Any, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    hint: Any = dataclasses.field(default=None, compare=False)

    @property
    def symbol(self) -> str | None:
        """The symbol's name; None for everything else."""
        return str(self.args[0]) if self.function == "Symbol" and self.args else None

    @property
    def written(self) -> str:
        """The text in an archive, which `parsed` reads."""
        parts = [
            a.written if isinstance(a, Expression) else f"'{a}'" if isinstance(a, str) else str(a)
            for a in self.args
        ]
        parts += [f"{name}={value}" for name, value in self.options]
        return f"{self.function}({', '.join(parts)})" if parts else self.function

    def __str__(self) -> str:
        return _printed(self, _LOOSE)


class ValueRanges(NamedTuple):
    """The least and the greatest value of a symbol; None where there is no bound."""

    lower: int | None
    upper: int | None

    def __repr__(self) -> str:
        lower = "-int_oo" if self.lower is None else self.lower
        return f"VR[{lower}, {'int_oo' if self.upper is None else self.upper}]"


def symbol(name: str, hint: int | None = None) -> Expression:
    """The symbol of a size, which is positive; `hint` is the size at export."""
    if not name.isidentifier():
        raise ValueError(f"symbol(): expected an identifier, got {name!r}")
    return Expression("Symbol", (name,), _ASSUMED, hint)


def checked_size(size: Any) -> int | str | None:
    """What a call checks a size against: an integer, a symbol's name, or None if it is computed."""
    return size.symbol if isinstance(size, Expression) else size


def parsed(text: str, hint: Any = None) -> Expression:
    """The expression of an archive's text; ProgramError if it isn't one. Nothing is evaluated."""
    text, tokens, at = text.strip(), [], 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise ProgramError(f"load(): expected an expression, got {text[:80]!r}")
        tokens.append((found.lastindex, found.group(found.lastindex or 0)))
        at = found.end()
    reader = _Reader(text, tokens)
    made = reader.value(0)
    if not isinstance(made, Expression) or reader.rest():
        raise ProgramError(f"load(): expected an expression, got {text[:80]!r}")
    return dataclasses.replace(made, hint=hint)


class _Reader:
    """The tokens of a text: (1 for a name, 2 for a number, 3 for a string, 4 for a sign; the characters)."""

    def __init__(self, text: str, tokens: list[tuple[int | None, str]]) -> None:
        self._text, self._tokens, self._at = text, tokens, 0

    def rest(self) -> bool:
        return self._at < len(self._tokens)

    def value(self, depth: int) -> Any:
        kind, characters = self._next()
        if kind == 2:
            return float(characters) if "." in characters else int(characters)
        if kind == 3:
            return characters
        if kind != 1 or depth > _DEPTH:
            raise self._unexpected()
        return Expression(characters, *self._arguments(depth)) if self._takes("(") else Expression(characters)

    def _arguments(self, depth: int) -> tuple[tuple[Any, ...], tuple[tuple[str, str], ...]]:
        args, options = [], []
        while not self._takes(")"):
            made = self.value(depth + 1)
            if self._takes("="):
                options.append((str(made), self._next()[1]))
            else:
                args.append(made)
            if not self._takes(","):
                if not self._takes(")"):
                    raise self._unexpected()
                break
        return tuple(args), tuple(options)

    def _takes(self, sign: str) -> bool:
        found = self._at < len(self._tokens) and self._tokens[self._at] == (4, sign)
        self._at += found
        return found

    def _next(self) -> tuple[int | None, str]:
        if not self.rest():
            raise self._unexpected()
        self._at += 1
        return self._tokens[self._at - 1]

    def _unexpected(self) -> ProgramError:
        return ProgramError(f"load(): expected an expression, got {self._text[:80]!r}")


def _printed(value: Any, binding: int) -> str:
    """The expression as SymPy prints it, for the usual functions of sizes."""
    if not isinstance(value, Expression):
        return str(value)
    name, args = value.function, value.args
    if name in ("Symbol", "Integer", "Float") and args:
        return str(args[0])
    if name == "FloorDiv" and len(args) == 2:
        return f"({_printed(args[0], _ATOM)}//{_printed(args[1], _ATOM)})"
    if name in _RELATIONS and len(args) > 1:
        text, binds = f" {_RELATIONS[name]} ".join(_printed(a, _SUM) for a in args), _LOOSE
    elif name == "Add" and args:
        text, binds = _sum(args), _SUM
    elif (name == "Mul" and args) or (name in ("Pow", "Rational") and len(args) == 2):
        text, binds = _product(value)
    else:
        inner = ", ".join(_printed(a, _LOOSE) for a in args)
        return f"{_SHORT.get(name, name)}({inner})" if args else _SHORT.get(name, name)
    return f"({text})" if binds < binding else text


def _sum(terms: tuple[Any, ...]) -> str:
    text = ""
    for term in terms:
        part = _printed(term, _SUM)
        sign = " - " if part.startswith("-") else " + "
        text += (sign + part.removeprefix("-")) if text else part
    return text


def _product(value: Expression) -> tuple[str, int]:
    """The text of a product, quotient or power, and how it binds."""
    above, below = [], []
    for factor in value.args if value.function == "Mul" else (value,):
        base, exponent = factor, 1
        if isinstance(factor, Expression) and factor.function == "Pow" and len(factor.args) == 2:
            base, exponent = factor.args
            exponent = exponent.args[0] if getattr(exponent, "function", "") == "Integer" else exponent
        if isinstance(base, Expression) and base.function == "Rational" and len(base.args) == 2:
            above += [str(base.args[0])] if base.args[0] != 1 else []
            below.append(str(base.args[1]))
            continue
        negative = isinstance(exponent, int) and exponent < 0
        size = -exponent if negative else exponent
        power = "" if size == 1 else f"**{_printed(size, _ATOM)}"
        (below if negative else above).append(_printed(base, _ATOM if power else _PRODUCT) + power)
    if len(above) > 1 and above[0] == "-1":
        above = [f"-{above[1]}", *above[2:]]
    text = "*".join(above) or "1"
    if below:
        text += f"/{below[0]}" if len(below) == 1 else f"/({'*'.join(below)})"
    return text, _PRODUCT
