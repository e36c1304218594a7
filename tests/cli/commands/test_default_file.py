"""What commands read when no FILE is named: the file here, or the one that the configuration names; opgen's
own operators only when asked for.
"""

from __future__ import annotations

import json
from pathlib import Path

import opgen
import pytest
from opgen.commands import run
from opgen.diagnostics import InputError

OURS = "- func: ours(Tensor self) -> Tensor\n"
READING = (
    ("validate",),
    ("dump",),
    ("explain", "ours"),
    ("dispatch", "ours"),
    ("generate", "--name", "lib", "--dry-run"),
    ("generate", "--name", "lib", "--extend", "aten", "--dry-run"),
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_nothing_is_taken_in_place_of_a_file_that_is_not_there(here, command, capsys):
    assert run(command) == 2
    said = capsys.readouterr().err
    assert "native_functions.yaml" in said and "opgen.toml" in said and "--aten" in said
    (here / "schemas").mkdir()
    (here / "schemas" / "native_functions.yaml").write_text(OURS)
    assert run(command) == 2


@pytest.mark.parametrize("command", READING, ids=" ".join)
@pytest.mark.parametrize("place", ["native_functions.yaml", "ops/some.yaml"])
def test_the_file_here_or_the_one_of_the_configuration(here, command, place, capsys):
    (here / place).parent.mkdir(exist_ok=True)
    (here / place).write_text(OURS)
    if place != "native_functions.yaml":
        (here / "opgen.toml").write_text(f'schemas = "{place}"\n')
    assert run(command) == 0
    printed = capsys.readouterr()
    if command[0] != "generate":
        assert "ours" in printed.out or "1 operator and 0" in printed.out
    assert "add.Tensor" not in printed.out


def test_breaking_compares_the_same_file(here, capsys):
    (here / "old.yaml").write_text(OURS)
    command = ("breaking", "--against", "old.yaml")
    (here / "schemas").mkdir()
    (here / "schemas" / "native_functions.yaml").write_text(OURS)
    assert run(command) == 2
    said = capsys.readouterr().err
    assert "native_functions.yaml" in said and "opgen.toml" in said and "--aten" in said
    (here / "opgen.toml").write_text('schemas = "schemas"\n')
    assert run(command) == 0
    assert "schemas/native_functions.yaml against old.yaml: nothing breaks" in capsys.readouterr().out
    assert run([*command, "--aten"]) == 1
    assert "OPB101 op-removed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        (("validate", "--aten"), "schemas/native_functions.yaml: "),
        (("explain", "--aten", "relu"), "relu(Tensor self) -> Tensor"),
        (("dispatch", "relu_", "--aten"), "relu_\n"),
        (("dump", "--aten"), '"name": "relu"'),
    ],
)
@pytest.mark.parametrize("configured", [False, True])
def test_the_shipped_operators_when_asked_for(here, command, printed, configured, capsys):
    if configured:
        (here / "native_functions.yaml").write_text(OURS)
        (here / "opgen.toml").write_text('schemas = "native_functions.yaml"\n')
    assert run(command) == 0
    assert printed in capsys.readouterr().out


@pytest.mark.parametrize("command", [("explain", "f", "f.yaml"), ("generate", "f.yaml", "--name", "x")])
def test_a_file_and_the_shipped_operators_are_one_too_many(here, command, capsys):
    (here / "f.yaml").write_text(OURS)
    assert run([*command, "--aten"]) == 2
    assert "give one of the two" in capsys.readouterr().err


def test_schemas_of_op_entries_may_be_the_shipped_ones(here, capsys):
    (here / "native_functions.yaml").write_text(
        "- op: relu.out\n  kernels:\n  - arg_meta: null\n    kernel_name: k\n"
    )
    assert run(["dump", "native_functions.yaml", "--aten"]) == 0
    assert [record["name"] for record in json.loads(capsys.readouterr().out)] == ["relu"]


def test_a_configured_file_of_aten_schemas_is_not_the_flag(here, capsys):
    """The key `aten` in the configuration is the file of --aten F, an option that `explain` does not have."""
    (here / "native_functions.yaml").write_text(OURS)
    (here / "opgen.toml").write_text('aten = "other.yaml"\n')
    assert run(["explain", "ours"]) == 0
    assert capsys.readouterr().out.startswith("ours(")


def test_registered_keys_alone_need_no_file(here, capsys):
    assert run(["dispatch", "mine", "--register", "CPU"]) == 0
    assert "fn_CPU" in capsys.readouterr().out


def test_from_python(here):
    with pytest.raises(InputError, match="--aten"):
        opgen.dispatch_table("ours")
    assert opgen.dispatch_table("relu", aten=True).get("CPU") is not None
    assert opgen.dispatch_table("ours", register=["CPU"]).get("CPU").kernel == "fn_CPU"
    (here / "native_functions.yaml").write_text(OURS)
    assert opgen.dispatch_table("ours").get("CPU").why.value == "math kernel"
