"""docs/reference/signatures.md is true: every signature in it is recomputed from schemas/ and compared."""

import re
from pathlib import Path

import pytest
from opgen import pipeline
from opgen.api import convert, cpp, dispatcher, native, python, python_groups, runtime_schema, structured
from opgen.model import Variant

REPO = Path(__file__).parents[3]
PAGE = REPO / "docs" / "reference" / "signatures.md"
ROW = re.compile(r"^\| (.+?) \| `(.+)` \|$", re.MULTILINE)


@pytest.fixture(scope="module")
def program():
    return pipeline.load(REPO / "schemas", checked=False)[0]


@pytest.fixture(scope="module")
def sections():
    """Returns the (label, signature) rows of each operator."""
    parts = re.split(r"^## `(.+)`$", PAGE.read_text(), flags=re.MULTILINE)
    return {name: ROW.findall(text) for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def rows(program, name):
    """Returns the page's rows for an operator, in its order."""
    f = program.by_name[name]
    group = program.group_of.get(name)
    if Variant.function in f.variants:
        forms = list(cpp.functions(f))
        labels = ["function", "faithful"] if cpp.has_faithful(f.schema) else ["function"]
        labels += [f"{label}, symint" for label in labels] if f.schema.has_symint() else []
        yield from zip(labels, (s.decl() for s in forms), strict=True)
    if Variant.method in f.variants:
        yield "method", cpp.method(f).decl()
    yield "dispatcher", dispatcher.signature(f).defn()
    for key, kernel in f.dispatch.items():
        if not kernel.structured:
            signature = native.signature(f, kernel)
            yield f"native, {key}", signature.decl()
            exprs = convert.exprs(dispatcher.params(f), signature.params)
            yield f"call of it, {key}", f"at::native::{kernel.name}({', '.join(exprs)})"
    if group is not None and f.structured:
        meta = f"{structured.meta_name(group)}::meta"
        yield "meta", structured.meta_signature(group).decl(meta)
        for key, kernel in f.dispatch.items():
            impl = f"{structured.impl_name(kernel)}::impl"
            yield f"impl, {key}", structured.impl_signature(group).decl(impl)
    yield "run-time schema", runtime_schema.text(f)
    yield "Python", python.signature(f).text()


def test_every_signature_of_the_page(program, sections):
    assert sections
    for name, stated in sections.items():
        if name != "Python overloads":
            assert stated == list(rows(program, name)), name


def test_order_of_python_overloads(program, sections):
    stated = sections["Python overloads"]
    functions = [f for f in program.functions if f.root_name in {label for label, _ in stated}]
    made = python_groups.groups(functions)[python_groups.FUNCTIONS]
    assert stated == [(name, g.signature.text()) for name, found in made.items() for g in found]
