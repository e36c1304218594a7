"""The output of `opgen build`: progress, compiler warnings about the user's files, the longest steps."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from opgen.build import timings
from opgen.build.driver import Product, build
from opgen.build.failures import Origins
from opgen.build.progress import Progress, clock
from opgen.build.run import BuildOptions
from opgen.build.toolchain import Toolchain, ToolchainError

# The user's file twice, as vectorised kernels are, and a file of the tree itself.
CMAKE = """
cmake_minimum_required(VERSION 3.18)
project(tiny LANGUAGES CXX)
add_compile_options(-Wall)
add_library(simd_one OBJECT src/user/one.cpp)
add_library(simd_two OBJECT src/user/one.cpp)
target_compile_definitions(simd_two PRIVATE one=two)
add_library(tiny SHARED src/shipped.cpp $<TARGET_OBJECTS:simd_one> $<TARGET_OBJECTS:simd_two>)
set_target_properties(tiny simd_one simd_two PROPERTIES POSITION_INDEPENDENT_CODE ON)
install(TARGETS tiny LIBRARY DESTINATION lib)
"""
UNUSED = 'extern "C" int {name}() {{\n  int unused_in_{name};\n  return 1;\n}}\n'


@pytest.fixture
def tools() -> Toolchain:
    try:
        return Toolchain.find("cpu")
    except ToolchainError as error:
        pytest.skip(str(error))


@pytest.fixture
def product(tmp_path: Path, monkeypatch) -> Product:
    tree = tmp_path / "tree"
    (tree / "src" / "user").mkdir(parents=True)
    (tree / "CMakeLists.txt").write_text(CMAKE)
    (tree / "src" / "user" / "one.cpp").write_text(UNUSED.format(name="one"))
    (tree / "src" / "shipped.cpp").write_text(UNUSED.format(name="shipped"))
    files = {"src/user/one.cpp": "kernels/one.cpp", "src/shipped.cpp": "core/shipped.cpp"}
    (tree / "sources.json").write_text(json.dumps({"files": files, "kernels": {}}))
    (tree / "manifest.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    places = {"kernels": Path("my/kernels"), "core": Path("opgen/core")}
    return Product("tiny", "1.0", tree, None, Origins(places, {"kernels"}))


def said(product: Product, tools: Toolchain, capfd, progress: Progress | None = None, **options) -> str:
    folder = product.tree.parent / "build"
    asked = BuildOptions(python=False, **options)
    assert build(product, folder, tools, asked, install=False, progress=progress) == 0
    return capfd.readouterr().err


def test_a_warning_in_the_users_file_is_shown_once(product, tools, capfd):
    text = said(product, tools, capfd)
    assert text.count("my/kernels/one.cpp:2:7: warning: unused variable") == 1
    assert "unused_in_shipped" not in text and str(product.tree) not in text
    assert "warning:" not in said(product, tools, capfd)


def test_shipped_files_are_the_users_where_they_are_worked_on(product, tools, capfd):
    product.origins.places["core"] = Path("core")
    text = said(
        Product("tiny", "1.0", product.tree, None, Origins(product.origins.places, {"core"})), tools, capfd
    )
    assert "core/shipped.cpp:2:7: warning: unused variable" in text and "unused_in_one" not in text


def test_quiet_says_only_warnings(product, tools, capfd):
    text = said(product, tools, capfd, Progress(quiet=True))
    assert "warning: unused variable" in text and "opgen:" not in text and "[" not in text.partition(":")[0]
    assert said(product, tools, capfd, Progress(quiet=True)) == ""


def test_verbose_shows_the_commands(product, tools, capfd):
    text = said(product, tools, capfd, Progress(verbose=True))
    assert re.search(r"^\[\d/4\] .* -c \S*shipped\.cpp", text, re.MULTILINE)
    assert "unused_in_shipped" in text


def test_timings_name_what_was_compiled_in_this_run(product, tools, capfd):
    text = said(product, tools, capfd, timings=True)
    assert re.search(r"opgen: 4 steps took \d+\.\d s of compilers and linkers; longest:\n", text)
    assert re.search(r"^ +\d+\.\d s  src/user/one\.cpp \(simd_two\)$", text, re.MULTILINE)
    (product.tree / "src" / "shipped.cpp").write_text("int shipped() { return 2; }\n")
    again = said(product, tools, capfd, timings=True)
    assert "opgen: 2 steps took" in again and "shipped.cpp (tiny)" in again and "one.cpp" not in again
    assert "longest" not in said(product, tools, capfd, timings=True)


def test_the_longest_steps_come_first_and_the_rest_is_summed():
    steps = [timings.Step(0, 1000 * n, f"CMakeFiles/cpu.dir/{n}.cpp.o", str(n)) for n in range(1, 5)]
    twice = timings.Step(0, 4000, "libtiny.so", "4")  # a second output of the same command
    assert list(timings.table([*steps, twice], shown=2)) == [
        "4 steps took 10.0 s of compilers and linkers; longest:",
        "     4.0 s  4.cpp (cpu)",
        "     3.0 s  3.cpp (cpu)",
        "     3.0 s  the other 2",
    ]


@pytest.mark.parametrize("text", ["", "# ninja log v7\n", "# ninja log v7\n1\t2\n", "\xff\n"])
def test_a_log_that_is_not_whole(tmp_path, text):
    (tmp_path / timings.LOG).write_text(text)
    assert timings.read(tmp_path) == set()


def test_progress_on_a_terminal_is_one_line(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    progress = Progress()
    progress.step(1, 3, "one.cpp")
    progress.say("done")
    assert capsys.readouterr().err == "\r\x1b[K  [1/3, 2 left, 0:00] one.cpp\r\x1b[Kdone\n"


def test_elapsed_time():
    assert [clock(s) for s in (0.9, 61, 3605)] == ["0:00", "1:01", "60:05"]


def test_quiet_and_verbose_exclude_each_other(capsys):
    from opgen.commands import run

    assert run(["build", "-q", "-v"]) == 2
    assert "exclude each other" in capsys.readouterr().err
