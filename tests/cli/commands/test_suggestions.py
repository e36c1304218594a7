"""Names that a command does not know: what it suggests in their place."""

from __future__ import annotations

import json

import pytest
from opgen.commands import run


@pytest.mark.parametrize("where", [[], ["--aten"]], ids=["no project", "aten"])
@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("arg-renamd", "arg-renamed"),
        ("Arg-Renamed", "arg-renamed"),
        ("duplicat-key", "duplicate-key"),
        ("yamlsyntax", "yaml-syntax"),
        ("OPG8122", "OPG812"),
        ("allow-stail", "allow-stale"),
    ],
)
def test_rules(tmp_path, monkeypatch, capsys, where, name, meant):
    monkeypatch.chdir(tmp_path)
    assert run(["explain", name, *where]) == 2
    assert f"did you mean '{meant}'?" in capsys.readouterr().err


def test_what_is_like_no_rule(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["explain", "no-such-rule-at-all"]) == 2
    assert "`opgen explain --rules` lists them" in capsys.readouterr().err
    assert run(["explain", "frobnicate"]) == 2
    assert "no FILE is named" in capsys.readouterr().err


@pytest.mark.parametrize("file", ["native_functions.yaml", "schemas/native_functions.yaml", "./opgen.toml"])
def test_a_schema_by_the_name_of_its_file(capsys, file):
    assert run(["schema", file]) == 0
    by_file = json.loads(capsys.readouterr().out)
    assert run(["schema", file.rpartition("/")[2].partition(".")[0]]) == 0
    assert json.loads(capsys.readouterr().out) == by_file


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("native_function.yaml", "did you mean 'native_functions'?"),
        ("x.yaml", "there are native_functions, tags"),
    ],
)
def test_a_file_without_a_schema(capsys, file, said):
    assert run(["schema", file]) == 2
    assert said in capsys.readouterr().err
