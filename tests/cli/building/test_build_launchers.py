"""Compiler caches and distributed compilation: `--launcher`, `[build] launcher`, CXX="ccache g++"."""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
from pathlib import Path

import pytest
from opgen.build import driver
from opgen.build.driver import Product, build
from opgen.build.run import BuildOptions, configure
from opgen.build.toolchain import LAUNCHERS, Toolchain, ToolchainError
from opgen.commands import run

CMAKE = """
cmake_minimum_required(VERSION 3.18)
project(tiny LANGUAGES CXX)
add_library(tiny SHARED one.cpp two.cpp)
target_precompile_headers(tiny PRIVATE <string>)
install(TARGETS tiny LIBRARY DESTINATION lib)
"""
# Runs the compiler, as an empty cache does.
LAUNCHER = """#!/bin/sh
[ "$1" = -k ] && {{ echo '{log}.cache'; exit; }}
echo "$CCACHE_SLOPPINESS: $(basename "$0") $*" >> '{log}'
exec "$@"
"""


def has_links(folder: Path) -> bool:
    """Whether the compilers of a folder are links to ccache, which is no launcher then."""
    return (folder / "c++").resolve().name == "ccache"


@pytest.fixture
def log(tmp_path: Path, monkeypatch) -> Path:
    """The file in which launchers record what they run."""
    folder, file = tmp_path / "bin", tmp_path / "log"
    folder.mkdir()
    for name in LAUNCHERS:
        (folder / name).write_text(LAUNCHER.format(log=file))
        (folder / name).chmod(0o755)
    others = [place for place in os.environ["PATH"].split(":") if not has_links(Path(place))]
    monkeypatch.setenv("PATH", ":".join([str(folder), *others]))
    monkeypatch.delenv("CCACHE_SLOPPINESS", raising=False)
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.chdir(tmp_path)
    try:
        Toolchain.find("cpu")
    except ToolchainError as error:
        pytest.skip(str(error))
    return file


@pytest.fixture
def product(tmp_path: Path, log: Path) -> Product:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "CMakeLists.txt").write_text(CMAKE)
    for name in ("one", "two"):
        (tree / f"{name}.cpp").write_text(f"#include <string>\nstd::string {name}() {{ return {{}}; }}\n")
    (tree / "sources.json").write_text('{"files": {}, "kernels": {}}')
    (tree / "manifest.json").write_text("{}")
    return Product("tiny", "1.0", tree)


def compile_with(product: Product, tools: Toolchain, log: Path, folder: str = "build") -> list[str]:
    """Returns what the launchers ran."""
    log.write_text("")
    build(product, Path(folder), tools, BuildOptions(python=False), install=False)
    return log.read_text().splitlines()


def test_every_compilation_goes_through_the_launcher(product, log, capfd):
    ran = compile_with(product, Toolchain.find("cpu", "ccache"), log)
    assert all(re.match("pch_defines,time_macros[a-z_,]*: ccache /", line) for line in ran)
    assert {name for name in ("one.cpp", "two.cpp", "cmake_pch.hxx") for line in ran if f"/{name}" in line}
    assert " through ccache" in capfd.readouterr().err


def test_only_ccache_takes_precompiled_headers(product, log):
    assert any("cmake_pch" in line for line in compile_with(product, Toolchain.find("cpu", "ccache"), log))
    ran = compile_with(product, Toolchain.find("cpu", "distcc"), log, "other")
    assert len(ran) == 2 and not any("cmake_pch" in line for line in ran)


def test_a_build_without_launcher_forgets_it(product, log):
    assert compile_with(product, Toolchain.find("cpu", "ccache"), log)
    (product.tree / "one.cpp").write_text("#include <string>\nstd::string three() { return {}; }\n")
    assert compile_with(product, Toolchain.find("cpu"), log) == []


def test_another_compiler_gets_the_same_options(product, log, tmp_path, monkeypatch):
    """CMake forgets the options of a configuration whose compiler is another than the last one's."""
    (product.tree / "CMakeLists.txt").write_text(CMAKE + "option(BUILD_PYTHON OFF)\n")
    first = Toolchain.find("cpu")
    other = tmp_path / "bin" / "other-c++"
    other.write_text(f'#!/bin/sh\nexec "{first.cxx}" "$@"\n')  # a link to a compiler's cache is no compiler
    other.chmod(0o755)
    for tools in (first, dataclasses.replace(first, cxx=str(other))):
        configure(product.tree, Path("build"), tools, BuildOptions(python=True))
        cache = Path("build/CMakeCache.txt").read_text()
        assert "BUILD_PYTHON:BOOL=ON" in cache and "CMAKE_BUILD_TYPE:STRING=Release" in cache
        assert re.search(rf"^CMAKE_CXX_COMPILER:\w+={re.escape(tools.cxx)}$", cache, re.MULTILINE)


def test_settings_of_the_user_stay(product, log, monkeypatch):
    monkeypatch.setenv("CCACHE_SLOPPINESS", "locale")
    ran = compile_with(product, Toolchain.find("cpu", "ccache"), log)
    assert ran and all(line.startswith("locale: ") for line in ran)


