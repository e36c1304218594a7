"""Sphinx directives that document the API without importing or compiling it: operators, from the docstrings
that opgen generates, hand-written modules and headers, from their source. Docstrings are Markdown.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import api_operators
import api_places
from api_entries import Entry, contents, first_sentence, table
from api_source import written
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.domains.python import PyClasslike, PyFunction, PyMethod
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parents[2]


class _Generated(SphinxDirective):
    required_arguments = 1

    def parsed(self, lines: Sequence[str]) -> list[nodes.Node]:
        node = nodes.container()
        self.state.nested_parse(StringList(lines, source=self.place()), self.content_offset, node)
        return node.children

    def place(self) -> str:
        return self.state_machine.get_source_and_line(self.lineno)[0] or ""


class _Documented(_Generated):
    """A table of the names, then each entry, by the directives of Sphinx's Python domain."""

    _KINDS = {"function": PyFunction, "class": PyClasslike, "method": PyMethod}

    def entries(self) -> Iterable[Entry]:
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        entries = list(self.entries())
        if not entries:
            raise self.error(f"{self.name} {' '.join(self.arguments)} has nothing to document")
        tops = [e for e in entries if e.kind != "method" or e.name.startswith("Tensor.")]
        found = self.parsed(contents(tops)) if len(tops) > 1 else []
        return [*found, *(node for entry in entries for node in self._described(entry))]

    def _described(self, entry: Entry) -> list[nodes.Node]:
        content = StringList(entry.markdown(), source=f"{self.place()}: docstring of {entry.full_name}")
        directive = self._KINDS[entry.kind](
            f"py:{entry.kind}",
            ["\n".join(s.replace("\\", "\\\\") for s in entry.signatures)],
            {"module": entry.module},
            content,
            self.lineno,
            0,
            "",
            self.state,
            self.state_machine,
        )
        return directive.run()


class Operators(_Documented):
    """`{operators} SUBJECT`: the functions of a subject, in all modules, generated and hand-written."""

    def entries(self) -> Iterable[Entry]:
        return api_places.of_subject(self.arguments[0])


class TensorMethods(_Documented):
    """`{tensor-methods}`: what a function says, too, is said there."""

    required_arguments = 0

    def entries(self) -> Iterator[Entry]:
        functions = {e.name for e in api_operators.generated("")}
        for entry in api_operators.generated(None):
            name = entry.name.removeprefix("Tensor.")
            if name in functions:
                text = f"{entry.summary} See {{py:func}}`aten.{name}`."
                entry = dataclasses.replace(entry, text=text)
            yield entry


class WrittenModule(_Documented):
    """`{written-module} FILE`: the public functions and classes of a Python file; with `files`, those that it
    imports from these files beside it.
    """

    option_spec = {"module": directives.unchanged_required, "files": directives.unchanged_required}

    def entries(self) -> Iterator[Entry]:
        file = ROOT / self.arguments[0]
        self.env.note_dependency(str(file))
        files = self.options.get("files", "").split()
        return (e for e in written(file, self.options["module"]) if not files or e.file in files)


class Headers(_Generated):
    """`{headers} FOLDER`: the C++ headers of a folder, with the first sentence of each."""

    def run(self) -> list[nodes.Node]:
        files = sorted((ROOT / self.arguments[0]).glob("*.h"))
        if not files:
            raise self.error(f"{self.arguments[0]} has no headers")
        core = ROOT / "core"
        rows = ((f"`<{f.relative_to(core).as_posix()}>`", first_sentence(leading_comment(f))) for f in files)
        return self.parsed(table("header", rows))


def leading_comment(file: Path) -> str:
    lines = itertools.takewhile(
        lambda line: line.startswith("//"), file.read_text(encoding="utf-8").split("\n")
    )
    return "\n".join(line.removeprefix("//").strip() for line in lines)


def print_figure(app: Sphinx, exception: Exception | None) -> None:
    """How many functions have more than a sentence."""
    if exception is None:
        entries = [e for found in api_places.functions().values() for e in found]
        detailed = [e for e in entries if "\nReturns:\n" in e.text and "\nExample:\n" in e.text]
        print(f"docs: {len(detailed)} of {len(entries)} functions have shapes and an example")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", print_figure)
    app.add_directive("operators", Operators)
    app.add_directive("tensor-methods", TensorMethods)
    app.add_directive("headers", Headers)
    app.add_directive("written-module", WrittenModule)
    return {"parallel_read_safe": True}
