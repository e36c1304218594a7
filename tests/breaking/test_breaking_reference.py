"""The reference page agrees with the rules."""

from __future__ import annotations

import os
from pathlib import Path

from opgen.breaking.reference import page

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "breaking-rules.md"
MEASURED = "\n## Releases of PyTorch\n"


def test_the_page_is_of_these_rules():
    """The page equals the one generated from the rules. UPDATE_SNAPSHOT=1 rewrites it, except the tables of
    benchmarks/breaking_releases.py.
    """
    written = PAGE.read_text(encoding="utf-8") if PAGE.exists() else MEASURED
    if os.environ.get("UPDATE_SNAPSHOT"):
        PAGE.write_text(page() + MEASURED + written.partition(MEASURED)[2], encoding="utf-8")
        written = PAGE.read_text(encoding="utf-8")
    assert written.partition(MEASURED)[0] == page()
