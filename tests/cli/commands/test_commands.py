"""The commands of the front: exit codes, formats, what they print."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import click
import pytest
from front import ROOT, pytorch_yaml
from opgen.commands import run
from opgen.commands.group import cli

BAD = "- func: f(Tensr self, int dim=abc) -> Tensor\n- func: g(Tensor self) -> Tensor\n  tags: pointwize\n"
GOOD = "- func: f(Tensor self) -> Tensor\n"


@pytest.fixture
def bad(tmp_path):
    path = tmp_path / "native_functions.yaml"
    path.write_text(BAD)
    return path


def test_help_says_what_is_taken_for_an_option_that_is_not_given():
    context = click.Context(cli)
    for name in cli.list_commands(context):
        for option in cli.get_command(context, name).params:
            given = option.to_info_dict()
            if given["param_type_name"] == "option" and not given["is_flag"] and given["default"]:
                assert option.show_default, (name, option.name)


def test_exit_codes(tmp_path, bad, capsys):
    good = tmp_path / "good.yaml"
    good.write_text(GOOD)
    assert run(["validate", str(good)]) == 0
    assert run(["validate", str(bad)]) == 1
    assert run(["validate", str(tmp_path)]) == 1
    assert run(["validate", str(tmp_path / "none.yaml")]) == 2
    assert run(["validate", "--format", "nope", str(good)]) == 2
    assert run(["validate", str(good), "-o", str(tmp_path / "no" / "such")]) == 2
    assert run(["nope"]) == 2
    assert run(["--help"]) == 0


def test_a_bug_of_ours_ends_with_3_and_no_traceback(monkeypatch, bad, capsys):
    from opgen import pipeline

    monkeypatch.setattr(pipeline, "load", lambda *a, **k: 1 / 0)
    assert run(["validate", str(bad)]) == 3
    assert "Traceback" not in capsys.readouterr().err


def test_json(bad, capsys):
    run(["validate", str(bad), "--format", "json"])
    record = json.loads(capsys.readouterr().out)
    assert record["version"] == 1
    assert record["summary"] == {"errors": 3, "warnings": 0}
    places = [(d["code"], d["name"], d["line"], d["column"], d["end_column"]) for d in record["diagnostics"]]
    assert places == [
        ("OPG108", "unknown-type", 1, 11, 16),
        ("OPG118", "default-type", 1, 31, 34),
        ("OPG801", "unknown-tag", 3, 9, 18),
    ]
    assert record["diagnostics"][0]["help"] == "did you mean 'Tensor'?"


def test_text_has_a_caret_under_the_fault(bad, capsys):
    run(["validate", str(bad)])
    lines = capsys.readouterr().out.splitlines()
    shown = next(i for i, line in enumerate(lines) if "Tensr self" in line)
    assert lines[shown + 1].index("^") == lines[shown].index("Tensr")
    assert lines[shown + 1].count("^") == len("Tensr")


def test_other_formats(bad, capsys):
    found = {}
    for name in ("concise", "github", "gitlab", "junit", "sarif"):
        run(["validate", str(bad), "--format", name])
        found[name] = capsys.readouterr().out
    assert found["concise"].count("\n") == 3
    assert found["github"].startswith("::error file=")
    assert len(json.loads(found["gitlab"])) == 3
    assert ElementTree.fromstring(found["junit"]).get("failures") == "3"
    sarif = json.loads(found["sarif"])["runs"][0]
    assert [r["ruleId"] for r in sarif["results"]] == ["OPG108", "OPG118", "OPG801"]
    assert {r["id"] for r in sarif["tool"]["driver"]["rules"]} == {"OPG108", "OPG118", "OPG801"}


def test_unprintable_text_is_escaped(tmp_path, capsys):
    path = tmp_path / "f.yaml"
    path.write_text("- func: f(Tensor self) -> Tensor # \u202e\n")
    assert run(["validate", str(path)]) == 1
    assert "\u202e" not in capsys.readouterr().out


def test_dispatch(tmp_path, capsys):
    path = tmp_path / "f.yaml"
    path.write_text(
        "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: f_cpu\n    CompositeImplicitAutograd: f\n"
    )
    assert run(["dispatch", "f", str(path), "--format", "json"]) == 0
    table = json.loads(capsys.readouterr().out)["table"]
    assert table["CPU"] == {"kernel": "at::native::f_cpu", "rule": "kernel", "path": str(path), "line": 3}
    assert table["CUDA"]["rule"] == "math kernel"
    assert table["AutogradCPU"]["rule"] == "backend fallback"
    assert run(["dispatch", "nope", str(path), "--register", "XLA,Autograd", "--format", "json"]) == 0
    table = json.loads(capsys.readouterr().out)["table"]
    assert table["XLA"]["kernel"] == "fn_XLA"
    assert table["AutogradXLA"]["rule"] == "autograd kernel"
    assert run(["dispatch", "nope", str(path)]) == 2
    assert run(["dispatch", "f", str(path), "--register", "CPUU"]) == 2
    assert "did you mean 'CPU'" in capsys.readouterr().err


def test_explain_rule(capsys):
    assert run(["explain", "OPG118"]) == 0
    assert "default-type" in capsys.readouterr().out
    assert run(["explain", "OPG999"]) == 2


def test_explain_operator(tmp_path, capsys):
    path = tmp_path / "f.yaml"
    path.write_text("- func: f(Tensor self) -> Tensor\n  variants: function, method\n")
    kernels = tmp_path / "kernels"
    kernels.mkdir()
    (kernels / "f.cpp").write_text(
        "// f( is below\nTensor g() { return f(1); }\n\nTensor f(const Tensor& self) {\n}\n"
    )
    assert run(["explain", "Tensor.f", str(path), "--kernels", str(kernels)]) == 0
    out = capsys.readouterr().out
    assert f"{kernels / 'f.cpp'}:4" in out
    assert "Tensor.f" in out


def test_every_command_shows_its_help(capsys):
    from opgen.commands.group import COMMANDS, cli

    for name in cli.list_commands(None):
        assert name in COMMANDS
    for name in ("validate", "dispatch", "explain"):
        assert run([name, "--help"]) == 0


def test_lean_imports():
    """`validate` imports neither the template engine nor anything used for building."""
    code = "import sys; from opgen.commands import run; run(['validate']); print(sorted(sys.modules))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "cli")}
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, cwd=ROOT
    )
    modules = result.stdout.splitlines()[-1]
    assert "'opgen.check'" in modules
    for heavy in ("'mako", "'opgen.render", "'opgen.template_views", "'opgen.build", "'torch", "'numpy"):
        assert heavy not in modules


def test_pytorchs_file_has_no_error(capsys):
    assert run(["validate", str(pytorch_yaml())]) == 0
