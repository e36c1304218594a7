"""Integrations: the hooks for pre-commit, and the CI steps in the documentation."""

import re
import shlex

import pytest
import yaml
from front import ROOT
from opgen.commands import run

HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
PAGE = (ROOT / "docs" / "validate.md").read_text()
BAD = "- func: f(Tensor self,Tensor other) -> Tensor\n"


@pytest.mark.parametrize("hook", HOOKS, ids=lambda h: h["id"])
def test_what_hooks_are_for(hook):
    assert hook.keys() >= {"id", "name", "entry", "language", "files"}
    assert re.search(hook["files"], "schemas/native_functions.yaml")
    assert re.search(hook["files"], "native_functions.yaml")
    assert not re.search(hook["files"], "my_native_functions.yaml.txt")
    program = shlex.split(hook["entry"])[0]
    assert f'{program} = "opgen.commands:main"' in (ROOT / "pyproject.toml").read_text()


@pytest.mark.parametrize("hook", [h for h in HOOKS if "validate" in h["entry"]], ids=lambda h: h["id"])
def test_hooks(hook, tmp_path, capsys):
    _, *arguments = shlex.split(hook["entry"])
    files = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        files.append(tmp_path / name / "native_functions.yaml")
        files[-1].write_text(BAD)
    # pre-commit passes all changed files to one call.
    fixes = "--fix" in arguments
    assert run([*arguments, *map(str, files)]) == (0 if fixes else 1)
    assert capsys.readouterr().out.count("OPG105") == (0 if fixes else 2)
    assert all((file.read_text() == BAD) != fixes for file in files)


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_ci_steps_of_the_page_are_commands_that_work(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "native_functions.yaml").write_text(BAD)
    steps = [line for block in blocks("yaml") for line in re.findall(r"opgen validate .*", block)]
    assert len(steps) >= 3
    for step in steps:
        assert run(shlex.split(step.replace("|| true", ""))[1:]) == 1, step


def test_configuration_of_the_page_is_one(tmp_path, capsys, monkeypatch):
    from opgen import config
    from opgen.check.rules import RULES

    shown = [block for block in blocks("toml") if "[rules]" in block]
    assert shown
    for block in shown:
        (tmp_path / "opgen.toml").write_text(block)
        config.levels(config.read(tmp_path), RULES)


def test_the_page_of_rules_is_what_the_command_writes(capsys):
    assert run(["explain", "--rules"]) == 0
    page = (ROOT / "docs" / "reference" / "rules.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out == page, "opgen explain --rules -o docs/reference/rules.md"


def test_explain_by_code_and_by_name(capsys):
    assert run(["explain", "OPG812"]) == 0
    by_code = capsys.readouterr().out
    assert run(["explain", "inplace-view-tag"]) == 0
    assert capsys.readouterr().out == by_code
    for said in (
        "OPG812 inplace-view-tag (warning)",
        "--fix",
        "# opgen: ignore[OPG812] reason",
        "Wrong:",
        "Right:",
    ):
        assert said in by_code
    assert run(["explain", "opg108"]) == 0
    assert "cannot be ignored" in capsys.readouterr().out
    assert run(["explain", "OPG8122"]) == 2
    assert "did you mean 'OPG812'" in capsys.readouterr().err
    assert run(["explain"]) == 2
