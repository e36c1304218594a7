"""Entries of declared operators: functions in Python and C++, with the docstrings that opgen generates."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator
from pathlib import Path

from api_entries import Entry
from opgen import pipeline
from opgen.model import Program
from opgen.template_views import functions, names, python_docs, python_model
from opgen.template_views.python_signatures import public_name
from sphinx.errors import ExtensionError

ROOT = Path(__file__).resolve().parents[2]
DECLARED = ROOT / "schemas" / "native_functions.yaml"
METHODS = "aten.Tensor"
# python_module -> the module in Python
MODULES = {"": "aten", "nn": "aten.nn.functional"}
# `# ---- Elementwise: arithmetic` is the heading of a section of the subject elementwise.
_SECTION = re.compile(r"# -{4,} (\w+)")


@functools.cache
def program() -> Program:
    found, report = pipeline.load(ROOT / "schemas")
    if report.failed:
        raise ExtensionError("schemas/ has errors: run `opgen validate schemas`")
    return found


@functools.cache
def _sections() -> list[tuple[int, str]]:
    """The line of each section's heading, and its subject."""
    lines = enumerate(DECLARED.read_text(encoding="utf-8").splitlines(), 1)
    return [(number, found[1].lower()) for number, line in lines if (found := _SECTION.match(line))]


def subject_of(line: int) -> str:
    """The subject of what is declared in this line of native_functions.yaml."""
    return max((at, subject) for at, subject in _sections() if at <= line)[1]


@functools.cache
def subjects() -> dict[str, str]:
    """The subject of each public function by its name, and by that in its module: `linalg_det` and `det`."""
    found: dict[str, str] = {}
    for binding in python_model.bindings(program()):
        subject = subject_of(binding.overloads[0].function.line)
        found |= {binding.name: subject, public_name(binding): found.get(public_name(binding), subject)}
    return found


def generated(module: str | None) -> Iterator[Entry]:
    """The public functions of a `python_module` ("" is the top level), or for None the methods of Tensor."""
    for binding in sorted(python_model.bindings(program()), key=public_name):
        if binding.module == module and not binding.name.startswith("_"):
            yield _entry(binding)


def _entry(binding: python_model.Binding) -> Entry:
    checks = program().checks.of if program().checks is not None else {}
    lines = python_docs.docstring(binding, checks, program().said).splitlines()
    calls, rest = lines[: len(binding.overloads)], lines[len(binding.overloads) :]
    name = public_name(binding)
    named = [f"Returns {r}." for call in calls if (r := call.rpartition(" -> ")[2]).startswith("(")]
    # In Markdown a formula is a block of its own only after a blank line.
    text = re.sub(r"\A(\S.*\n)(?=    \S)", r"\1\n", "\n".join(rest).strip())
    entry = Entry(
        kind="method" if binding.is_method else "function",
        module=MODULES.get(binding.module or "", f"aten.{binding.module}"),
        name=name,
        signatures=[python_signature(name + call.removeprefix(binding.name)) for call in calls],
        text="\n\n".join([text, "\n".join(dict.fromkeys(named))]).strip(),
        cpp=tuple(dict.fromkeys(_cpp(binding))),
        header=f"ATen/ops/{names.base(binding.overloads[0].function)}.h",
    )
    if not binding.is_method:
        return entry
    signatures = [f"Tensor.{signature}" for signature in entry.signatures]
    return dataclasses.replace(entry, name=f"Tensor.{name}", signatures=signatures, header="")


def _cpp(binding: python_model.Binding) -> Iterator[str]:
    """The declarations of the overloads, without those for sizes that are symbols."""
    for overload in binding.overloads:
        function = overload.function
        views = functions.method_views(function) if binding.is_method else functions.function_views(function)
        for view in views:
            place, const = ("Tensor", " const") if binding.is_method else ("at", "")
            yield f"{view.returns} {place}::{view.name}({view.params}){const};".replace("::std::", "std::")
            break


def python_signature(call: str) -> str:
    """Converts several results to an annotation that Sphinx can parse; the text has their names."""
    head, arrow, returns = call.rpartition(" -> ")
    if not returns.startswith("("):
        return call
    types = ", ".join(part.split()[0] for part in returns.strip("()").split(", "))
    return f"{head}{arrow}tuple[{types}]"
