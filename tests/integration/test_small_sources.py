"""Small sources are compiled in unity builds. A new file changes which sources are compiled together, so any
sources of a kind must compile together; and each alone, as in a build with UNITY_SOURCES=1.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from compilers import syntax_errors

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("CORE", "OPS", "CPU", "SIMD")
PARTS = 4

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def tree(once: Callable[..., Path]) -> Path:
    def make(folder: Path) -> None:
        generate = [sys.executable, "-m", "opgen", "generate", ROOT / "schemas", "--out", folder / "aten"]
        generate += ["--backend", "cpu"]
        subprocess.run(generate, check=True, env={"PYTHONPATH": str(ROOT / "cli")}, capture_output=True)

    return once("small sources", make) / "aten"


def listed(kind: str, tree: Path) -> list[str]:
    found = re.search(
        rf"set\(SOURCES_{kind}\n(.*?)\)", (tree / "cmake" / "library.cmake").read_text(), re.DOTALL
    )
    assert found is not None
    if kind != "SIMD":
        return found[1].split()
    small = re.search(r'set\(SMALL_SIMD_SOURCES\s+"(.*?)"\)', (tree / "cmake" / "kinds.cmake").read_text())
    assert small is not None
    return [source for source in found[1].split() if re.search(small[1], source)]


def complaints(tree: Path, file: Path, *options: str) -> str:
    """Returns what the compiler says of a file that doesn't compile."""
    flags = ["-w", "-DC10_BUILDING_LIBRARY", "-DHAVE_DEFAULT_CPU_DEFINITION", *options]
    return syntax_errors(tree, file, flags, [tree / "include" / "aten", tree / "src"])[:4000]


def defined(kind: str) -> list[str]:
    return ["-DCPU_CAPABILITY=DEFAULT", "-DCPU_CAPABILITY_DEFAULT"] if kind == "SIMD" else []


@pytest.mark.parametrize("kind", KINDS)
def test_all_sources_of_a_kind_compile_together(kind: str, tree: Path) -> None:
    sources = listed(kind, tree)
    assert len(sources) > 30
    together = tree / f"{kind}.cpp"
    together.write_text("".join(f'#include "{source}"\n' for source in sources))
    assert complaints(tree, together, *defined(kind)) == ""


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", KINDS)
def test_each_source_compiles_alone(kind: str, part: int, tree: Path) -> None:
    sources = listed(kind, tree)[part::PARTS]
    said = {source: complaints(tree, tree / source, *defined(kind)) for source in sources}
    assert {source: text for source, text in said.items() if text} == {}
