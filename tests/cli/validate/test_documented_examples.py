"""Every example of YAML in the documentation, in the file of its kind."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from front import ROOT
from opgen.commands import run

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The first key of an entry, and the file that has such entries. Sentences have the operator's name as key.
KINDS = {
    "func": "native_functions.yaml",
    "name": "derivatives.yaml",
    "op": "functions.yaml",
    "ops": "checks.yaml",
    "cast": "autocast.yaml",
}
# Files of CI services are mappings.
_ENTRIES = re.compile(r"(?:#.*\n|\s)*- ")


def errors(folder: Path, capsys) -> list[dict]:
    run(["validate", str(folder), "--format", "json"])
    return [d for d in json.loads(capsys.readouterr().out)["diagnostics"] if d["severity"] == "error"]


def examples() -> list[tuple[str, str]]:
    """Returns (place, text) of each block of entries."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in _BLOCK.finditer(text):
            line = text[: block.start()].count("\n") + 1
            if _ENTRIES.match(block[1]):
                found.append((f"{page.relative_to(ROOT)}:{line}", block[1]))
    return found


def entries(text: str) -> list[str]:
    return [part for part in re.split(r"^(?=- )", text, flags=re.MULTILINE) if part.startswith("- ")]


def kind(text: str) -> str:
    key = re.match(r"- ([\w:]+):", entries(text)[0])
    assert key is not None, text
    return KINDS.get(key[1], "docs.yaml")


def schema(name: str) -> str:
    """Returns the schema that the operator has in aten, or any for others."""
    functions = (ROOT / "schemas" / "native_functions.yaml").read_text(encoding="utf-8")
    found = re.search(rf"^- func: ({name}\(.*)$", functions, re.MULTILINE)
    return found[1] if found else f"{name}(Tensor self) -> Tensor"


def declared(text: str) -> str:
    """Returns declarations of the operators that an example is about, unless it has them."""
    if kind(text) == "derivatives.yaml":
        schemas = [found[1] for found in re.finditer(r"^- name: ([^#\n]+?) *(?:#.*)?$", text, re.MULTILINE)]
    elif kind(text) == "docs.yaml":
        schemas = [schema(found[1]) for found in re.finditer(r"^- ([\w:]+): ", text, re.M)]
    else:
        return text
    return "".join(
        f"- func: {schema}\n  dispatch:\n    CPU: kernel_{n}\n" for n, schema in enumerate(schemas)
    )


def test_there_are_examples_of_every_kind():
    kinds = {kind(text) for _, text in examples()}
    assert kinds == {*KINDS.values(), "docs.yaml"}


@pytest.mark.parametrize(
    ("place", "text"),
    [e for e in examples() if kind(e[1]) in ("native_functions.yaml", "derivatives.yaml", "docs.yaml")],
    ids=lambda value: value if value.startswith(("docs/", "README")) else "",
)
def test_an_example_is_valid(tmp_path: Path, capsys, place, text):
    (tmp_path / "native_functions.yaml").write_text(declared(text), encoding="utf-8")
    if kind(text) != "native_functions.yaml":
        (tmp_path / kind(text)).write_text(text, encoding="utf-8")
    assert errors(tmp_path, capsys) == [], place


def test_the_examples_about_aten_are_valid_beside_its_declarations(tmp_path: Path, capsys):
    for name in ("native_functions.yaml", "tags.yaml"):
        shutil.copy(ROOT / "schemas" / name, tmp_path)
    for name in ("checks.yaml", "autocast.yaml"):
        text = "".join(text for _, text in examples() if kind(text) == name)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert errors(tmp_path, capsys) == []
