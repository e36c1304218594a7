"""A generated tree is a project that CMake and a compiler build and install, without opgen.

Its operators are those that the example calls, and those that these call: half the files of the whole
library.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from compilers import unoptimised

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "cpp"
OPERATORS = """
    add arange argmin clamp div eq equal fill_ gt item mm mul ones randn select stack
    sub sum t to unsqueeze view where
""".split()

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=plain_environment() | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def plain_environment() -> dict[str, str]:
    """Returns an environment without this project and its Python, which the tree must not need."""
    folders = [d for d in os.environ["PATH"].split(os.pathsep) if not Path(d, "opgen").exists()]
    kept = {name: os.environ[name] for name in ("HOME", "LANG", "CCACHE_DIR") if name in os.environ}
    return kept | {"PATH": os.pathsep.join(folders)}


@pytest.fixture(scope="session")
def cmake() -> str:
    found = shutil.which("cmake")
    if found is None:
        cmake_package = pytest.importorskip("cmake")
        found = str(Path(cmake_package.CMAKE_BIN_DIR) / "cmake")
    return found


@pytest.fixture(scope="session")
def prefix(once: Callable[..., Path], cmake: str) -> Path:
    """Returns where the library is, built in a folder with a space in its name, and then moved."""

    def make(folder: Path) -> None:
        generate = [
            sys.executable,
            "-m",
            "opgen",
            "generate",
            ROOT / "schemas",
            "--name",
            "aten",
            "--out",
            "aten",
            "--backend",
            "cpu",
        ]
        run(*generate, "--ops", ",".join(OPERATORS), cwd=folder, PYTHONPATH=str(ROOT / "cli"))
        shutil.rmtree(folder / "aten" / "python")
        built_for = folder / "built for"
        options = ["-G", "Unix Makefiles", f"-DCMAKE_INSTALL_PREFIX={built_for}"]
        options += ["-DCPU_CAPABILITIES=default", "-DUNITY_SOURCES=24"]  # parsing headers is most of the work
        run(cmake, "-S", "aten", "-B", "build", *options, cwd=folder, CXX=str(unoptimised(folder)))
        run(cmake, "--build", "build", "-j", "2", cwd=folder)
        run(cmake, "--install", "build", cwd=folder)
        built_for.rename(folder / "moved to")

    return once("a tree elsewhere", make) / "moved to"


def expected_output() -> str:
    """Returns the output that the example's README shows."""
    lines = (EXAMPLE / "README.md").read_text().partition("It prints")[2].splitlines()
    return "\n".join(line[4:] for line in lines if line.startswith("    ")) + "\n"


def test_the_licence_is_installed(prefix: Path) -> None:
    installed = prefix / "share" / "licenses" / "aten" / "LICENSE"
    assert installed.read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_find_package(prefix: Path, cmake: str, tmp_path: Path) -> None:
    run(
        cmake,
        "-S",
        EXAMPLE,
        "-B",
        "build",
        "-G",
        "Unix Makefiles",
        f"-DCMAKE_PREFIX_PATH={prefix}",
        cwd=tmp_path,
    )
    run(cmake, "--build", "build", cwd=tmp_path)
    assert run(tmp_path / "build" / "clusters", cwd=tmp_path) == expected_output()


@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="there is no pkg-config")
def test_pkg_config(prefix: Path, tmp_path: Path) -> None:
    paths = {"PKG_CONFIG_PATH": str(next(prefix.rglob("pkgconfig")))}
    # What pkg-config prints is quoted for another reading by the shell.
    script = """eval "g++ -O1 '$0' -o clusters $(pkg-config --cflags --libs aten)" """
    run("sh", "-c", script, EXAMPLE / "clusters.cpp", cwd=tmp_path, **paths)
    libraries = next(prefix.rglob("libaten.so")).parent
    assert run(tmp_path / "clusters", cwd=tmp_path, LD_LIBRARY_PATH=str(libraries)) == expected_output()


def test_installed_text_has_no_absolute_paths(prefix: Path) -> None:
    here = str(prefix.parent)
    texts = [p for p in prefix.rglob("*") if p.suffix in {".cmake", ".pc", ".h"} and p.is_file()]
    assert texts and not [p for p in texts if here in p.read_text()]
    assert here.encode() not in next(prefix.rglob("libaten.so")).read_bytes()
