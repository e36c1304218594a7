"""Conflicts that only a compiler would see: functions, methods, kernels and namespaces of C++, bindings."""

from __future__ import annotations

import pytest
from front import checked

OPTIONS = "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"


def entry(schema: str, kernel: str | None = None, variants: str = "function", key: str = "CPU") -> str:
    dispatch = f"  dispatch:\n    {key}: {kernel}\n" if kernel else ""
    return f"- func: {schema}\n  variants: {variants}\n{dispatch}"


def structured(name: str, kernel: str) -> str:
    return (
        f"- func: {name}(Tensor self) -> Tensor\n  structured_delegate: {name.rpartition('::')[2]}.out\n"
        f"- func: {name}.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n"
        f"  dispatch:\n    CPU: {kernel}\n"
    )


CONFLICTS = {
    "a kernel that returns something else": (
        entry("pool(Tensor self) -> Tensor", "pool"),
        entry("pool_idx(Tensor self) -> (Tensor, Tensor)", "pool"),
        "OPG340",
    ),
    "a default of a kernel's parameter twice": (
        entry("a(Tensor self, int n=0) -> Tensor", "k"),
        entry("b(Tensor self, int n=0) -> Tensor", "k", key="CUDA"),
        "OPG340",
    ),
    "a default kernel with the name of another's": (
        entry("a(Tensor self) -> Tensor", "b"),
        entry("b(Tensor self) -> int"),
        "OPG340",
    ),
    "a kernel whose SymInts are integers": (
        entry("a(Tensor self, SymInt n) -> Tensor", "k"),
        entry("b(Tensor self, int n) -> int", "k"),
        "OPG340",
    ),
    "a structured kernel of two operators": (structured("a", "k"), structured("b", "k"), "OPG340"),
    "meta functions of one name": (structured("a", "k"), structured("my::a", "l"), "OPG340"),
    "overloads that differ in what they return": (
        entry("f(Tensor self, int n) -> Tensor", "k"),
        entry("f.b(Tensor self, int n) -> int", "l"),
        "OPG341",
    ),
    "overloads that differ in a SymInt": (
        entry("f(Tensor self, int[2] n) -> Tensor", "k"),
        entry("f.b(Tensor self, SymInt[] n) -> Tensor", "l"),
        "OPG341",
    ),
    "a positional and a keyword-only argument": (
        entry("f(Tensor self, int n) -> Tensor", "k"),
        entry("f.b(Tensor self, *, int n) -> Tensor", "l"),
        "OPG341",
    ),
    "methods": (
        entry("f(Tensor self, float x) -> Tensor", "k", "method"),
        entry("f.b(Tensor self, *, float y) -> Tensor", "l", "method"),
        "OPG341",
    ),
    "methods of operators in two namespaces": (
        entry("f(Tensor self) -> Tensor", "k", "function, method"),
        entry("my::f(Tensor self) -> Tensor", "my::k", "method"),
        "OPG341",
    ),
    "a factory with and without its options": (
        entry("f(int n) -> Tensor", "k"),
        entry(f"f.b(int n, {OPTIONS}) -> Tensor[]", "l"),
        "OPG903",
    ),
    "a namespace with the name of a function": (
        entry("f(Tensor self) -> Tensor", "k"),
        entry("g(Tensor self) -> Tensor", "at::f::g"),
        "OPG342",
    ),
}
LEGAL = {
    "one kernel for the same function": (
        entry("a(Tensor self) -> Tensor", "k"),
        entry("b(Tensor self) -> Tensor", "k"),
    ),
    "one kernel and one default": (
        entry("a(Tensor self, int n) -> Tensor", "k"),
        entry("b(Tensor self, int n=0) -> Tensor", "k"),
    ),
    "overloaded kernels": (
        entry("a(Tensor self) -> Tensor", "k"),
        entry("b(Tensor self, int n) -> (Tensor, Tensor)", "k"),
    ),
    "kernels of two namespaces": (
        entry("a(Tensor self) -> Tensor", "one::k"),
        entry("b(Tensor self) -> int", "two::k"),
    ),
    "a function and a method": (
        entry("f(Tensor self, float x) -> Tensor", "k", "function"),
        entry("f.b(Tensor self, *, float y) -> Tensor", "l", "method"),
    ),
}


@pytest.mark.parametrize("name", CONFLICTS)
@pytest.mark.parametrize("turned", [False, True])
def test_conflicts_are_reported_once_with_both_lines(name, turned):
    first, second, code = CONFLICTS[name]
    first, second = (second, first) if turned else (first, second)
    found = checked(first + second)[1]
    assert [d.code for d in found] == [code]
    lines = first.count("\n")
    assert len(found[0].related) == 1
    assert {found[0].span.line <= lines, found[0].related[0].span.line <= lines} == {True, False}


@pytest.mark.parametrize("name", LEGAL)
def test_what_compiles_is_no_conflict(name):
    assert checked("".join(LEGAL[name]))[1] == []


def test_every_pair_is_reported():
    text = "".join(
        entry(f"p{i}(Tensor self) -> {r}", "k") for i, r in enumerate(("Tensor", "int", "bool", "int"))
    )
    assert [d.span.line for d in checked(text)[1]] == [8, 12, 16]


@pytest.mark.parametrize(
    "schema",
    [
        *("cpu(Tensor self) -> Tensor", "contiguous(Tensor self, MemoryFormat format) -> Tensor"),
        *("grad(Tensor self) -> int", "toType(Tensor self, ScalarType t) -> Tensor"),
    ],
)
def test_methods_that_are_written_by_hand(schema):
    found = checked(entry(schema, "k", "function, method"))[1]
    assert [(d.code, d.span.line, d.span.column) for d in found] == [("OPG341", 2, 13)]
    assert checked(entry(schema, "k"))[1] == []
