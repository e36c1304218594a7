"""docs/breaking.md and the README: the examples show what the command prints, and their steps run."""

import re
import shlex
import textwrap

import pytest
import yaml
from front import ROOT
from git_checkout import Checkout, needs_git
from opgen import config
from opgen.breaking import RULES, allow
from opgen.commands import run

PAGE = (ROOT / "docs" / "breaking.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def shown(text: str) -> str:
    """Returns the output of the first `$ opgen breaking` of a page."""
    block = re.search(r"    \$ opgen breaking --against main\n((?:    .*\n|\n)+)", text)[1]
    return textwrap.dedent(block).strip("\n") + "\n"


BEFORE, AFTER = [block for block in blocks(PAGE, "yaml") if block.startswith("- func: ")][:2]


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    needs_git()
    made = Checkout(tmp_path)
    made.commit(schemas__native_functions=BEFORE)
    made.write(schemas__native_functions=AFTER)
    (tmp_path / "opgen.toml").write_text('schemas = "schemas"\n')
    monkeypatch.chdir(tmp_path)
    return made


@pytest.mark.parametrize("page", [PAGE, README], ids=["guide", "README"])
def test_the_example(checkout, page, capsys):
    assert run(["breaking", "--against", "main"]) == 1
    assert capsys.readouterr().out == shown(page)


def test_the_comment(checkout):
    comment = next(block for block in blocks(PAGE, "yaml") if "opgen: allow" in block)
    assert comment.startswith(AFTER.splitlines()[0])
    checkout.write(schemas__native_functions=AFTER.replace(AFTER.splitlines()[0] + "\n", comment))
    assert run(["breaking", "--against", "main"]) == 0


def test_the_configuration(checkout, tmp_path, capsys):
    (block,) = blocks(PAGE, "toml")
    (tmp_path / "opgen.toml").write_text(block)
    found = config.read(tmp_path)
    assert len(config.levels(found, RULES, "breaking.rules")) == 3
    assert [entry.operator for entry in allow.of_configuration(found, RULES)] == ["scale"]
    checkout.git("update-ref", "refs/remotes/origin/main", "HEAD")
    # The page raises the level of arg-added-defaulted-end, so that the other change is an error.
    assert run(["breaking", "--format", "concise"]) == 1
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()] == ["error:"]


COMMANDS = re.findall(r"(?:^    |run: |- )(opgen breaking .*)", PAGE, re.MULTILINE)


@pytest.mark.parametrize("step", COMMANDS)
def test_the_steps(checkout, step, monkeypatch, capsys):
    checkout.git("update-ref", "refs/remotes/origin/main", "HEAD")
    for tag in ("v1.4", "v1.4.0"):
        checkout.git("tag", tag)
    head = checkout.git("rev-parse", "HEAD")
    for variable, value in {"$BASE": "origin/main", "$CI_MERGE_REQUEST_DIFF_BASE_SHA": head}.items():
        step = step.replace(variable, value)
    words = shlex.split(step.partition(" >> ")[0])
    assert run(words[1:]) == (0 if "--write-allow" in words else 1)


def test_there_are_steps():
    assert len(COMMANDS) >= 7


def test_audiences_of_the_page():
    from opgen.breaking.finding import AUDIENCES, DEFAULT_AUDIENCES

    rows = re.findall(r"^\| `([a-z-]+)` \| .* \| (yes)? ?\|$", PAGE, re.MULTILINE)
    assert [name for name, _ in rows] == [a.value for a in AUDIENCES]
    assert [name for name, asked in rows if asked] == [a.value for a in DEFAULT_AUDIENCES]


def test_the_hook(checkout, capsys):
    (hook,) = [h for h in HOOKS if h["id"] == "opgen-breaking"]
    (example,) = [block for block in blocks(PAGE, "yaml") if "id: opgen-breaking" in block]
    (used,) = yaml.safe_load(example)["repos"][0]["hooks"]
    assert hook["pass_filenames"] is False
    for name in ("native_functions", "tags", "derivatives", "deprecated"):
        assert re.search(hook["files"], f"schemas/{name}.yaml")
    for arguments in (hook["args"], used["args"]):
        assert run([*shlex.split(hook["entry"])[1:], *arguments]) == 1
