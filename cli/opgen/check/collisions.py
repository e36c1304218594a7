"""Names of operators that are declared twice, or that become one name in C++, in a file name or in Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from opgen.api.python_bound import is_made
from opgen.check import examples as ex
from opgen.check import places
from opgen.diagnostics import Diagnostic, Related, Rule, Severity, Span
from opgen.model import DEFAULT_NAMESPACE, Function, Program, Variant

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
    "Two operators must not have the same C++ symbol or the same header.",
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


# Headers of an operator `f` are f.h and these; the library has the other one.
_HEADERS = ("_ops", "_native", "_meta")
_OTHER_HEADER = "from_blob"


def unique(program: Program) -> Iterator[Diagnostic]:
    seen: dict[str, Function] = {}
    symbols: dict[str, Function] = {}
    headers: dict[str, Function] = {}
    spellings: dict[str, Function] = {}
    bindings: dict[str, Function] = {}
    mangled: set[str] = set()
    for function in program.functions:
        first = seen.setdefault(function.qualified_name, function)
        if first is not function:
            yield _duplicate(function, first)
            continue
        symbol = _prefixed(function, function.name.unambiguous())
        other = symbols.setdefault(symbol, function)
        if other is not function:
            mangled.add(function.qualified_root_name)
            yield _mangled(function, other, f"C++ symbol '{symbol}'")
        headers.setdefault(_prefixed(function, function.root_name), function)
        cased = spellings.setdefault(function.root_name.lower(), function)
        if cased.root_name != function.root_name and not function.is_generated:
            related = (Related(cased.span, "the other one"),)
            message = f"'{function.root_name}' and '{cased.root_name}' differ only in case"
            yield CASE.at(_where(function), message, related=related)
        if function.python_module is not None:
            bindings.setdefault(f"{function.python_module.replace('.', '_')}_{function.name.name}", function)
    sound = [f for f in seen.values() if f.qualified_root_name not in mangled]
    yield from _same_headers(sound, headers)
    yield from _same_bindings(sound, bindings)


def _prefixed(function: Function, name: str) -> str:
    """Returns a name with the operator's namespace, as the names of structs and headers have it."""
    return name if function.namespace == DEFAULT_NAMESPACE else f"{function.namespace}_{name}"


def _same_headers(functions: Iterable[Function], headers: Mapping[str, Function]) -> Iterator[Diagnostic]:
    """Compares the headers of operators with different names; `headers` has the first operator of each."""
    reported = set()
    for function in functions:
        name = _prefixed(function, function.root_name)
        stems = [name, *(name.removesuffix(end) for end in _HEADERS if name.endswith(end))]
        for stem in stems:
            other = headers.get(stem, function)
            root = function.qualified_root_name
            if other.qualified_root_name != root and root not in reported:
                reported.add(root)
                yield _mangled(function, other, f"header '{name}.h'")
        if name == _OTHER_HEADER and name not in reported:
            reported.add(name)
            yield MANGLED.at(_where(function), f"the library has a header '{name}.h'", "give it another name")


def _same_bindings(functions: Iterable[Function], bindings: Mapping[str, Function]) -> Iterator[Diagnostic]:
    """Compares functions of a module with those of none: their bindings are named `<module>_<name>`."""
    for function in functions:
        other = bindings.get(str(function.name.name)) if function.python_module is None else None
        if other is not None and Variant.function in function.variants and is_made(function):
            yield _mangled(function, other, f"C++ symbol 'function_{function.name.name}'")


def _mangled(function: Function, other: Function, what: str) -> Diagnostic:
    message = f"'{function.qualified_name}' and '{other.qualified_name}' have the same {what}"
    related = (Related(other.span, "the other one"),)
    return MANGLED.at(_where(function), message, "give one of them another name", related)


def _where(function: Function) -> Span:
    return places.field(function, "autogen") if function.is_generated else places.name(function)


def _duplicate(function: Function, first: Function) -> Diagnostic:
    related = (Related(first.span, "first declared here"),)
    if function.is_generated:
        message = f"autogen would make '{function.name}', which exists already"
    else:
        message = f"'{function.qualified_name}' is declared twice"
    return DUPLICATE.at(_where(function), message, related=related)
