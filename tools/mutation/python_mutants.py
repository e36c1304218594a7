"""Single changes of a Python file, each at a place that its syntax tree names; all other bytes stay.

Some code cannot matter and is not changed: annotations, which are never evaluated, blocks for type checkers,
`frozen` and `slots` of dataclasses, and names of the main module. Nor are f-strings, for which Python 3.11
has no positions.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator

from .mutant import Mutant

COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: (r"is\s+not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: (r"not\s+in", ("in",)),
}
DECLARED_ONLY = {"frozen", "slots"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def mutants(file: str, source: bytes) -> list[Mutant]:
    """Returns the mutants in the order of their places, each change once."""
    finder = _Finder(file, source)
    finder.visit(ast.parse(source))
    return sorted(dict.fromkeys(finder.found), key=lambda m: (m.start, m.end, m.after))


class _Finder(ast.NodeVisitor):
    def __init__(self, file: str, source: bytes) -> None:
        self.file, self.source = file, source
        self.found: list[Mutant] = []
        self.starts = [0, *(m.end() for m in re.finditer(rb"\n", source))]
        self.statement: ast.stmt | None = None
        self.functions: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda] = []
        self.classes: list[str] = []

    # Places

    def _at(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def _text(self, start: int, end: int) -> str:
        return self.source[start:end].decode()

    def _add(self, start: int, end: int, after: str) -> None:
        first, last = self._lines()
        line = self.source.count(b"\n", 0, start) + 1
        names = () if self.functions else tuple(dict.fromkeys(self._bound()))
        before = self._text(start, end)
        self.found.append(Mutant(self.file, start, end, line, before, after, first, last, names))

    def _lines(self) -> tuple[int, int]:
        """Returns the lines of the statement; for a compound one, only those before its body."""
        statement = self.statement
        assert statement is not None and statement.end_lineno is not None
        body = getattr(statement, "body", None) or getattr(statement, "cases", None)
        if not body:
            return statement.lineno, statement.end_lineno
        inner = body[0].pattern if isinstance(body[0], ast.match_case) else body[0]
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
        return first, max(statement.lineno, inner.lineno - 1)

    def _bound(self) -> Iterator[str]:
        yield from self.classes
        if isinstance(self.statement, (*FUNCTIONS, ast.ClassDef)):
            yield self.statement.name
            return
        for node in ast.walk(self.statement) if self.statement is not None else ():
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id

    # Statements

    def visit(self, node: ast.AST) -> None:
        outer = self.statement
        if isinstance(node, ast.stmt):
            self.statement = node
        super().visit(node)
        self.statement = outer

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for part in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(part)
        self.functions.append(node)
        for part in node.body:
            self.visit(part)
        self.functions.pop()

    visit_FunctionDef = _function
    visit_AsyncFunctionDef = _function

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.functions.append(node)
        self.generic_visit(node)
        self.functions.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.classes.append(node.name)
        self.generic_visit(node)
        self.classes.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass

    def visit_If(self, node: ast.If) -> None:
        names = {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
        if names & {"TYPE_CHECKING", "__name__"}:
            return
        start, end = self._span(node.test)
        self._add(start, end, f"({self._text(start, end)}) and False")
        self._negate(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> None:
        self._add(*self._span(node), "continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        self._add(*self._span(node), "break")

    def visit_Return(self, node: ast.Return) -> None:
        function = self.functions[-1]
        returns = getattr(function, "returns", None)
        declared = isinstance(returns, ast.Name) and returns.id == "bool"
        if node.value is not None and (declared or isinstance(node.value, ast.BoolOp)):
            self._negate(node.value)
        self.generic_visit(node)

    # Expressions

    def _negate(self, node: ast.expr) -> None:
        """Puts `not` around a condition and around each part of it, unless a flipped comparison or a dropped
        `not` does the same.
        """
        for part in node.values if isinstance(node, ast.BoolOp) else ():
            self._negate(part)
        flipped = isinstance(node, ast.Compare) and len(node.ops) == 1
        dropped = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        if not (flipped or dropped or isinstance(node, ast.Constant)):
            start, end = self._span(node)
            self._add(start, end, f"not ({self._text(start, end)})")

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self._negate(condition)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in itertools.pairwise(node.values):
            self._operator(left, right, old, (new,))
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        values = [node.left, *node.comparators]
        for left, operator, right in zip(values[:-1], node.ops, values[1:], strict=True):
            self._operator(left, right, *COMPARISONS[type(operator)])
        self.generic_visit(node)

    def _operator(self, left: ast.expr, right: ast.expr, pattern: str, others: tuple[str, ...]) -> None:
        """Replaces an operator. Only space and brackets may be beside it, as comments don't count."""
        begin, end = self._span(left)[1], self._span(right)[0]
        found = re.fullmatch(rf"[\s)\\]*({pattern})[\s(\\]*", self._text(begin, end))
        if found:
            for other in others:
                self._add(begin + found.start(1), begin + found.end(1), other)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            start, end = self._span(node)[0], self._span(node.operand)[0]
            if self._text(start, end).strip("( \n") == "not":
                self._add(start, start + len("not "), "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._add(*self._span(node), str(not node.value))
        elif isinstance(node.value, int):
            self._add(*self._span(node), str(node.value + 1))
            if node.value:
                self._add(*self._span(node), str(node.value - 1))

    def visit_Call(self, node: ast.Call) -> None:
        dataclass = ast.unparse(node.func).endswith("dataclass")
        node.keywords = [k for k in node.keywords if not (dataclass and k.arg in DECLARED_ONLY)]
        self.generic_visit(node)
