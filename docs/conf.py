"""Sphinx's configuration: `make docs` builds the site from the Markdown files of the repository.

The source folder is the repository's root, so that links work on the site and in the repository.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "docs" / "_extensions"), str(ROOT / "cli")]

from opgen import __version__  # noqa: E402  (needs the path)

project = "opgen"
author = "the opgen authors"
project_copyright = "2026, the opgen authors"
version = release = __version__

extensions = ["myst_parser", "sphinx_click", "python_api"]
include_patterns = ["*.md", "docs/**.md", "examples/**README.md"]
exclude_patterns = [".*", "build", "dist", "generated", "tests", "benchmarks"]
root_doc = "docs/index"
myst_heading_anchors = 3
templates_path = ["_templates"]

html_theme = "furo"
html_title = f"opgen {__version__}"
html_show_sourcelink = False
html_copy_source = False
html_additional_pages = {"index": "redirect.html"}

_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_PAGE = re.compile(r"\]\(([^)#:]+)\.md\)")
# Pages whose lists of links are also the site's navigation.
_INDEXES = ("docs/index", "docs/api/aten", "examples/README")


def add_navigation(app: Sphinx, docname: str, source: list[str]) -> None:
    """Adds a toctree of each section's links, so that pages are listed in one place."""
    if docname not in _INDEXES:
        return
    pieces = _SECTION.split(source[0])
    trees = [("", pieces[0]), *zip(pieces[1::2], pieces[2::2], strict=True)]
    for caption, text in trees:
        if pages := _PAGE.findall(text):
            options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
            source[0] += "\n".join(["\n```{toctree}", *options, "", *pages, "```\n"])


def setup(app: Sphinx) -> None:
    app.connect("source-read", add_navigation)
