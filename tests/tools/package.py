"""The Python package of a library, not installed: unpacked from a wheel, or built from a generated tree by
CMake.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path


def from_wheel(wheel: Path, folder: Path) -> Path:
    """Unpacks a wheel and returns the folder to import from."""
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def from_tree(tree: Path, build: Path, options: list[str], jobs: int) -> Path:
    """Builds a tree and returns the folder to import from; a failed step ends the program with the end of its
    output.
    """
    folder = Path(sys.executable).parent
    cmake, ninja = (shutil.which(tool, path=str(folder)) or shutil.which(tool) for tool in ("cmake", "ninja"))
    configure = [cmake, "-S", tree, "-B", build, "-DBUILD_PYTHON=ON", "-DCMAKE_BUILD_TYPE=Release"]
    configure += [f"-DPython3_EXECUTABLE={sys.executable}", "-DCMAKE_INSTALL_LIBDIR=lib", *options]
    if ninja:
        configure += ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"]
    run(*configure)
    run(cmake, "--build", build, "-j", str(jobs))
    run(cmake, "--install", build, "--prefix", build / "stage")
    return assembled(tree, build)


def assembled(tree: Path, build: Path) -> Path:
    """Copies Python files, module and library to a folder, arranged as in a wheel."""
    package = build / "package" / "aten"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(tree / "python" / "aten", package)
    shutil.copytree(build / "stage" / "python" / "aten", package, dirs_exist_ok=True)
    for part in ("lib", "include"):
        shutil.copytree(build / "stage" / part, package / part)
    return package.parent


def run(*command: str | Path | None) -> None:
    """Runs a command; ends with the end of its output when it fails."""
    words = [str(c) for c in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)} failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
