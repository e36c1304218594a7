"""Sphinx directives that document Python without importing it: generated functions, from the docstrings that
opgen generates, and hand-written modules, from their source. Docstrings are Markdown.
"""

from __future__ import annotations

import ast
import functools
import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from opgen import pipeline
from opgen.model import Program
from opgen.template_views import python_docs, python_model
from opgen.template_views.python_signatures import public_name
from sphinx.application import Sphinx
from sphinx.domains.python import PyClasslike, PyFunction, PyMethod
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "aten"
_ITEM = re.compile(r"    (\S.*)")


class Entry(NamedTuple):
    """A documented object; `kind` is an object type of Sphinx's Python domain."""

    kind: str
    name: str
    signatures: Sequence[str]
    text: str


def markdown(docstring: str) -> list[str]:
    """Converts sections such as `Args:` to lists, and examples to code blocks."""
    lines: list[str] = []
    in_section = in_example = False
    text, found, session = docstring.expandtabs().partition("\nExample:\n")
    if found:
        text += f"\n**Example**\n\n{textwrap.dedent(session)}"
    for line in text.splitlines():
        starts = line.startswith(">>>")
        if starts and not in_example:
            lines += ["```pycon"]
        elif in_example and not line:
            lines += ["```"]
        in_example = bool(line) and (starts or in_example)
        if re.fullmatch(r"(Args|Raises|Returns):", line):
            in_section = True
            lines += [f"**{line[:-1]}**", ""]
        elif in_section and (item := _ITEM.fullmatch(line)):
            lines += [f"- {item[1]}"]
        else:
            in_section = in_section and not line
            lines += [line]
    return [*lines, "```"] if in_example else lines


# ---- generated functions


@functools.cache
def program() -> Program:
    found, report = pipeline.load(ROOT / "schemas")
    if report.failed:
        raise ExtensionError("schemas/ has errors: run `opgen validate schemas`")
    return found


def generated(module: str | None) -> Iterator[Entry]:
    """The public functions of a `python_module` ("" is the top level), or for None the methods of Tensor."""
    checks = program().checks.of if program().checks is not None else {}
    for binding in sorted(python_model.bindings(program()), key=public_name):
        if binding.module != module or binding.name.startswith("_"):
            continue
        lines = python_docs.docstring(binding, checks, program().said).splitlines()
        calls, rest = lines[: len(binding.overloads)], lines[len(binding.overloads) :]
        name = public_name(binding)
        kind = "method" if module is None else "function"
        signatures = [python_signature(name + call.removeprefix(binding.name)) for call in calls]
        named = [f"Returns {r}." for call in calls if (r := call.rpartition(" -> ")[2]).startswith("(")]
        # In Markdown a formula is a block of its own only after a blank line.
        text = re.sub(r"\A(\S.*\n)(?=    \S)", r"\1\n", "\n".join(rest).strip())
        yield Entry(kind, name, signatures, "\n\n".join(["\n".join(dict.fromkeys(named)), text]).strip())


def python_signature(call: str) -> str:
    """Converts several results to an annotation that Sphinx can parse; the text has their names."""
    head, arrow, returns = call.rpartition(" -> ")
    if not returns.startswith("("):
        return call
    types = ", ".join(part.split()[0] for part in returns.strip("()").split(", "))
    return f"{head}{arrow}tuple[{types}]"


# ---- hand-written modules


