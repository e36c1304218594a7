"""The chain of an operator: its kernels, the operators that these call, down to the kernels of backends."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from opgen.expand import registrations
from opgen.explain.cpp_flow import OTHERWISE
from opgen.explain.cpp_text import Body, CppFile
from opgen.explain.kernel_index import KernelIndex
from opgen.explain.steps import Step, Steps, Target
from opgen.model import BACKENDS, DispatchKey, Function, Program, UfuncKey
from opgen.template_views import names

DEPTH = 2  # operators below the first one
_LONGEST = 72  # of a condition
_META = DispatchKey["Meta"]
_REGISTER = re.compile(r"^[ \t]*(?P<macro>REGISTER_\w*DISPATCH)\s*(?P<open>\()\s*(?P<stub>\w+)", re.MULTILINE)
_FUNCTION = re.compile(r"(\w+)\s*(?:<.*>)?[\s)]*$", re.DOTALL)
_MACROS = {"REGISTER_CUDA_DISPATCH": "CUDA", "REGISTER_PRIVATEUSE1_DISPATCH": "PrivateUse1"}


@dataclass(slots=True)
class Node:
    """A line of the tree. `key` is that of what is shown once; `others` are names of operators that the
    function calls on the way; `is_cut` is set for operators that lie too deep to be expanded.
    """

    text: str
    place: str = ""
    condition: str = ""
    key: object = None
    children: list[Node] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    is_cut: bool = False

    def leads_on(self) -> bool:
        """Whether one of the kernels below leads to something else."""
        return any(child.children or child.others for child in self.children)


# A node, what it stands for, and the backend whose kernel leads to it: "" for none.
_Below = tuple[Node, Target, str]


class Chains:
    """The chains of several operators; what one of them shows, the next ones do not repeat."""

    def __init__(self, program: Program, index: KernelIndex, depth: int = DEPTH, everything: bool = False):
        self.steps = Steps(program, index)
        self._program = program
        self._index = index
        self._depth = depth
        self._all = everything
        self._owner: dict[object, Node] = {}
        self._printed: set[int] = set()
        self._is_cut = False

    def of(self, function: Function) -> Node:
        """Returns the tree. Each part is shown where it is nearest to the operator."""
        root = _operator(function, self._program)
        queue: deque[tuple[Node, Target, str, int]] = deque([(root, function, "", 0)])
        while queue:
            node, target, backend, depth = queue.popleft()
            node.key = (target, backend)
            if node.key in self._owner:
                continue
            if isinstance(target, Function) and depth > self._depth:
                node.is_cut = True
                continue
            self._owner[node.key] = node
            below = depth + 1 if isinstance(target, Function) else depth
            queue += ((n, t, b, below) for n, t, b in self._expanded(node, target, backend))
        return root

    def called(self, root: Node) -> list[str]:
        """Returns the operators that the kernels of a tree's operator call, also through functions."""
        found: dict[str, None] = {}
        rest, seen = [self._owner.get(root.key, root)], set[int]()
        while rest:
            node = rest.pop(0)
            seen.add(id(node))
            for child in node.children:
                target = child.key[0] if isinstance(child.key, tuple) else None
                below = self._owner.get(child.key, child)
                if isinstance(target, Function):
                    found[target.qualified_name] = None
                elif id(below) not in seen:
                    rest.append(below)
            found |= dict.fromkeys(node.others)
        return list(found)

    def lines(self, root: Node) -> Iterator[str]:
        """Yields the text of a tree."""
        self._is_cut = False
        yield from self._lines(root, "    ")
        if self._is_cut:
            yield f"    ... is shown with --depth {self._depth + 1}"

    def _lines(self, node: Node, indent: str) -> Iterator[str]:
        owner = self._owner.get(node.key, node) if node.key is not None else node
        elsewhere = "" if owner is node else "  see above" if id(owner) in self._printed else "  see below"
        self._printed.add(id(node))
        condition = f"{node.condition}: " if node.condition else ""
        place = f"  {node.place}" if node.place and not elsewhere else ""
        more = " ..." if node.is_cut and not elsewhere else ""
        self._is_cut = self._is_cut or bool(more)
        yield f"{indent}{condition}{node.text}{place}{elsewhere}{more}"
        for child in node.children:
            yield from self._lines(child, indent + "  ")
        if node.others:
            yield f"{indent}  calls {', '.join(node.others)}"

    def _expanded(self, node: Node, target: Target, backend: str) -> Iterator[_Below]:
        """Yields what is below a node, with the nodes made for it; below a kernel of one backend, only what
        is of this backend or of all.
        """
        if isinstance(target, Function):
            yield from self._kernels(node, target, backend)
        elif isinstance(target, Body):
            yield from ((child, called, backend) for child, called in self._calls(node, target))
        else:
            yield from self._registered(node, target, backend)

    def _kernels(self, node: Node, function: Function, backend: str) -> Iterator[_Below]:
        derivatives = self._program.derivatives
        derivation = derivatives.of.get(function.qualified_name) if derivatives is not None else None
        if derivation is not None:
            entry = derivation.entry
            node.children.append(Node("Autograd: generated", f"{entry.span.path}:{entry.line}"))
        keys: dict[str, list[str]] = {}
        for key, registration in registrations.of(function, self._program).items():
            other = backend and key.value in BACKENDS and key.value != backend
            if registration.kernel is not None and not other and (key is not _META or self._all):
                keys.setdefault(registration.kernel, []).append(key.value)
        for kernel, having in keys.items():
            name = kernel.rpartition("::")[2]
            found = self._bodies(name, function)
            child = Node(f"{', '.join(having)}: {name}")
            node.children.append(child)
            if len(found) == 1 and not name.startswith("ufunc_"):
                child.place = _place(found[0].file, found[0].line)
                yield child, found[0], having[0] if len(having) == 1 and having[0] in BACKENDS else backend
            else:
                child.place = ", ".join(_place(b.file, b.line) for b in found[:2])

    def _bodies(self, name: str, function: Function) -> list[Body]:
        group = self._program.group_of.get(function.qualified_name)
        loops = group.out.ufunc_inner_loop if group is not None else {}
        loop = loops.get(UfuncKey.Generic) or loops.get(UfuncKey.ScalarOnly)
        if loop is not None and name.startswith("ufunc_"):
            found = self._index.bodies(loop.name)
            return [b for b in found if "functors" in (*b.path.parts, b.path.stem)] or found
        found = self._index.bodies(name)
        for fits in (_includes, _takes, _has_types):
            found = [b for b in found if fits(b, function)] or found
        return found

    def _calls(self, node: Node, body: Body, last: bool = False) -> Iterator[tuple[Node, Target]]:
        shown = False
        for step in self.steps.of(body, last):
            if step.role == "other" and not self._all:
                if isinstance(step.target, Function) and str(step.target.name.name) not in node.others:
                    node.others.append(str(step.target.name.name))
                continue
            child = self._child(step, body)
            if child.condition == OTHERWISE and not shown:
                child.condition = ""
            shown = shown or bool(child.condition)
            node.children.append(child)
            yield child, step.target

    def _child(self, step: Step, body: Body) -> Node:
        target, condition = step.target, _condition(step)
        if isinstance(target, Function):
            child = _operator(target, self._program)
        elif isinstance(target, Body):
            child = Node(target.file.qualified(target), _place(target.file, target.line), key=target)
        else:
            file, offset = self.steps.stubs[target]
            child = Node(target, _place(file, file.line(offset)), key=target)
        child.condition = condition
        return child

    def _registered(self, node: Node, stub: str, backend: str) -> Iterator[_Below]:
        """Yields what functions registered for a stub call; the functions that they choose from are shown."""
        for file in self._index.files:
            for match in _REGISTER.finditer(file.text) if "REGISTER_" in file.text else ():
                if match["stub"] != stub:
                    continue
                where = _MACROS.get(match["macro"]) or ("CUDA" if file.path.suffix == ".cu" else "CPU")
                if backend not in ("", where):
                    continue
                arguments = file.arguments(match.start("open"))
                named = _FUNCTION.search(arguments[-1].strip()) if len(arguments) > 1 else None
                name = named[1] if named is not None else "?"
                row = f"registered {_place(file, file.line(match.start('stub')))}"
                found = file.bodies.get(name) or self._index.bodies(name, file.subject)
                child = Node(f"{where}: {name}", row)
                node.children.append(child)
                if found:
                    child.place = f"{_place(found[0].file, found[0].line)}, {row}"
                    called = self._calls(child, found[0], last=True)
                    yield from [(n, t, where) for n, t in called if not isinstance(t, Body)]


