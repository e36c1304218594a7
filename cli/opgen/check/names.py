"""Names reserved by C++ or Python, and names that collide."""

from __future__ import annotations

import keyword
from collections.abc import Iterator

from opgen.check import examples as ex
from opgen.check import places
from opgen.diagnostics import Diagnostic, Related, Rule, Severity, Span
from opgen.model import Function, Program

CPP_KEYWORDS = frozenset(
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t"
    " char32_t class"
    " compl concept const consteval constexpr constinit const_cast continue co_await co_return"
    " co_yield decltype"
    " default delete do double dynamic_cast else enum explicit export extern false float for friend"
    " goto if inline"
    " int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public"
    " register reinterpret_cast requires return short signed sizeof static static_assert static_cast"
    " struct switch"
    " template this thread_local throw true try typedef typeid typename union unsigned using virtual"
    " void volatile"
    " wchar_t while xor xor_eq".split()
)

# Names that common C and POSIX headers define as macros.
MACROS = frozenset(
    "EOF NULL I NAN INFINITY HUGE_VAL RAND_MAX BUFSIZ CHAR_BIT INT_MAX INT_MIN LONG_MAX SIZE_MAX PAGE_SIZE"
    " assert errno offsetof setjmp stdin stdout stderr major minor makedev linux unix va_arg va_end"
    " va_start".split()
)

# PyTorch has arguments of this name from before the rule; Python callers pass them by position.
_OLD_PYTHON_KEYWORD = "from"
MAX_NAME = 200

CPP_KEYWORD = Rule(
    "OPG301",
    "cpp-keyword",
    Severity.error,
    "Operators, arguments and kernels cannot be named like C++ keywords.",
    ex.func("f(Tensor self, *, bool delete=False) -> Tensor"),
    ex.func("f(Tensor self, *, bool drop=False) -> Tensor"),
)
PYTHON_KEYWORD = Rule(
    "OPG302",
    "python-keyword",
    Severity.error,
    "Arguments cannot be named like Python keywords: nobody could pass them by name.",
    ex.func("f(Tensor self, int lambda) -> Tensor"),
    ex.func("f(Tensor self, int lambd) -> Tensor"),
)
MACRO = Rule(
    "OPG303",
    "macro-name",
    Severity.error,
    "Operators and arguments cannot be named like macros of the C library.",
    ex.func("f(Tensor self, int errno) -> Tensor"),
    ex.func("f(Tensor self, int error) -> Tensor"),
)
RESERVED_IDENTIFIER = Rule(
    "OPG304",
    "reserved-identifier",
    Severity.error,
    "C++ keeps names with '__' and names that begin with '_' and a capital letter for itself.",
    ex.func("f(Tensor self, int _N) -> Tensor"),
    ex.func("f(Tensor self, int n) -> Tensor"),
)
RESERVED_OVERLOAD = Rule(
    "OPG305",
    "reserved-overload",
    Severity.error,
    "'default' is how Python spells the empty overload name.",
    ex.func("f.default(Tensor self) -> Tensor"),
    ex.func("f(Tensor self) -> Tensor"),
)
NAME_TOO_LONG = Rule(
    "OPG306",
    "name-too-long",
    Severity.error,
    f"Names become file names: at most {MAX_NAME} characters with the overload.",
    ex.func("f" * 201 + "(Tensor self) -> Tensor"),
    ex.F,
)
RESERVED_RULES = (CPP_KEYWORD, PYTHON_KEYWORD, MACRO, RESERVED_IDENTIFIER, RESERVED_OVERLOAD, NAME_TOO_LONG)

