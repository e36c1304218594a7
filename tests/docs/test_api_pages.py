"""The API's pages: each name stands on one, with what its docstring says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from house import ROOT

pytest.importorskip("sphinx", reason="the extra `docs` is not installed (make docs installs it)")

import api_entries
import api_operators
import api_places
import api_source
import python_api

PAGES = ROOT / "docs" / "api"
PACKAGE = ROOT / "python" / "aten"
WRITTEN = re.compile(r"```\{written-module\} (\S+)\n:module: (\S+)\n(?::files: (.*)\n)?```")
# On the page of their own module.
ELSEWHERE = {"autograd.grad_mode", "autograd.anomaly_mode", "overrides", "random", "serialization"}


def test_docstrings_become_markdown() -> None:
    text = "Sums.\n\n>>> f(1)\n1\n\nArgs:\n    x (int): a number.\n\nAfter."
    assert api_entries.markdown(text) == [
        *("Sums.", "", "```pycon", ">>> f(1)", "1", "```", ""),
        *("**Args**", "", "- x (int): a number.", "", "After."),
    ]


def test_examples_of_generated_docstrings_become_code() -> None:
    text = "Raises:\n    E: if 1.\n\nExample:\n    >>> f(1)\n    [1,\n     2]\n\n    >>> 2\n    2"
    assert api_entries.markdown(text) == [
        *("**Raises**", "", "- E: if 1.", "", "**Example**", ""),
        *("```pycon", ">>> f(1)", "[1,", " 2]", "```", "", "```pycon", ">>> 2", "2", "```"),
    ]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Sums\nall. Then more.\n\nArgs:", "Sums all."),
        ("Products: of two.", "Products:"),
        ("At 0.5 it turns. Then", "At 0.5 it turns."),
        ("No stop\n\nmore.", "No stop"),
    ],
)
def test_first_sentence(text: str, first: str) -> None:
    assert api_entries.first_sentence(text) == first


def test_generated_functions_have_what_the_docs_say() -> None:
    (cumsum,) = (entry for entry in api_operators.generated("") if entry.name == "cumsum")
    sentence, formula, *_ = cumsum.text.split("\n\n")
    assert sentence.startswith("Running sum along dim") and formula.startswith("    out[i] = ")
    assert "\nReturns:\n    (..., M, ...).\n" in cumsum.text
    assert "\nExample:\n    >>> aten.cumsum(" in cumsum.text
    assert cumsum.summary.startswith("Running sum along dim")
    assert "at::Tensor at::cumsum(const at::Tensor & self, int64_t dim" in cumsum.cpp[0]
    assert cumsum.header == "ATen/ops/cumsum.h"


def test_generated_functions_have_the_names_users_call() -> None:
    top = {entry.name: entry for entry in api_operators.generated("")}
    assert top["mul"].signatures == ["mul(input, other, *, out=None) -> Tensor"]
    assert top["topk"].signatures[0].endswith("-> tuple[Tensor, Tensor]")
    assert "Returns (Tensor values, Tensor indices)." in top["topk"].text
    assert {"fft", "rfft"} <= {entry.name for entry in api_operators.generated("fft")}
    assert not [name for name in top if name.startswith("_")]


def test_methods_are_those_of_the_class() -> None:
    relu = next(entry for entry in api_operators.generated(None) if entry.name == "Tensor.relu")
    assert relu.signatures == ["Tensor.relu() -> Tensor"]
    assert relu.cpp == ("at::Tensor Tensor::relu() const;",)


def test_written_modules_are_read_with_what_they_import() -> None:
    entries = api_source.written(PACKAGE / "autograd" / "__init__.py", "aten.autograd")
    found = {entry.name: entry for entry in entries}
    assert {"Function", "no_grad", "gradcheck"} <= found.keys()  # taken from three files beside it
    assert found["gradcheck"].signatures[0].startswith("gradcheck(") and found["gradcheck"].text
    assert not [name for name in found if name.startswith("_")]


def test_leading_comments_of_headers() -> None:
    text = python_api.leading_comment(ROOT / "core" / "ATen" / "Parallel.h")
    assert api_entries.first_sentence(text) == "at::parallel_for and at::parallel_reduce."


def test_every_function_has_a_page_of_its_subject() -> None:
    for subject, entries in api_places.functions().items():
        pages = [p for p in PAGES.rglob("*.md") if f"```{{operators}} {subject}\n" in p.read_text()]
        assert len(pages) == 1, (subject, [entry.full_name for entry in entries])
    placed = Counter(e.full_name for entries in api_places.functions().values() for e in entries)
    assert max(placed.values()) == 1
    generated = {e.full_name for short in api_places.MODULES for e in api_operators.generated(short)}
    assert len(generated) > 600 and not generated - placed.keys()


def written_pages() -> Iterator[tuple[str, str, set[str]]]:
    for page in PAGES.rglob("*.md"):
        for path, module, files in WRITTEN.findall(page.read_text()):
            yield path, module, set(files.split())


def test_every_name_of_the_package_has_a_page() -> None:
    placed = {e.full_name for entries in api_places.functions().values() for e in entries}
    listed = {file for path, module, files in written_pages() if module == "aten" for file in files}
    names = api_source.definitions(PACKAGE / "__init__.py")
    assert len(names) > 70
    assert not [
        (name, definition.file)
        for name, definition in names.items()
        if f"aten.{name}" not in placed and definition.file not in listed | ELSEWHERE
    ]


def test_every_package_has_a_page() -> None:
    written = {module for _, module, _ in written_pages()}
    folders = {f"aten.{file.parent.name}" for file in PACKAGE.glob("[a-z]*/__init__.py")}
    without = {
        "aten.torch",
        "aten.utils",
        "aten.backends",
        "aten.array_api",
        "aten.multiprocessing",
        "aten.cpu",
    }
    assert folders - written == without
