"""Invalid library names are rejected before anything is written, by each command that makes a library."""

from __future__ import annotations

import itertools
import keyword
import re
import shutil
import subprocess
import sys

import pytest
from front import ROOT
from opgen.check import library_names
from opgen.check.reserved_names import CPP_KEYWORDS, MACROS
from opgen.commands import run

FINE = ("my_ops", "quadratic", "aten", "golden", "x", "x2", "b1_2", "stdx", "cupid", "at_home", "torchlight")
FORMS = (
    "",
    "_x",
    "x_",
    "a__b",
    "X",
    "_X",
    "2x",
    "a-b",
    "a.b",
    "a b",
    "a/b",
    "../a",
    "ä",
    "a\n",
    "-",
    "\udcff",
)


def top_namespaces() -> set[str]:
    """Returns the top-level namespaces of the library's headers: the first that each file opens."""
    files = [f for room in ("core", "ops", "cpu", "cuda") for f in (ROOT / room).rglob("*.h")]
    opened = (re.search(r"^namespace (\w+)", f.read_text(), re.MULTILINE) for f in files)
    return {found[1] for found in opened if found}


def targets() -> set[str]:
    """Returns the targets in the CMake files of generated trees."""
    files = [*(ROOT / "core/cmake").rglob("*.cmake"), *ROOT.glob("c*/**/CMakeLists.txt")]
    made = (re.findall(r"^\s*(?:add_library|add_kind)\((\w+)", f.read_text(), re.MULTILINE) for f in files)
    return set(itertools.chain(*made))


def test_the_longest_name():
    assert library_names.fault("x" * 200) is None
    assert library_names.fault("x" * 201) == "a name has at most 200 characters"


def test_names_that_nothing_forbids():
    assert [library_names.fault(name) for name in FINE] == [None] * len(FINE)


@pytest.mark.parametrize(
    "names",
    [
        FORMS,
        CPP_KEYWORDS,
        keyword.kwlist,
        MACROS,
        [name for name in sys.stdlib_module_names if name.isidentifier()],
        top_namespaces() | {"posix", "std2"},
        targets(),
        ["x" * 300, "numpy", "opgen", "torch"],
    ],
    ids="forms cpp python macros stdlib namespaces targets others".split(),
)
def test_names_that_something_forbids(names):
    assert len(names) > 3
    assert [name for name in names if library_names.fault(name) is None] == []


COMMANDS = {
    "generate": ("generate", "f.yaml", "--extend", "aten", "--name"),
    "build": ("build", "f.yaml", "--extend", "aten", "--name"),
    "the library that is extended": ("generate", "f.yaml", "--name", "x", "--extend"),
    "init": ("init", "new", "--name"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_it_and_writes_nothing(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.yaml").write_text("- func: f(Tensor self) -> Tensor\n")
    for name in (
        "std",
        "at",
        "c10",
        "class",
        "lambda",
        "os",
        "sys",
        "json",
        "a__b",
        "_X",
        "errno",
        "all",
        "m",
    ):
        assert run([*COMMANDS[command], name]) == 2, name
        shown = capsys.readouterr()
        assert shown.out == "" and f"{COMMANDS[command][-1]} '{name}': " in shown.err
    assert [p.name for p in tmp_path.iterdir()] == ["f.yaml"]


def test_names_that_are_not_given(tmp_path, monkeypatch, capsys):
    """Checks names that are not options: that of the folder of `init`, and that of the configuration."""
    monkeypatch.chdir(tmp_path)
    assert run(["init", "json"]) == 2
    assert "DIR 'json': Python has a module of this name" in capsys.readouterr().err
    (tmp_path / "f.yaml").write_text("- func: f(Tensor self) -> Tensor\n")
    (tmp_path / "opgen.toml").write_text('name = "std"\nextend = "aten"\n')
    assert run(["generate", "f.yaml"]) == 2
    assert "--name 'std': this is a namespace of C++'s" in capsys.readouterr().err


def test_an_extension_is_not_called_like_what_it_extends(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.yaml").write_text("- func: f(Tensor self) -> Tensor\n")
    for words in (("generate", "f.yaml", "--name", "aten", "--extend", "aten"), ("init", "aten")):
        assert run(words) == 2
        assert "'aten': the library that this one extends has that name" in capsys.readouterr().err


def test_what_cmake_refuses_is_refused(tmp_path):
    cmake = shutil.which("cmake", path=f"{sys.prefix}/bin") or shutil.which("cmake")
    if cmake is None:
        pytest.skip("needs cmake")
    text = "cmake_minimum_required(VERSION 3.24)\nproject(x NONE)\nadd_custom_target({})\n"
    refused = set()
    for name in ("all", "clean", "help", "install", "package", "test", "core", "depend", "my_ops", "check"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "CMakeLists.txt").write_text(text.format(name))
        done = subprocess.run([cmake, "-S", name, "-B", f"{name}/b"], cwd=tmp_path, capture_output=True)
        if done.returncode:
            refused.add(name)
    assert refused >= {"all", "clean", "help", "install"} and "my_ops" not in refused
    assert None not in map(library_names.fault, refused)
