"""`opgen dump`: the format, the ways to name a file, and what happens to files that cannot be read."""

import json

import pytest
from opgen import commands

YAML = """
- func: scale(Tensor self, Scalar by=2) -> Tensor
  variants: function, method
  dispatch:
    CPU, CUDA: scale
  autogen: scale.out
"""
FIELDS = (
    "name overload schema kind arguments returns variants python_module dispatch structured"
    " structured_delegate structured_inherits autogen tags device_guard device_check category_override"
    " manual_cpp_binding manual_kernel_registration cpp_no_default_args generated line cpp native python"
).split()


@pytest.fixture
def schemas(tmp_path):
    (tmp_path / "native_functions.yaml").write_text(YAML)
    return tmp_path


@pytest.fixture
def run(capsys):
    def run(*arguments):
        """Returns the exit code, stdout and stderr of a command."""
        code = commands.run(["dump", *map(str, arguments)])
        return code, *capsys.readouterr()

    return run


def test_one_object_per_function_declared_and_generated(schemas, run):
    code, printed, _ = run(schemas)
    assert code == 0
    declared, generated = json.loads(printed)
    assert list(declared) == FIELDS == list(generated)
    assert (declared["name"], declared["generated"], declared["line"]) == ("scale", False, 2)
    assert (generated["overload"], generated["generated"], generated["line"]) == ("out", True, None)
    assert declared["arguments"][1] == {
        "name": "by",
        "type": "Scalar",
        "default": "2",
        "kwarg_only": False,
        "out": False,
        "alias": None,
    }
    out = generated["arguments"][2]
    assert (out["name"], out["kwarg_only"], out["out"]) == ("out", True, True)
    assert generated["arguments"][2]["alias"] == {"set": ["a"], "write": True, "after": []}
    assert declared["cpp"] == {
        "function": "at::Tensor scale(const at::Tensor & self, const at::Scalar & by=2)",
        "faithful": None,
        "method": "at::Tensor scale(const at::Scalar & by=2) const",
    }
    assert declared["dispatch"] == {"CPU": "scale", "CUDA": "scale"}
    assert declared["native"]["CUDA"] == "at::Tensor scale(const at::Tensor & self, const at::Scalar & by=2)"
    assert declared["python"] == "scale(Tensor input, Scalar by=2)"
    assert generated["python"] is None


def test_file_and_output(schemas, run):
    out = schemas / "out.json"
    assert run(schemas / "native_functions.yaml", "-o", out) == (0, "", "")
    assert out.read_text() == run(schemas)[1]


def test_bad_entries_are_notes_and_the_rest_is_dumped(schemas, run):
    path = schemas / "native_functions.yaml"
    path.write_text(YAML + "\n- func: broken(Tensor\n")
    code, printed, notes = run(path)
    assert code == 0
    assert [f["name"] for f in json.loads(printed)] == ["scale", "scale"]
    assert "note" in notes and str(path) in notes


def test_types_without_cpp_give_null_signatures(schemas, run):
    (schemas / "native_functions.yaml").write_text(
        "- func: f(__torch__.torch.classes.my.Packed p) -> Tensor\n  dispatch:\n    CPU: f\n"
    )
    (function,) = json.loads(run(schemas)[1])
    assert function["cpp"] == {"function": None, "faithful": None, "method": None}
    assert function["native"] == {"CPU": None}


def test_missing_file_is_a_usage_error(tmp_path, run):
    code, _, message = run(tmp_path / "nowhere.yaml")
    assert code == 2
    assert "nowhere.yaml" in message


def test_unwritable_output_is_a_usage_error(schemas, run):
    code, _, message = run(schemas, "-o", schemas / "no" / "such" / "folder.json")
    assert code == 2
    assert "No such file" in message
