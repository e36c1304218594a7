"""Two clones share a compile cache: the second compiles nothing, and a changed header is never hidden."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CMAKE = """
cmake_minimum_required(VERSION 3.18)
project(tiny LANGUAGES CXX)
add_library(tiny SHARED one.cpp two.cpp)
target_include_directories(tiny PRIVATE ${CMAKE_SOURCE_DIR})
target_precompile_headers(tiny PRIVATE <string> once.h)
install(TARGETS tiny LIBRARY DESTINATION lib)
"""
BUILD = """
import sys
from pathlib import Path
from opgen.build.driver import Product, build
from opgen.build.run import BuildOptions
from opgen.build.toolchain import Toolchain

tools = Toolchain.find("cpu", sys.argv[1])
product = Product("tiny", "1.0", Path("tree").resolve())
build(product, Path("build"), tools, BuildOptions(python=False), install=False)
"""
ONCE = "#pragma once\nstruct Once {};\n"
SAYS = """#include <value.h>
#include <once.h>
#include <cstdio>
#ifdef OLD
#error "old"
#endif
extern "C" int value() { return VALUE; }
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the real ccache."""
    if shutil.which("ccache") is None:
        pytest.skip("ccache is not installed")
    for name in [name for name in os.environ if name.startswith("CCACHE_")]:
        monkeypatch.delenv(name)
    links = [p for p in os.environ["PATH"].split(os.pathsep) if Path(p).name != "ccache"]
    monkeypatch.setenv("PATH", os.pathsep.join(links))
    monkeypatch.setenv("CCACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("CXX", raising=False)
    return tmp_path / "cache"


def clone(folder: Path, value: int) -> Path:
    tree = folder / "tree"
    tree.mkdir(parents=True)
    texts = {"CMakeLists.txt": CMAKE, "value.h": f"#define VALUE {value}\n", "one.cpp": SAYS}
    texts |= {"once.h": ONCE}
    texts |= {"two.cpp": "#include <string>\nstd::string two() { return __FILE__; }\n"}
    texts |= {"sources.json": '{"files": {}, "kernels": {}}', "manifest.json": "{}"}
    for name, text in texts.items():
        (tree / name).write_text(text)
    return folder


def built(folder: Path, launcher: str = "auto") -> int:
    """Builds the clone; returns what its library says."""
    command = [sys.executable, "-c", BUILD, launcher]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ("through ccache" in done.stderr) == (launcher == "auto")
    library = next((folder / "build").rglob("libtiny.so"))
    code = f"import ctypes; print(ctypes.CDLL({str(library)!r}).value())"
    return int(subprocess.check_output([sys.executable, "-c", code]))


def counts(cache: Path) -> dict[str, int]:
    said = subprocess.check_output(["ccache", "--print-stats"], text=True)
    names = {"direct_cache_hit": "hits", "preprocessed_cache_hit": "hits", "cache_miss": "misses"}
    found = {"hits": 0, "misses": 0}
    for name, _, count in (line.partition("\t") for line in said.splitlines()):
        if name in names:
            found[names[name]] += int(count)
    return found


def test_a_second_clone_compiles_nothing(cache, tmp_path):
    assert built(clone(tmp_path / "a" / "opgen", 1)) == 1
    first = counts(cache)
    assert first["hits"] == 0 and first["misses"] == 3  # two sources and the precompiled header
    assert built(clone(tmp_path / "b" / "elsewhere", 1)) == 1
    assert counts(cache) == {"hits": 3, "misses": 3}


def test_a_changed_header_is_seen(cache, tmp_path):
    assert built(clone(tmp_path / "a", 1)) == 1
    assert built(clone(tmp_path / "b", 2)) == 2
    (tmp_path / "b" / "tree" / "value.h").write_text("#define VALUE 3\n")
    assert built(tmp_path / "b") == 3
    assert built(tmp_path / "a") == 1


def test_a_comment_in_a_precompiled_header_is_seen(cache, tmp_path):
    """Or g++ would not know the header again that another clone has compiled, and read it twice."""
    assert built(clone(tmp_path / "a", 1)) == 1
    other = clone(tmp_path / "b", 2)
    (other / "tree" / "once.h").write_text(ONCE.replace("};", "};  // a comment"))
    assert built(other) == 2


def test_none_leaves_the_cache_alone(cache, tmp_path):
    assert built(clone(tmp_path / "a", 1), "none") == 1
    assert counts(cache) == {"hits": 0, "misses": 0}