DUPLICATE = Rule(
    "OPG307",
    "duplicate-operator",
    Severity.error,
    "An operator with its overload is declared once.",
    ex.F + ex.F,
    ex.F + ex.func("f.other(Tensor self, int n) -> Tensor"),
)
MANGLED = Rule(
    "OPG308",
    "colliding-symbols",
    Severity.error,
    "Two operators must not have the same C++ symbol.",
    ex.func("f.a_b(Tensor self) -> Tensor", "f_a.b(Tensor self) -> Tensor"),
    ex.func("f.a_b(Tensor self) -> Tensor", "f_a.c(Tensor self) -> Tensor"),
)
CASE = Rule(
    "OPG309",
    "names-differ-in-case",
    Severity.warning,
    "Names that differ only in case share a file name where file systems ignore case.",
    ex.func("f(Tensor self) -> Tensor", "F(Tensor self) -> Tensor"),
    ex.func("f(Tensor self) -> Tensor", "g(Tensor self) -> Tensor"),
)
UNIQUE_RULES = (DUPLICATE, MANGLED, CASE)

_RESERVED = CPP_KEYWORDS | MACROS | frozenset(keyword.kwlist)


def reserved(function: Function, program: Program) -> Iterator[Diagnostic]:
    name = function.name
    base = str(name.name)
    if base in CPP_KEYWORDS:
        yield CPP_KEYWORD.at(places.name(function), f"'{base}' is a C++ keyword")
    elif base in MACROS:
        yield MACRO.at(places.name(function), f"'{base}' is a macro of the C library")
    if name.overload == "default":
        yield RESERVED_OVERLOAD.at(places.overload(function), "the overload name 'default' is reserved")
    if len(base) + len(name.overload) > MAX_NAME:
        yield NAME_TOO_LONG.at(places.name(function), f"the name has more than {MAX_NAME} characters")
    for argument in function.schema.arguments.all:
        if argument.name in _RESERVED or "_" in argument.name:
            yield from _reserved_argument(function, argument.name)
    for kernel in (function.dispatch or {}).values():
        if kernel.name in CPP_KEYWORDS and kernel.span is not function.span:
            yield CPP_KEYWORD.at(places.field(function, "dispatch"), f"'{kernel.name}' is a C++ keyword")


def _reserved_argument(function: Function, name: str) -> Iterator[Diagnostic]:
    if name in CPP_KEYWORDS:
        yield CPP_KEYWORD.at(places.argument(function, name, "name"), f"'{name}' is a C++ keyword")
    elif name in keyword.kwlist and name != _OLD_PYTHON_KEYWORD:
        yield PYTHON_KEYWORD.at(places.argument(function, name, "name"), f"'{name}' is a Python keyword")
    elif name in MACROS:
        yield MACRO.at(places.argument(function, name, "name"), f"'{name}' is a macro of the C library")
    elif "__" in name or (name.startswith("_") and name[1:2].isupper()):
        message = f"C++ keeps the name '{name}' for itself"
        yield RESERVED_IDENTIFIER.at(places.argument(function, name, "name"), message)


def unique(program: Program) -> Iterator[Diagnostic]:
    seen: dict[str, Function] = {}
    symbols: dict[tuple[str, str], Function] = {}
    spellings: dict[str, Function] = {}
    for function in program.functions:
        first = seen.setdefault(function.qualified_name, function)
        if first is not function:
            yield _duplicate(function, first)
            continue
        other = symbols.setdefault((function.namespace, function.name.unambiguous()), function)
        if other is not function:
            related = (Related(other.span, "the other one"),)
            message = (
                f"'{function.name}' and '{other.name}' have the same C++ symbol"
                f" '{function.name.unambiguous()}'"
            )
            yield MANGLED.at(_where(function), message, related=related)
        cased = spellings.setdefault(function.root_name.lower(), function)
        if cased.root_name != function.root_name and not function.is_generated:
            related = (Related(cased.span, "the other one"),)
            message = f"'{function.root_name}' and '{cased.root_name}' differ only in case"
            yield CASE.at(_where(function), message, related=related)


def _where(function: Function) -> Span:
    return places.field(function, "autogen") if function.is_generated else places.name(function)


def _duplicate(function: Function, first: Function) -> Diagnostic:
    related = (Related(first.span, "first declared here"),)
    if function.is_generated:
        message = f"autogen would make '{function.name}', which exists already"
    else:
        message = f"'{function.qualified_name}' is declared twice"
    return DUPLICATE.at(_where(function), message, related=related)
