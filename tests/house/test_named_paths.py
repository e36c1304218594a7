"""Files, folders and functions named in the first pages of the documentation exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from house import ROOT

PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "docs/index.md", "docs/glossary.md")
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
CODE = re.compile(r"```.*?```|`[^`\n]+`|^    [^\n]*$", re.DOTALL | re.MULTILINE)
# A path has a slash. After `<`, `/`, `:` or `$` it is a part of something else: an include, a URL, REF:PATH.
PATH = re.compile(r"(?<![\w<>/:$.*~-])\.?[A-Za-z][\w.-]*/(?:[\w.*-]+/?)*")
# Build outputs, and paths in generated trees and in users' projects.
MADE = ("generated/", "build/", "dist/", ".venv/", "path/to/")
CALL = re.compile(r"\b(\w+)\(\)")


def paths(text: str) -> Iterator[str]:
    """Yields the paths in code spans; one capital letter is any name, as in templates/X/Y.mako."""
    for code in CODE.findall(text):
        for path in PATH.findall(code):
            if not path.startswith(MADE):
                yield re.sub(r"\b[A-Z]\b", "*", path)


def is_there(path: str, folder: Path = ROOT) -> bool:
    return any(folder.glob(path.rstrip("/"))) if "*" in path else (folder / path).exists()


def calls(text: str) -> Iterator[tuple[str, str]]:
    """Yields (file, function) of the lines of a drawing that name both."""
    for drawing in re.findall(r"```text\n(.*?)```", text, re.DOTALL):
        for line in drawing.splitlines():
            found = PATH.search(line)
            for name in CALL.findall(line) if found else ():
                yield found[0], name


@pytest.mark.parametrize("page", PAGES)
def test_paths_are_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    missing = {path for path in paths(text) if not is_there(path)}
    links = [link for link in LINK.findall(text) if "://" not in link]
    missing |= {link for link in links if not is_there(link, (ROOT / page).parent)}
    assert not missing, f"{page} names a path that does not exist"


def test_functions_stand_in_the_files_they_are_drawn_with() -> None:
    found = list(calls((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")))
    assert len(found) > 20
    missing = [
        f"{path}: {name}"
        for path, name in found
        if is_there(path) and not re.search(rf"\b{name}\(", (ROOT / path).read_text(encoding="utf-8"))
    ]
    assert not missing


def test_what_is_missing_is_found() -> None:
    text = (
        "`core/nowhere.h`, `templates/X/Y.nowhere`, `core/ATen/`, `main:schemas/x.yaml`, `<ATen/ops/add.h>`"
    )
    assert [path for path in paths(text) if not is_there(path)] == ["core/nowhere.h", "templates/*/*.nowhere"]
    assert list(calls("```text\ncli/opgen/pipeline.py  load()  nothing\n```")) == [
        ("cli/opgen/pipeline.py", "load")
    ]
