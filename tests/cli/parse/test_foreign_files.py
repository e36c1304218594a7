"""Files of other formats in place of a functions file: one error that names the format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from front import checked
from opgen.commands import run

FILES = {
    "Declarations.yaml": "- name: f\n  schema_string: aten::f(Tensor self) -> Tensor\n  arguments: []\n",
    "DIPU": '- schema: "f(Tensor self) -> Tensor"\n  interface: vendorF(ctx, self)\n  autocompare: disable\n',
    "a tags file": "- tag: core\n  desc: Core.\n",
    "a derivatives file": "- name: f(Tensor self) -> Tensor\n  self: grad\n",
    "deprecated": "- name: f(Tensor self) -> Tensor\n  aten: g(self)\n",
    "one of the files beside it": "- ops: [f]\n  checks: [dim(self) > 0]\n- ops: [g]\n  by: f\n",
    "a backend's list": "backend: XLA\ncpp_namespace: torch_xla\nsupported:\n- abs\n- add.Tensor\n",
    "read it": "blacklist:\n- permute\nsymint:\n- empty\n",
    "have 'name', 'doc', 'args'": "- name: f\n  doc: Adds.\n  args:\n  - {name: self}\n",
    "C++": '// Ops\n#include <torch/library.h>\n\nTORCH_LIBRARY(x, m) {\n  m.def("f() -> Tensor");\n}\n',
    "Python": "import torch\n\n\ndef f(x):\n    return x\n",
    "HTML": "<!DOCTYPE html>\n<html><body>Not found</body></html>\n",
    "Git LFS": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
    "JSON": json.dumps([{"op": 1, "cost": {"flops": 2}}] * 3, indent=2).replace('"op"', '"operator"'),
    "`opgen dump`": json.dumps([{"name": "f", "overload": "", "schema": "f(Tensor self) -> Tensor"}]),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("times", [1, 700])
def test_one_error_names_the_format(name, times):
    text = FILES[name]
    repeatable = text.startswith("- ")
    (found,) = checked(text * times if repeatable else text + "\n" * times)[1]
    assert found.code == "OPG013" and name in found.message and found.help


@pytest.mark.parametrize("name", FILES)
def test_the_other_commands_do_not_take_it_for_an_empty_file(name, tmp_path, capsys):
    good, other = tmp_path / "native_functions.yaml", tmp_path / "other.yaml"
    good.write_text("- func: f(Tensor self) -> Tensor\n")
    other.write_text(FILES[name])
    if name != "`opgen dump`":
        assert run(["breaking", str(other), "--against", str(good)]) == 2
        assert run(["breaking", str(good), "--against", str(other)]) == 2
    assert run(["generate", str(other), "--out", str(tmp_path / "out"), "--name", "x"]) == 1
    assert not Path(tmp_path / "out").exists()


def test_the_files_beside_it_are_not_blamed(tmp_path, capsys):
    (tmp_path / "derivatives.yaml").write_text("- name: f(Tensor self) -> Tensor\n  self: grad\n")
    (tmp_path / "native_functions.yaml").write_text(FILES["DIPU"])
    assert run(["validate", str(tmp_path), "--format", "concise"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# import x\n#include <x>\n- func: f(Tensor self) -> Tensor\n",
        "import: x\n",
        "- func: f(Tensor self) -> Tensor\n- name: g\n  schema_string: h\n",
        '[{"variants": "function", "func": "f(Tensor self) -> Tensor"}]',
        "- variants: method\n- tags: core\n",
        "- fucn: f(Tensor self) -> Tensor\n",
        "[]",
    ],
)
def test_files_of_this_format_with_other_faults(text):
    assert "OPG013" not in {d.code for d in checked(text)[1]}


@pytest.mark.parametrize("word", ["fun", "Func", "fucn", "funcs"])
def test_a_misspelled_func_is_one_error(word):
    found = checked(f"- {word}: f(Tensor self) -> Tensor\n- func: g(Tensor self) -> Tensor\n")[1]
    assert [(d.code, d.help) for d in found] == [("OPG203", "did you mean 'func'?")]
