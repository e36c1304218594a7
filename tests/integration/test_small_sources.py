"""Small sources are compiled in unity builds. A new file changes which sources are compiled together, so any
sources of a kind must compile together. test_standalone.py checks that each also compiles alone.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from compilers import host_compiler

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def tree(once: Callable[..., Path]) -> Path:
    def make(folder: Path) -> None:
        generate = [sys.executable, "-m", "opgen", "generate", ROOT / "schemas", "--out", folder / "aten"]
        generate += ["--backend", "cpu"]
        subprocess.run(generate, check=True, env={"PYTHONPATH": str(ROOT / "cli")}, capture_output=True)

    return once("small sources", make) / "aten"


@pytest.mark.parametrize("kind", ["CORE", "OPS", "CPU"])
def test_all_sources_of_a_kind_compile_together(kind: str, tree: Path, tmp_path: Path) -> None:
    listed = re.search(
        rf"set\(SOURCES_{kind}\n(.*?)\)", (tree / "cmake" / "library.cmake").read_text(), re.DOTALL
    )
    assert listed is not None
    sources = listed[1].split()
    assert len(sources) > 30
    together = tmp_path / "together.cpp"
    together.write_text("".join(f'#include "{tree / source}"\n' for source in sources))
    flags = ["-std=c++20", "-fsyntax-only", "-w", "-DC10_BUILDING_LIBRARY", "-DHAVE_DEFAULT_CPU_DEFINITION"]
    folders = [f"-I{tree / 'include' / 'aten'}", f"-I{tree / 'src'}"]
    command = [host_compiler(), *flags, *folders, str(together)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
