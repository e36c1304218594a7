"""The only values a template may print: text that opgen itself made, marked with its kind.

A plain `str` may hold bytes of an input file, so the templates' filter rejects it: whoever builds a template
view says, by the class, where the text is safe to print.
"""

from __future__ import annotations

import re


class Atom(str):
    """Text that a template may print."""

    __slots__ = ()


class Ident(Atom):
    """An identifier, possibly qualified (`at::native::add`, `nn.functional`)."""

    __slots__ = ()
    _PATTERN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:(?:::|\.)[A-Za-z_][A-Za-z0-9_]*)*\Z")
    _known: dict[str, Ident] = {}

    def __new__(cls, text: str) -> Ident:
        found = cls._known.get(text)
        if found is None:
            if not cls._PATTERN.match(text):
                raise ValueError(f"not an identifier: {text!r}")
            found = cls._known[str(text)] = super().__new__(cls, text)
        return found


class Cpp(Atom):
    """A C++ type, parameter list or expression printed from the model."""

    __slots__ = ()


class Py(Atom):
    """A Python type, parameter list or expression printed from the model."""

    __slots__ = ()


class Path(Atom):
    """A relative path inside the generated tree."""

    __slots__ = ()
    _PATTERN = re.compile(r"[A-Za-z0-9_+.-]+(?:/[A-Za-z0-9_+.-]+)*\Z")

    def __new__(cls, text: str) -> Path:
        if not cls._PATTERN.match(text) or ".." in text.split("/"):
            raise ValueError(f"not a path inside the tree: {text!r}")
        return super().__new__(cls, text)


# Not allowed as they are in a C++ string literal; `?` could begin a trigraph.
_ESCAPES = {i: f"\\{i:03o}" for i in (*range(0x20), *range(0x7F, 0x100))} | {ord(c): "\\" + c for c in '"\\?'}


def c_literal(text: str) -> Cpp:
    """Returns `text` as a C++ string literal: ASCII, all other bytes of UTF-8 as octal escapes."""
    if not text.isascii():
        text = text.encode("utf-8").decode("latin-1")
    return Cpp(f'"{text.translate(_ESCAPES)}"')


def docstring_line(text: str) -> Py:
    """Returns `text` as a line in triple quotes, which it can't end, with unprintable characters escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return Py("".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in escaped))


def comment_line(text: str) -> Cpp:
    """Returns `text` as a line behind `//`, which it can't end or continue, with unprintable characters
    escaped.
    """
    printable = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text).rstrip()
    return Cpp(f"{printable} ." if printable.endswith(("\\", "??/")) else printable)


_ATOMS = frozenset((Atom, Ident, Cpp, Py, Path))


def only_atoms(value: object) -> str:
    """The templates' default filter: prints atoms and integers, rejects everything else."""
    kind = type(value)
    if kind in _ATOMS:
        return value  # type: ignore[return-value]
    if kind is int:
        return str(value)
    if value == "":  # the result of calling a template's own def: it has printed already
        return ""
    raise TypeError(f"a template tried to print {kind.__name__} {value!r}; its view must give it an Atom")
