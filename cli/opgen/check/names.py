"""Names that C++, Python or the generated code reserve, in every position that a schema or an entry has."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterator
from functools import partial

from opgen.api.python_bound import is_made
from opgen.check import examples as ex
from opgen.check import places
from opgen.check.reserved_names import CPP_KEYWORDS, GENERATED, IN_LIBRARY, IN_STUBS, MACROS, is_macro
from opgen.diagnostics import Diagnostic, Rule, Severity, Span
from opgen.model import DEFAULT_NAMESPACE, Function, Kernel, Kind, Program
from opgen.model.derivatives import return_names

# PyTorch has arguments and an overload of this name from before the rules; Python callers pass these
# arguments by position.
_OLD_PYTHON_KEYWORD = "from"
MAX_NAME = 200

CPP_KEYWORD = Rule(
    "OPG301",
    "cpp-keyword",
    Severity.error,
    "Operators, arguments, results, kernels and their namespaces cannot be named like C++ keywords.",
    ex.func("f(Tensor self, *, bool delete=False) -> Tensor"),
    ex.func("f(Tensor self, *, bool drop=False) -> Tensor"),
)
PYTHON_KEYWORD = Rule(
    "OPG302",
    "python-keyword",
    Severity.error,
    "Arguments, results and modules cannot be named like Python keywords: nobody could write them, and no"
    " stub could declare them.",
    ex.func("f(Tensor self, int lambda) -> Tensor"),
    ex.func("f(Tensor self, int lambd) -> Tensor"),
)
MACRO = Rule(
    "OPG303",
    "macro-name",
    Severity.error,
    "Operators, arguments, results and kernels cannot be named like macros of the C library and of ATen.",
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
UNWRITABLE = Rule(
    "OPG310",
    "python-keyword-name",
    Severity.warning,
    "Python code cannot write operators, overloads, namespaces and keyword-only arguments that are named like"
    " its keywords.",
    ex.func("pass(Tensor self) -> Tensor"),
    ex.func("passed(Tensor self) -> Tensor"),
)
RESULT_TWICE = Rule(
    "OPG311",
    "result-twice",
    Severity.error,
    "Names of results differ.",
    ex.func("f(Tensor self) -> (Tensor values, Tensor values)"),
    ex.func("f(Tensor self) -> (Tensor values, Tensor indices)"),
)
GENERATED_NAME = Rule(
    "OPG312",
    "generated-name",
    Severity.error,
    "Arguments and results cannot be named like variables and types that the generated C++ uses.",
    ex.func("f(Tensor self, int _op) -> Tensor"),
    ex.func("f(Tensor self, int op) -> Tensor"),
)
LIBRARY_NAME = Rule(
    "OPG313",
    "library-name",
    Severity.error,
    "Operators cannot be named like types and namespaces of the C++ library.",
    ex.func("TensorOptions(Tensor self) -> Tensor"),
    ex.func("tensor_options(Tensor self) -> Tensor"),
)
STUB_NAME = Rule(
    "OPG314",
    "stub-name",
    Severity.warning,
    "Functions and methods are not named like classes that the Python package's stubs use: the stubs would"
    " mean the function.",
    ex.func("tuple(Tensor self) -> Tensor"),
    ex.func("as_tuple(Tensor self) -> Tensor"),
)
DUNDER = Rule(
    "OPG315",
    "dunder-in-place",
    Severity.warning,
    "A name such as '__iadd__' is of an in-place operator; other names that begin with '__i' and end in '__'"
    " are refused by torchgen, and Python has some of them for itself.",
    ex.func("__index__(Tensor self) -> Tensor"),
    ex.func("index_of(Tensor self) -> Tensor"),
)
PARTLY_NAMED = Rule(
    "OPG316",
    "results-partly-named",
    Severity.warning,
    "All results have names, or none has: Python returns a plain tuple otherwise, without any of them.",
    ex.func("f(Tensor self) -> (Tensor values, Tensor)"),
    ex.func("f(Tensor self) -> (Tensor values, Tensor indices)"),
)
RESERVED_RULES = (
    *(CPP_KEYWORD, PYTHON_KEYWORD, MACRO, RESERVED_IDENTIFIER, RESERVED_OVERLOAD, NAME_TOO_LONG),
    *(UNWRITABLE, RESULT_TWICE, GENERATED_NAME, LIBRARY_NAME, STUB_NAME, DUNDER, PARTLY_NAMED),
)


def reserved(function: Function, program: Program) -> Iterator[Diagnostic]:
    yield from _operator(function)
    arguments = function.schema.arguments
    for argument in arguments.all:
        if _is_suspect(argument.name):
            yield from _argument(function, argument.name, argument in arguments.kwarg_only)
    for i, returned in enumerate(function.schema.returns):
        if returned.name is not None and _is_suspect(returned.name):
            yield from _value(returned.name, partial(places.returned, function, i, "name"))
    yield from _results(function)
    for kernel in (function.dispatch or {}).values():
        yield from _kernel(function, kernel)
    for part in (function.python_module or "").split("."):
        if keyword.iskeyword(part):
            where = places.field(function, "python_module")
            yield PYTHON_KEYWORD.at(where, f"'{part}' is a Python keyword")


def _operator(function: Function) -> Iterator[Diagnostic]:
    name = function.name
    base = str(name.name)
    if base in CPP_KEYWORDS:
        yield CPP_KEYWORD.at(places.name(function), f"'{base}' is a C++ keyword")
    elif is_macro(base):
        yield MACRO.at(places.name(function), f"'{base}' is a macro")
    elif base in IN_LIBRARY:
        yield LIBRARY_NAME.at(places.name(function), f"'{base}' is a name of the C++ library's own")
    elif base in IN_STUBS and function.namespace == DEFAULT_NAMESPACE and is_made(function):
        yield STUB_NAME.at(places.name(function), f"'{base}' is a class that the Python stubs use")
    if name.name.dunder and not name.name.inplace and name.name.base.startswith("i"):
        message = f"'{base}' begins like an in-place operator of Python's, but is none"
        yield DUNDER.at(places.name(function), message, "give it another name")
    if name.overload == "default":
        yield RESERVED_OVERLOAD.at(places.overload(function), "the overload name 'default' is reserved")
    if len(base) + len(name.overload) > MAX_NAME:
        yield NAME_TOO_LONG.at(places.name(function), f"the name has more than {MAX_NAME} characters")
    if function.namespace in CPP_KEYWORDS:
        yield CPP_KEYWORD.at(places.namespace(function), f"'{function.namespace}' is a C++ keyword")
    yield from _unwritable(function)


def _unwritable(function: Function) -> Iterator[Diagnostic]:
    name = function.name
    parts = (
        ("namespace", function.namespace, places.namespace),
        ("operator", str(name.name), places.name),
        ("overload", name.overload, places.overload),
    )
    for what, part, place in parts:
        # An overload is part of longer names in C++, which may have its keywords.
        if part == _OLD_PYTHON_KEYWORD and what == "overload":
            continue
        if keyword.iskeyword(part) and (what == "overload" or part not in CPP_KEYWORDS):
            message = f"Python code cannot write the {what} '{part}': it is a keyword"
            yield UNWRITABLE.at(place(function), message, "give it another name")


def _is_suspect(name: str) -> bool:
    """Whether a rule may have something to say of a name, seen at a glance: most files have none."""
    return name in _SUSPECT or "_" in name or name.isupper()


def _argument(function: Function, name: str, keyword_only: bool) -> Iterator[Diagnostic]:
    def where() -> Span:
        return places.argument(function, name, "name")

    if name == _OLD_PYTHON_KEYWORD:
        if keyword_only:
            message = f"Python code cannot pass '{name}', a keyword, by name"
            yield UNWRITABLE.at(where(), message, "make it positional, or give it another name")
    elif "__" in name or (name.startswith("_") and name[1:2].isupper()):
        yield RESERVED_IDENTIFIER.at(where(), f"C++ keeps the name '{name}' for itself")
    else:
        yield from _value(name, where)


def _value(name: str, where: Callable[[], Span]) -> Iterator[Diagnostic]:
    if name in CPP_KEYWORDS:
        yield CPP_KEYWORD.at(where(), f"'{name}' is a C++ keyword")
    elif keyword.iskeyword(name):
        yield PYTHON_KEYWORD.at(where(), f"'{name}' is a Python keyword")
    elif is_macro(name):
        yield MACRO.at(where(), f"'{name}' is a macro")
    elif name in GENERATED:
        yield GENERATED_NAME.at(where(), f"the generated C++ uses the name '{name}'", "give it another name")


def _results(function: Function) -> Iterator[Diagnostic]:
    named = [r.name is not None for r in function.schema.returns]
    if len(named) < 2 or function.kind is Kind.inplace:
        return
    if any(named) and not all(named):
        where = places.returned(function, named.index(False))
        yield PARTLY_NAMED.at(where, "this result has no name, but others have", "name it")
    seen: set[str] = set()
    for i, name in enumerate(return_names(function)):
        if name in seen:
            where = places.returned(function, i, "name")
            yield RESULT_TWICE.at(where, f"two results are named '{name}'", "give one another name")
        seen.add(name)


def _kernel(function: Function, kernel: Kernel) -> Iterator[Diagnostic]:
    if kernel.span is function.span:
        return  # the default one, named like the operator
    where = kernel.span or places.field(function, "dispatch")
    for part in (*kernel.namespace.split("::"), kernel.name):
        if part in CPP_KEYWORDS:
            yield CPP_KEYWORD.at(where, f"'{part}' is a C++ keyword")
        elif is_macro(part):
            yield MACRO.at(where, f"'{part}' is a macro")


_SUSPECT = CPP_KEYWORDS | MACROS | GENERATED | frozenset(keyword.kwlist)