@pytest.mark.parametrize(
    ("text", "option", "launchers"),
    [
        ("ccache c++", None, ("ccache",)),
        ("ccache distcc c++", None, ("ccache", "distcc")),
        ("ccache", None, ("ccache",)),
        ("ccache c++", "ccache", ("ccache",)),
        ("distcc c++", "ccache", ("ccache", "distcc")),
        ("c++", "icecc", ("icecc",)),
        ("", None, ()),
    ],
)
def test_launchers_in_cxx(log, monkeypatch, text, option, launchers):
    monkeypatch.setenv("CXX", text)
    tools = Toolchain.find("cpu", option)
    assert tools.launchers == launchers and Path(tools.cxx).name not in LAUNCHERS


@pytest.mark.parametrize(
    ("cxx", "launcher", "launchers"),
    [
        ("", "auto", ("ccache",)),
        ("distcc c++", "auto", ("distcc",)),
        ("", "none", ()),
        ("ccache c++", "none", ()),
    ],
)
def test_ccache_is_taken_where_it_is_installed(log, monkeypatch, cxx, launcher, launchers):
    monkeypatch.setenv("CXX", cxx)
    monkeypatch.delenv("CMAKE_CXX_COMPILER_LAUNCHER", raising=False)
    assert Toolchain.find("cpu", launcher).launchers == launchers


def test_without_ccache_or_a_cache_that_can_be_written_there_is_none(log, monkeypatch):
    ccache = log.parent / "bin" / "ccache"
    ccache.write_text(f"#!/bin/sh\necho '{ccache}/cache'\n")
    assert Toolchain.find("cpu", "auto").launchers == ()
    ccache.unlink()
    monkeypatch.setenv("PATH", os.pathsep.join(p for p in os.environ["PATH"].split(":") if "ccache" not in p))
    if shutil.which("ccache") is None:
        assert Toolchain.find("cpu", "auto").launchers == ()


def test_no_launcher_twice(log, monkeypatch):
    """Where the compiler is a link to ccache, or CMake's variable names another launcher."""
    link = log.parent / "bin" / "c++"
    link.symlink_to(log.parent / "bin" / "ccache")
    assert Toolchain.find("cpu", "auto").launchers == ()
    link.unlink()
    monkeypatch.setenv("CMAKE_CXX_COMPILER_LAUNCHER", "/opt/other")
    tools = Toolchain.find("cpu", "auto")
    assert (tools.launchers, tools.launchers_of("CXX")) == ((), "/opt/other")
    assert Toolchain.find("cpu", "none").launchers_of("CXX") == ""


def test_a_compiler_whose_path_has_spaces(log, tmp_path, monkeypatch):
    compiler = tmp_path / "my compilers" / "c++"
    compiler.parent.mkdir()
    compiler.symlink_to("/bin/true")
    monkeypatch.setenv("CXX", str(compiler))
    assert Toolchain.find("cpu").cxx == str(compiler)


def test_cxx_holds_no_options(log, monkeypatch):
    monkeypatch.setenv("CXX", "ccache c++ -m32 -g")
    with pytest.raises(ToolchainError, match="put -m32 -g into CXXFLAGS"):
        Toolchain.find("cpu")


def test_a_launcher_that_is_not_there(log, monkeypatch):
    (log.parent / "bin" / "sccache").unlink()
    with pytest.raises(ToolchainError, match=r"not found: sccache \(install it"):
        Toolchain.find("cpu", "sccache")


def test_nvcc_goes_through_caches_alone(log):
    through = [Toolchain("cmake", "ninja", "c++", "nvcc", (name,)).launchers_of("CUDA") for name in LAUNCHERS]
    assert [Path(path).name for path in through] == ["ccache", "sccache", "", ""]


def test_the_variable_of_cmake_counts_where_no_launcher_was_asked_for(log, monkeypatch):
    monkeypatch.setenv("CMAKE_CXX_COMPILER_LAUNCHER", "/opt/other")
    assert Toolchain.find("cpu").launchers_of("CXX") == "/opt/other"
    assert Path(Toolchain.find("cpu", "ccache").launchers_of("CXX")).name == "ccache"


@pytest.mark.parametrize(
    ("text", "words", "launchers"),
    [
        ('[build]\nlauncher = "sccache"\n', [], ("sccache",)),
        ('[build]\nlauncher = "sccache"\n', ["--launcher", "icecc"], ("icecc",)),
        ("", ["--launcher", "ccache"], ("ccache",)),
        ('[build]\nlauncher = "none"\n', [], ()),
        ("", [], ("ccache",)),
    ],
)
def test_the_option_and_the_configuration(log, tmp_path, monkeypatch, text, words, launchers):
    (tmp_path / "native_functions.yaml").write_text("- func: ns::f(Tensor self) -> Tensor\n")
    head = 'schemas = "native_functions.yaml"\nname = "ns"\nextend = "aten"\n'
    (tmp_path / "opgen.toml").write_text(head + text)
    used = []
    monkeypatch.setattr(driver, "build", lambda product, build, tools, *rest, **more: used.append(tools))
    run(["build", *words])
    assert [tools.launchers for tools in used] == [launchers]


def test_faults_of_the_table_name_their_lines(log, tmp_path, capsys):
    (tmp_path / "opgen.toml").write_text('[build]\nlauncher = "make"\njob = 1\n')
    assert run(["build"]) == 2
    assert "opgen.toml:3: there is no key 'build.job'; did you mean 'jobs'?" in capsys.readouterr().err
    (tmp_path / "opgen.toml").write_text('name = "ns"\n[build]\nlauncher = "make"\n')
    assert run(["build"]) == 2
    assert "opgen.toml:3: 'build.launcher': 'make' is not one of" in capsys.readouterr().err
