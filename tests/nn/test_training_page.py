"""The program of docs/training.md prints what the page says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "training.md"
INDENTED = r"\n\n((?:    .*\n|\n)+)"


def test_the_program_prints_what_the_page_says(tmp_path: Path) -> None:
    found = re.search(f"two numbers:{INDENTED}It prints{INDENTED}", PAGE.read_text(encoding="utf-8"))
    assert found is not None
    program, printed = (re.sub(r"^    ", "", text, flags=re.MULTILINE).strip() for text in found.groups())
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == printed
