"""`opgen build` without a library: progress, failures in the user's files, interruption, the wheel."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from front import ROOT
from opgen.build import toolchain
from opgen.build.driver import Product, build
from opgen.build.failures import Origins, explain
from opgen.build.run import BuildOptions
from opgen.build.toolchain import Toolchain, ToolchainError
from opgen.build.wheel import WheelSpec, write_wheel

CMAKE = """
cmake_minimum_required(VERSION 3.18)
project(tiny LANGUAGES CXX)
add_library(tiny SHARED src/user/one.cpp)
target_link_options(tiny PRIVATE -Wl,-z,defs)
install(TARGETS tiny LIBRARY DESTINATION lib)
"""
GOOD = 'extern "C" int one() { return 1; }\n'
SOURCES = {
    "files": {"src/user/one.cpp": "kernels/one.cpp"},
    "kernels": {"at::native::two": "native_functions.yaml:7", "at::native::add_out": "schemas/f.yaml:3"},
    "metas": {"at::meta::structured_two_Tensor": "native_functions.yaml:9"},
}


@pytest.fixture
def product(tmp_path: Path, monkeypatch) -> Product:
    """A generated tree, with one hand-written file."""
    tree = tmp_path / "tree"
    (tree / "src" / "user").mkdir(parents=True)
    (tree / "python" / "tiny").mkdir(parents=True)
    (tree / "python" / "tiny" / "__init__.py").write_text("")
    (tree / "CMakeLists.txt").write_text(CMAKE)
    (tree / "src" / "user" / "one.cpp").write_text(GOOD)
    (tree / "sources.json").write_text(json.dumps(SOURCES))
    (tree / "manifest.json").write_text("{}")
    (tree / "LICENSE").write_text("a licence")
    monkeypatch.chdir(tmp_path)
    places = {"kernels": Path("my/kernels"), "native_functions.yaml": Path("my/native_functions.yaml")}
    return Product("tiny", "1.0", tree, None, Origins(places))


@pytest.fixture
def tools() -> Toolchain:
    try:
        return Toolchain.find("cpu")
    except ToolchainError as error:
        pytest.skip(str(error))


def test_a_build_makes_a_wheel_and_the_next_one_nothing(product, tools, tmp_path, capfd):
    folder = tmp_path / "build"
    assert build(product, folder, tools, BuildOptions(), install=False) == 0
    first = capfd.readouterr().err
    assert "compiling" in first and "\r" not in first and "\x1b" not in first
    [wheel] = (tmp_path / "dist").iterdir()
    stamp = wheel.stat().st_mtime_ns
    names = zipfile.ZipFile(wheel).namelist()
    info = {
        f"tiny-1.0.dist-info/{name}" for name in ("RECORD", "sboms/tiny.cdx.json", "licenses/opgen/LICENSE")
    }
    assert {"tiny/__init__.py", "tiny/lib/libtiny.so", *info} <= set(names)
    assert build(product, folder, tools, BuildOptions(), install=False) == 0
    assert "nothing to compile" in capfd.readouterr().err
    assert wheel.stat().st_mtime_ns == stamp


def test_a_wheel_for_another_platform_is_replaced(product, tools, tmp_path):
    """The old wheel is removed: users of dist/ could pick it by mistake."""
    (tmp_path / "dist").mkdir()
    stale, *others = "tiny-1.0-py3-none-any.whl", "tiny-1.1-py3-none-any.whl", "tiny_two-1.0-py3-none-any.whl"
    for name in (stale, *others):
        (tmp_path / "dist" / name).touch()
    assert build(product, tmp_path / "build", tools, BuildOptions(), install=False) == 0
    kept = {file.name for file in (tmp_path / "dist").iterdir()}
    assert kept >= set(others) and len(kept) == 3 and stale not in kept


def test_a_compiler_error_names_the_file_of_the_user(product, tools, tmp_path):
    (product.tree / "src" / "user" / "one.cpp").write_text("int one() {\n  return nonsense;\n}\n")
    with pytest.raises(ToolchainError) as caught:
        build(product, tmp_path / "build", tools, BuildOptions(), install=False)
    assert "my/kernels/one.cpp:2:10: error:" in str(caught.value)
    assert not (tmp_path / "dist").exists()


def test_a_missing_kernel_names_its_declaration(product, tools, tmp_path):
    text = (
        "namespace at::inline aten_v1::native { int two(int); }\nint one() { return at::native::two(1); }\n"
    )
    (product.tree / "src" / "user" / "one.cpp").write_text(text)
    with pytest.raises(ToolchainError) as caught:
        build(product, tmp_path / "build", tools, BuildOptions(), install=False)
    first = str(caught.value).splitlines()[0]
    assert first == (
        "my/native_functions.yaml:7: error: kernel at::native::two is declared here but defined nowhere"
    )
    assert "--missing-kernels stub" in str(caught.value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "ld: x.o: undefined reference to `at::aten_v1::meta::structured_two_Tensor::meta(at::Tensor)'",
            "my/native_functions.yaml:9: error: the meta function TORCH_META_FUNC of two_Tensor is declared",
        ),
        (
            "ld.lld: error: undefined symbol: at::lib_v2::native::structured_add_out::impl(at::Tensor)",
            "schemas/f.yaml:3: error: kernel at::native::add_out is declared",
        ),
        (
            "ld: undefined reference to `vtable for at::aten_v1::native::structured_add_out'",
            "",
        ),
        ("src/user/one.cpp:3:1: error: no", "my/kernels/one.cpp:3:1: error: no"),
        ("/usr/include/c++/12/vector:3:1: note: here", "/usr/include/c++/12/vector:3:1: note: here"),
    ],
)
def test_what_linkers_say(product, line, said):
    assert said in explain(line, product.tree, product.origins)


def test_missing_programs_are_named(monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(ToolchainError, match="no-such-compiler"):
        Toolchain.find("cpu")


@pytest.mark.parametrize("gone", [("cmake",), ("ninja",), ("cmake", "ninja")])
def test_the_extra_that_has_cmake_and_ninja_is_named(monkeypatch, gone):
    """An installation for linting lacks cmake and ninja; the message names the extra that has them."""
    monkeypatch.setattr(toolchain, "_program", lambda name: None if name in gone else f"/bin/{name}")
    with pytest.raises(ToolchainError) as raised:
        Toolchain.find("cpu")
    said = str(raised.value)
    assert said.startswith(f"not found: {' and '.join(gone)} (") and "extra 'build'" in said
    assert "pip install '.[build]'" in said


def test_a_compiler_that_does_not_work(product, tools, tmp_path):
    fake = tmp_path / "fake++"
    fake.write_text("#!/bin/sh\nexit 1\n")
    fake.chmod(0o755)
    broken = Toolchain(tools.cmake, tools.ninja, str(fake), None)
    with pytest.raises(ToolchainError, match="could not configure"):
        build(product, tmp_path / "build", broken, BuildOptions(), install=False)


SLOW = """
import sys
sys.path.insert(0, {cli!r})
from opgen.build import driver, run
from opgen.build.run import _stream
try:
    _stream(["sh", "-c", "echo started; sleep 300 & echo $!; wait"], lambda line: print(line, flush=True))
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_build_leaves_no_child(number):
    code = SLOW.format(cli=str(ROOT / "cli"))
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "started\n"
    child = int(process.stdout.readline())
    process.send_signal(number)
    assert process.wait(20) == 130
    deadline = time.monotonic() + 60
    while _alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _alive(child)


def _alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_the_same_contents_make_the_same_wheel(tmp_path):
    file = tmp_path / "file"
    file.write_text("text")
    spec = WheelSpec("tiny", "1.0", "a summary", "linux_x86_64")
    contents = [("tiny/a.py", file), ("tiny/b.so", file)]
    first = write_wheel(spec, contents, tmp_path / "one").read_bytes()
    os.utime(file, (1, 1))
    second = write_wheel(spec, reversed(contents), tmp_path / "two").read_bytes()
    assert first == second
    entries = zipfile.ZipFile(tmp_path / "one" / spec.file_name).infolist()
    assert entries[-1].filename == "tiny-1.0.dist-info/RECORD"
    modes = {entry.filename: oct(entry.external_attr >> 16) for entry in entries}
    assert modes.pop("tiny/b.so") == "0o100755" and set(modes.values()) == {"0o100644"}


def test_capabilities_that_there_are_not(tmp_path: Path) -> None:
    """The option is rejected before anything is written."""
    command = [sys.executable, "-m", "opgen", "build", ROOT / "schemas", "--cpu-capabilities", "avx2, avx3"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "got 'avx3', expected all or some of default, avx2, avx512" in done.stderr
    assert not list(tmp_path.iterdir())