def _operator(function: Function, program: Program) -> Node:
    return Node(str(function.qualified_name), f"{program.path}:{function.line}", key=function)


def _includes(body: Body, function: Function) -> bool:
    """Whether the file says that it defines kernels of the operator: it includes their declarations."""
    return f"<ATen/ops/{names.base(function)}_native.h>" in body.file.text


def _takes(body: Body, function: Function) -> bool:
    return body.takes(len(function.schema.arguments.all))


def _has_types(body: Body, function: Function) -> bool:
    """Whether numbers are where the schema has them, as overloads for numbers and for tensors differ."""
    pairs = zip(body.parameters, function.schema.arguments.all, strict=False)
    return all(("Scalar" in p) == (str(a.type) in ("Scalar", "Scalar?")) for p, a in pairs)


def _place(file: CppFile, line: int) -> str:
    return f"{file.path}:{line}"


def _joined(text: str, part: str) -> str:
    if part.startswith("if ") and text.endswith("else"):
        return f"{text} {part}"
    if part.startswith("if ") and "if " in text and not text.endswith(OTHERWISE):
        tests = (text.partition("if ")[2], part.removeprefix("if "))
        return f"{text.partition('if ')[0]}if {' and '.join(f'({t})' if '||' in t else t for t in tests)}"
    return text if text.endswith(part) else f"{text}, {part}"


def _condition(step: Step) -> str:
    """Returns the conditions as one: `else if a, if b`."""
    if step.role == "tried":
        return "tries"
    parts = list(step.conditions)
    while len(parts) > 1 and parts[0] == OTHERWISE:
        parts.pop(0)
    text = ""
    for part in parts:
        text = _joined(text, part) if text else part
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST - 3].rstrip()}..."
    prefix = "decides" if step.role == "decides" else ""
    return ", ".join(filter(None, (prefix, text)))
