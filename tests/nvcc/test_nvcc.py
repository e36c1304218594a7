"""nvcc compiles each file of cuda/, for one architecture, as `make wheel` does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ARCHITECTURE = "75"
NVCC = os.environ.get("CUDACXX") or shutil.which("nvcc")
# With it a file is compiled again where it, a header or the command changed: the folder is always a new one.
LAUNCHER = "ccache " if shutil.which("ccache") else ""
FILES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "cuda").rglob("*.cu"))
pytestmark = [pytest.mark.slow, pytest.mark.skipif(NVCC is None, reason="there is no nvcc")]


def configured(folder: Path) -> None:
    """Leaves compile_commands.json in the folder, for files of a tree in it."""
    tools = Path(sys.executable).parent
    generate = [sys.executable, "-m", "opgen", "generate", ROOT / "schemas", "--out", folder / "tree"]
    subprocess.run([*generate, "--backend", "cuda"], check=True, stdout=subprocess.DEVNULL)
    cmake = [tools / "cmake", "-S", folder / "tree", "-B", folder, "-G", "Ninja"]
    options = [f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}", f"-DPython3_EXECUTABLE={sys.executable}"]
    options += ["-DBUILD_CUDA=ON", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
    options += [f"-DCMAKE_CUDA_ARCHITECTURES={ARCHITECTURE}"]
    done = subprocess.run([*cmake, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]


@pytest.fixture(scope="session")
def commands(once) -> dict[str, dict[str, str]]:
    """What compiles each file, by its path in the repository."""
    folder = once("nvcc", configured)
    names = json.loads((folder / "tree" / "sources.json").read_text())["files"]
    entries = json.loads((folder / "compile_commands.json").read_text())
    inside = {os.path.relpath(entry["file"], folder / "tree"): entry for entry in entries}
    return {names.get(path, path): entry for path, entry in inside.items()}


def test_every_file_is_of_the_library(commands) -> None:
    assert set(FILES) == {name for name in commands if name.startswith("cuda/") and name.endswith(".cu")}


@pytest.mark.parametrize("file", FILES)
def test_compiles(commands, file) -> None:
    entry = commands[file]
    folder = entry["directory"]
    done = subprocess.run(
        f"{LAUNCHER}{entry['command']}",
        shell=True,
        cwd=folder,
        env={**os.environ, "CCACHE_BASEDIR": folder, "CCACHE_NOHASHDIR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{file}:\n{(done.stdout + done.stderr)[-6000:]}"
