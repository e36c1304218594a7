"""The tree is written as CONTRIBUTING says: clang-tidy finds nothing, and it does find what isn't."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from subjects import TOP_FOLDERS, subjects

from tools.tidy import checking
from tools.tidy.units import BUILD, FOLDERS, ROOT, Unit, options_of, place, units

TOOL = shutil.which("clang-tidy", path=str(Path(sys.executable).parent))
needs_tool = pytest.mark.skipif(TOOL is None, reason="there is no clang-tidy; `make lint` installs it")
# The subjects of operators, each with its kernels, and the folders of the rest.
PARTS = {
    **{name: [f"{top}/{name}" for top in TOP_FOLDERS] for name in sorted(subjects(ROOT) | {"runtime"})},
    **{path: [path] for path in ("core/ATen", "core/c10", "core/torch", "cuda/ATen", "cuda/c10")},
    **{"cpu/simd": ["cpu/simd", "cpu/loops.cpp"], "python/bindings": ["python/bindings"]},
}

LAPSES = {
    "enum class Kind { first, Second };": "invalid case style for enum constant 'first'",
    "constexpr int kLimit = 3;": "invalid case style for constexpr variable 'kLimit'",
    "int count(int n) {\n  if (n > 2)\n    return 3;\n  return n;\n}": "should be inside braces",
    "int* nothing() { return 0; }": "use nullptr",
    "struct A { virtual int f(); };\nstruct B : A { virtual int f(); };": "prefer using 'override'",
    "void f(int size);\nvoid g() { f(/*count=*/3); }": "argument name 'count' in comment",
}
FINE = """
enum class Kind { First, Second };
constexpr int limit = 3;
int count(int n) {
  if (n > limit) return limit;
  for (int i = 0; i < n; ++i) {
    n += limit + static_cast<int>(Kind::First) + i;
  }
  const int U = n, dVh = 2 * U, square_L = dVh;
  return square_L;
}
"""


def found_in(text: str, folder: Path) -> list[str]:
    shutil.copy(ROOT / ".clang-tidy", folder)
    file = folder / "some.cpp"
    file.write_text(text + "\n")
    return checking.findings(str(TOOL), [Unit(file, ("-std=c++20",))], [], 1)


@needs_tool
@pytest.mark.parametrize("text", LAPSES)
def test_lapse_is_found(text, tmp_path) -> None:
    findings = found_in(text, tmp_path)
    assert findings and LAPSES[text] in findings[0], findings


@needs_tool
def test_good_code_has_no_finding(tmp_path) -> None:
    assert found_in(FINE, tmp_path) == []


@needs_tool
def test_what_does_not_compile_is_a_finding(tmp_path) -> None:
    (finding,) = found_in("int f() { return unknown; }", tmp_path)
    assert (
        finding
        == f"{tmp_path}/some.cpp:1:18: use of undeclared identifier 'unknown' [clang-diagnostic-error]"
    )


@pytest.fixture(scope="session")
def all_units() -> list[Unit]:
    if not (BUILD / "compile_commands.json").exists():
        pytest.skip("nothing is built; `make build` writes compile_commands.json")
    return units()


@pytest.mark.slow
@needs_tool
@pytest.mark.parametrize("part", PARTS)
def test_follows_the_style(part, all_units) -> None:
    """And so do the headers that it includes."""
    chosen = [unit for unit in all_units if checking.has_any(unit.sources, PARTS[part])]
    findings = checking.findings(str(TOOL), chosen, [], 1)
    assert chosen and not findings, "\n".join(findings)


@pytest.mark.slow
def test_every_source_is_in_a_part(all_units) -> None:
    checked = {source for unit in all_units for source in unit.sources}
    files = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.c*"))
    sources = {path.relative_to(ROOT).as_posix() for path in files if path.suffix in (".cpp", ".cu")}
    paths = [path for part in PARTS.values() for path in part]
    assert sources - checked == set()
    assert {source for source in sources if not checking.has_any([source], paths)} == set()


def test_files_have_their_paths_in_the_repository() -> None:
    assert place(str(ROOT / "ops/views/permute.cpp")) == "ops/views/permute.cpp"
    assert place(str(ROOT / "build/tidy/sorting/sort.cu.cpp")) == "cuda/sorting/sort.cu"
    assert place(str(ROOT / "build/tidy/ATen/native/cuda/Loops.cuh")) == "cuda/Loops.cuh"
    assert place("/usr/include/stdio.h") == "/usr/include/stdio.h"


def test_options_are_those_that_say_what_the_text_means() -> None:
    command = "ccache c++ -DNDEBUG -Icore -isystem /usr/python -O2 -std=c++20 -mavx2 -fno-gnu-unique -c a.cpp"
    assert options_of(command) == ("-DNDEBUG", "-Icore", "-std=c++20", "-mavx2", "-isystem/usr/python")


def test_paths_choose_files_and_folders() -> None:
    files = ["ops/sorting/sort.cpp", "ops/views/permute.cpp"]
    assert checking.has_any(files, [])
    assert checking.has_any(files, ["ops/sorting"]) and checking.has_any(files, ["ops/views/permute.cpp"])
    assert not checking.has_any(files, ["ops/sort", "cpu"])
