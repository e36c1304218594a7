"""Runs clang-tidy, and says what it finds in files of the repository."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from .units import ROOT, Unit, place

_FINDING = re.compile(r"(/[^:]+):(\d+):(\d+): (?:warning|error): (.*)")


def has_any(files: Sequence[str], paths: Sequence[str]) -> bool:
    """Whether a file is one of `paths` or below one; of no paths, any file."""
    return not paths or any(file == path or file.startswith(f"{path}/") for file in files for path in paths)


def findings(tool: str, chosen: Sequence[Unit], paths: Sequence[str], jobs: int) -> list[str]:
    """Returns `file:line:column: text [check]`, each once: many units include the same header."""
    with ThreadPoolExecutor(jobs) as workers:
        texts = workers.map(lambda unit: _run(tool, unit), chosen)
        found = {
            (place(path), int(line), int(column), text)
            for lines in texts
            for path, line, column, text in map(re.Match.groups, filter(None, map(_FINDING.match, lines)))
        }
    return [
        f"{file}:{line}:{column}: {text}"
        for file, line, column, text in sorted(found)
        if has_any([file], paths)
    ]


def _run(tool: str, unit: Unit) -> list[str]:
    command = [tool, "--quiet", str(unit.file), "--", *unit.options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0 and ": error: " not in done.stdout:
        raise RuntimeError(f"{' '.join(command)}\nexit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.splitlines()
