"""The program of docs/capture.md prints what the page says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "capture.md"
INDENTED = r"\n\n((?:    .*\n|\n)+)"


def test_the_program_prints_what_the_page_says() -> None:
    found = re.search(f"consists of:{INDENTED}It prints{INDENTED}", PAGE.read_text(encoding="utf-8"))
    assert found is not None
    program, printed = (re.sub(r"^    ", "", text, flags=re.MULTILINE).strip() for text in found.groups())
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == printed