def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def module_file(folder: Path, dotted: str) -> Path:
    path = folder.joinpath(*dotted.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def exported(file: Path) -> set[str] | None:
    """The names in `__all__`, if the module has one."""
    for node in parsed(file).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return None


def definitions(file: Path) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """The entries of a module, including imports from files beside it; later ones replace earlier ones."""
    found: dict[str, ast.FunctionDef | ast.ClassDef] = {}
    listed = exported(file)
    for node in statements(parsed(file)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = node
        elif isinstance(node, ast.ImportFrom) and node.level and node.module and node.module != "_C":
            origin = module_file(file.parents[node.level - 1], node.module)
            names = {alias.name for alias in node.names}
            found |= {d.name: d for d in statements(parsed(origin)) if getattr(d, "name", None) in names}
    for name in sorted(found):
        if not name.startswith("_") and (listed is None or name in listed):
            yield found[name]


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements, including those under `if TYPE_CHECKING:`, which imports lazily loaded modules."""
    for node in tree.body:
        yield from node.body if isinstance(node, ast.If) else (node,)


def written(file: Path) -> Iterator[Entry]:
    for node in definitions(file):
        if isinstance(node, ast.FunctionDef):
            yield function("function", node)
            continue
        yield Entry("class", node.name, [node.name + constructor(node)], ast.get_docstring(node) or "")
        for part in node.body:
            if (
                isinstance(part, ast.FunctionDef)
                and not part.name.startswith("_")
                and ast.get_docstring(part)
            ):
                method = function("method", part)
                signatures = [f"{node.name}.{signature}" for signature in method.signatures]
                yield method._replace(name=f"{node.name}.{part.name}", signatures=signatures)


def function(kind: str, node: ast.FunctionDef) -> Entry:
    arguments = node.args
    if kind == "method" and not any(ast.unparse(d) == "staticmethod" for d in node.decorator_list):
        arguments = without_self(arguments)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    signature = f"{node.name}({ast.unparse(arguments)}){returns}"
    return Entry(kind, node.name, [signature], ast.get_docstring(node) or "")


def without_self(arguments: ast.arguments) -> ast.arguments:
    first = "posonlyargs" if arguments.posonlyargs else "args"
    rest = dict(ast.iter_fields(arguments))
    return ast.arguments(**{**rest, first: rest[first][1:]})


def constructor(node: ast.ClassDef) -> str:
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            return f"({ast.unparse(without_self(part.args))})"
    return ""


# ---- directives


class _Documented(SphinxDirective):
    """Passes entries to the directives of Sphinx's Python domain."""

    required_arguments = 1
    option_spec = {"module": directives.unchanged_required}
    _KINDS = {"function": PyFunction, "class": PyClasslike, "method": PyMethod}

    def entries(self) -> Iterator[Entry]:
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        found = [node for entry in self.entries() for node in self._described(entry)]
        if not found:
            raise self.error(f"{self.arguments[0]} has nothing to document")
        return found

    def _described(self, entry: Entry) -> list[nodes.Node]:
        place = self.state_machine.get_source_and_line(self.lineno)[0] or ""
        content = StringList(markdown(entry.text), source=f"{place}: docstring of {entry.name}")
        directive = self._KINDS[entry.kind](
            f"py:{entry.kind}",
            ["\n".join(s.replace("\\", "\\\\") for s in entry.signatures)],
            {"module": self.options["module"]},
            content,
            self.lineno,
            0,
            "",
            self.state,
            self.state_machine,
        )
        return directive.run()


class GeneratedFunctions(_Documented):
    """`{generated-functions} MODULE`: a python_module of the declarations, `top`, or `methods`."""

    def entries(self) -> Iterator[Entry]:
        asked = {"top": "", "methods": None}.get(self.arguments[0], self.arguments[0])
        replaced = set()
        if asked is not None:
            file = module_file(PACKAGE, {"nn": "nn.functional", "": "__init__"}.get(asked, asked))
            replaced = {d.name for d in definitions(file)} if file.exists() else set()
        for entry in generated(asked):
            if entry.name not in replaced:
                prefix = "Tensor." if asked is None else ""
                yield entry._replace(signatures=[prefix + s for s in entry.signatures])


class WrittenModule(_Documented):
    """`{written-module} FILE`: the public functions and classes of a Python file."""

    def entries(self) -> Iterator[Entry]:
        file = ROOT / self.arguments[0]
        self.env.note_dependency(str(file))
        return written(file)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("generated-functions", GeneratedFunctions)
    app.add_directive("written-module", WrittenModule)
    return {"parallel_read_safe": True}
