"""The steps of a C++ kernel towards its result: operators, dispatch stubs and functions that it calls."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from opgen.explain import cpp_flow
from opgen.explain.cpp_flow import Call, Statement
from opgen.explain.cpp_text import Body
from opgen.explain.kernel_index import KernelIndex
from opgen.model import Function, Kind, Program, Variant

Target = Function | Body | str  # an operator, a function of the sources, a dispatch stub

# Operators that only move or make values, besides views and factories.
_MOVING = frozenset(
    "_reshape_alias _to_copy _unsafe_view clone contiguous copy copy_ detach fill_ item resize_ resize_as_ "
    "set_ zero_".split()
)
_SUFFIXES = ("_symint", "_outf", "_out", "")
_STUB = re.compile(r"\bDEFINE_\w*DISPATCH\s*\(\s*(\w+)")
_TEXT_OF_CHECK = re.compile(r"\s*(?:TORCH|C10|CUDA)_\w+\s*\(")
_WORD = re.compile(r"[A-Za-z_]\w*")
_ASSIGNS = re.compile(r"(\w+|\[[\w\s,]*\])\s*=(?!=)")


@dataclass(frozen=True, slots=True)
class Step:
    """`role` is "result", "decides" (a condition is made of it), "tried" (one calls it), or "other"."""

    target: Target
    role: str
    conditions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    target: Target
    start: int
    inside: tuple[int, int]
    conditions: tuple[str, ...]
    statement: Statement


class Steps:
    """Reads bodies; each once."""

    def __init__(self, program: Program, index: KernelIndex):
        self._index = index
        self.stubs = {
            match[1]: (file, match.start(1))
            for file in index.files
            if "DEFINE_" in file.text
            for match in _STUB.finditer(file.text)
        }
        self._operators: dict[str, list[Function]] = {}
        for function in program.functions:
            self._operators.setdefault(str(function.name.name), []).append(function)
        self._found: dict[tuple[Body, bool], list[_Found]] = {}
        self._reaches: dict[Body, bool] = {}

    def of(self, body: Body, last: bool = False) -> list[Step]:
        """Returns the steps of a function. In the last function of a chain, which a stub calls, they are the
        functions of its subject that it chooses from.
        """
        found = self._all(body, last)
        results = _results(body, found)
        deciding = {word for f in results for c in f.conditions for word in _WORD.findall(c)}
        steps: dict[tuple[int, str], Step] = {}
        for f in found:
            role = "result" if f in results and not _combines(f, found) else "other"
            if f.statement.kind == "test":
                role = "tried"
            elif role == "other" and isinstance(f.target, Function) and _assigned(body, f) & deciding:
                role = "decides"
            known = steps.get((id(f.target), role))
            if known is None:
                steps[id(f.target), role] = Step(f.target, role, f.conditions)
            elif known.conditions != f.conditions:
                shared = [a for a, b in zip(known.conditions, f.conditions, strict=False) if a == b]
                steps[id(f.target), role] = Step(f.target, role, tuple(shared))
        return list(steps.values())

    def reaches(self, body: Body) -> bool:
        """Whether a function leads to an operator that computes, to a stub, or to a kernel in CUDA."""
        if body not in self._reaches:
            self._reaches[body] = False  # while it is read, as functions may call each other
            found = self._all(body, False)
            self._reaches[body] = any(
                not isinstance(f.target, Body) or self._goes_on(f.target, body) for f in found
            )
        return self._reaches[body]

    def _goes_on(self, target: Body, caller: Body) -> bool:
        return (target.path.suffix == ".cu" and caller.path != target.path) or self.reaches(target)

    def _all(self, body: Body, last: bool) -> list[_Found]:
        if (body, last) not in self._found:
            found: list[_Found] = []
            for statement in cpp_flow.statements(body):
                if _TEXT_OF_CHECK.match(body.file.code, statement.start) is None:
                    found += self._in_statement(body, statement, last)
            self._found[body, last] = found
        return self._found[body, last]

    def _in_statement(self, body: Body, statement: Statement, last: bool) -> Iterable[_Found]:
        code = body.file.code
        for match in _WORD.finditer(code, statement.start, statement.end):
            if match[0] in self.stubs:
                close = body.file.closing.get(match.end(), match.end())
                reached = cpp_flow.conditions(body.file, statement, match.start())
                yield _Found(match[0], match.start(), (match.end(), close), reached, statement)
        for call in cpp_flow.calls(body.file, statement):
            target = self._target(body, call, last)
            if target is not None:
                yield _Found(target, call.start, (call.open, call.end), call.conditions, statement)

    def _target(self, body: Body, call: Call, last: bool) -> Target | None:
        if call.name in self.stubs or call.scope.startswith(("std::", "c10::", "::std")):
            return None
        method = call.scope in (".", "->")
        if call.scope == "at::" or method:
            function = self._operator(body, call, method)
            if function is not None:
                return function
        count = len(body.file.arguments(call.open))
        near = [b for b in body.file.bodies.get(call.name, ()) if b.takes(count) and b is not body]
        if not near and not method:
            subjects = (body.file.subject, *body.file.included)
            elsewhere = [b for s in subjects for b in self._index.bodies(call.name, s) if b.takes(count)]
            near = sorted((b for b in elsewhere if b is not body), key=lambda b: -_shared(b.path, body.path))
        target = near[0] if near else None
        if target is None or (last and method):
            return None
        return target if last or self._goes_on(target, body) else None

    def _operator(self, body: Body, call: Call, method: bool) -> Function | None:
        """Returns the first overload that takes so many arguments, if it computes."""
        for suffix in _SUFFIXES:
            known = (
                self._operators.get(call.name.removesuffix(suffix)) if call.name.endswith(suffix) else None
            )
            if known is None:
                continue
            out = suffix.startswith("_out")
            forms = [f for f in known if (f.kind is Kind.out) == out and not f.is_generated] or known
            if method:
                forms = [f for f in forms if Variant.method in f.variants]
            count = len(body.file.arguments(call.open)) + (1 if method else 0)
            found = next((f for f in forms if _takes(f, count)), forms[0] if forms else None)
            return found if found is not None and computes(found, method) else None
        return None


def _shared(a: Path, b: Path) -> int:
    """Returns the number of folders that two files have in common."""
    return len(set(a.parents) & set(b.parents))


def _takes(function: Function, count: int) -> bool:
    arguments = function.schema.arguments.all
    return sum(a.default is None for a in arguments) <= count <= len(arguments)


def computes(function: Function, method: bool = False) -> bool:
    """Whether it is more than a view, a factory, a copy, or a method that only asks for something."""
    name, schema = str(function.name.name), function.schema
    if name in _MOVING or function.is_view or schema.arguments.options is not None or name.endswith("_like"):
        return False
    return not method or any(r.type.is_tensor_like() for r in schema.returns)


def _assigned(body: Body, found: _Found) -> set[str]:
    """Returns the names that get the value: those before the last `=` in front of the call."""
    names = _ASSIGNS.findall(body.file.code[found.statement.start : found.start])
    return set(_WORD.findall(names[-1])) if names else set()


def _results(body: Body, found: list[_Found]) -> list[_Found]:
    """Returns the calls whose values are returned, also through variables, and those for their effect."""
    outer = [f for f in found if not any(g.inside[0] < f.start < g.inside[1] for g in found)]
    returned = {
        w for s in cpp_flow.statements(body) if s.kind == "return" for w in _own_words(body, s, found)
    }
    taken: list[_Found] = []
    while True:
        more = [f for f in outer if f not in taken and _is_result(body, f, returned)]
        if not more:
            return [f for f in found if f in taken]
        taken += more
        for f in more:
            returned |= _own_words(body, f.statement, found) if f.statement.kind == "plain" else set()


def _combines(call: _Found, found: list[_Found]) -> bool:
    """Whether an operator's arguments are made by operators in place: it is a part of a formula."""
    makers = (f for f in found if isinstance(f.target, Function))
    start, end = call.inside
    return isinstance(call.target, Function) and any(start < f.start < end for f in makers)


def _is_result(body: Body, found: _Found, returned: set[str]) -> bool:
    if found.statement.kind != "plain":
        return found.statement.kind == "return"
    assigned = _assigned(body, found)
    return not assigned or bool(assigned & returned) or isinstance(found.target, str)


def _own_words(body: Body, statement: Statement, found: list[_Found]) -> set[str]:
    """Returns the words of a statement that are not in the arguments of a step."""
    inside = [f.inside for f in found if f.statement == statement]
    words = _WORD.finditer(body.file.code, statement.start, statement.end)
    return {w[0] for w in words if not any(a < w.start() < b for a, b in inside)}
