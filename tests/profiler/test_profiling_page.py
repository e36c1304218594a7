"""The program of docs/profiling.md measures what the page says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from aten.profiler._table import format_memory

PAGE = Path(__file__).resolve().parents[2] / "docs" / "profiling.md"
INDENTED = r"\n\n((?:    .*\n|\n)+)"
SHOW_ALL = "\nfor e in averages:\n    print([e.key, e.count, e.cpu_memory_usage, e.self_cpu_memory_usage])"


def test_names_counts_and_memory(tmp_path: Path) -> None:
    found = re.search(f"step of training:{INDENTED}It prints.*?,{INDENTED}", PAGE.read_text(encoding="utf-8"))
    assert found is not None
    program, printed = (re.sub(r"^    ", "", text, flags=re.MULTILINE).strip() for text in found.groups())
    command = [sys.executable, "-c", program + SHOW_ALL]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "step.json").stat().st_size > 1000
    lines = done.stdout.splitlines()
    assert lines[1].split() == printed.splitlines()[1].split()
    rows = [eval(line) for line in lines if line.startswith("[")]  # what this test printed itself
    for line in printed.splitlines()[3:-2]:
        name, *_, memory, self_memory, count = re.split(r"\s{2,}", line.strip())
        named = [row for row in rows if row[0].startswith(name.removesuffix("..."))]
        shown = [format_memory(row[2]) + format_memory(row[3]) + str(row[1]) for row in named]
        assert memory + self_memory + count in shown
