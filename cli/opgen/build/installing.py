"""Installing a wheel into opgen's Python environment, unless it is installed already."""

from __future__ import annotations

import csv
import importlib.metadata
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

from opgen.build.progress import Progress
from opgen.build.toolchain import ToolchainError


def install(wheel: Path, name: str, progress: Progress) -> None:
    """Installs `wheel`, the package `name`. Raises ToolchainError."""
    if is_installed(wheel, name):
        progress.say(f"opgen: {name} is installed in {sys.prefix}")
        return
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run(
        [*command, "--force-reinstall", str(wheel)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ToolchainError(f"pip could not install {wheel}:\n{done.stdout}{done.stderr}")
    progress.say(f"opgen: installed {name} into {sys.prefix}")


def is_installed(wheel: Path, name: str) -> bool:
    """Whether this environment has each file of `wheel`, as its RECORD describes it."""
    try:
        found = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    with zipfile.ZipFile(wheel) as archive:
        info = next(n for n in archive.namelist() if n.endswith(".dist-info/RECORD"))
        wanted = _rows(archive.read(info).decode().splitlines())
    return wanted <= _rows((found.read_text("RECORD") or "").splitlines()) and all(
        _has_size(Path(str(found.locate_file(path))), size) for path, _, size in wanted
    )


def _rows(lines: Iterable[str]) -> set[tuple[str, ...]]:
    """Returns (path, hash, size) of each file."""
    return {tuple(row) for row in csv.reader(lines) if len(row) == 3}


def _has_size(file: Path, size: str) -> bool:
    """Whether the file has the recorded size. RECORD lists itself without a size."""
    try:
        return not size or file.stat().st_size == int(size)
    except OSError:
        return False
