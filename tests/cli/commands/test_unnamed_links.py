"""Symbolic links in place of files that commands read by default: their targets are not quoted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from opgen.commands import run

SECRET = "-----BEGIN-KEY-----"
# None of these is a valid file of its kind, so an error would quote it; the last is a valid configuration.
SECRETS = (
    f"{SECRET}\n",
    f"token: {SECRET}\n",
    f"- tag: {SECRET}\n- name: {SECRET}\n",
    f"- func: {SECRET}\n",
    f"[tool.opgen]\n{SECRET} = 1\n",
    f'{SECRET} = "x"\n# opgen\n',
)
GOOD = "- func: f(Tensor self) -> Tensor\n"
# The commands that read a file by default, and how it is named instead: FILE is replaced by its path.
MODEL = ("validate", "dump", "breaking", "generate", "build", "dispatch", "explain")
FILES = {
    "native_functions.yaml": (MODEL, ()),
    "tags.yaml": (MODEL, ("--tags", "FILE")),
    "derivatives.yaml": (MODEL, ("--derivatives", "FILE")),
    "checks.yaml": (("validate", "generate", "build", "dispatch", "explain"), ("--checks", "FILE")),
    "docs.yaml": (("validate", "generate", "build", "dispatch", "explain"), ("--docs", "FILE")),
    "deprecated.yaml": (("breaking",), ("--deprecated", "FILE")),
    "opgen.toml": (MODEL, ("--config", "FILE")),
    "pyproject.toml": (MODEL, ("--config", "FILE")),
}
WORDS = {
    "validate": ("validate", "schemas"),
    "dump": ("dump", "schemas"),
    "breaking": ("breaking", "schemas", "--against", "good.yaml"),
    "generate": ("generate", "schemas", "--name", "x", "--extend", "aten", "--dry-run"),
    "build": ("build", "schemas", "--name", "x", "--extend", "aten"),
    "dispatch": ("dispatch", "f", "schemas"),
    "explain": ("explain", "f", "schemas"),
}
LINKED = [(file, command) for file, (commands, _) in FILES.items() for command in commands]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A checkout with the folder `schemas`, beside a folder of another user."""
    project = tmp_path / "project"
    for folder in (project / "schemas", project / ".git", project / "common", tmp_path / "others"):
        folder.mkdir(parents=True)
    (project / "schemas" / "native_functions.yaml").write_text(GOOD)
    (project / "good.yaml").write_text(GOOD)
    monkeypatch.chdir(project)
    return project


def link(file: str, target: Path, text: str) -> Path:
    target.write_text(text)
    path = Path("schemas", file)
    path.unlink(missing_ok=True)
    path.symlink_to(os.path.relpath(target, "schemas"))
    return path


@pytest.mark.slow
@pytest.mark.parametrize(("file", "command"), LINKED)
def test_out_of_the_repository(project, capsys, file, command):
    for text in SECRETS:
        for target in (project.parent / "others" / "x", project / ".git" / "config"):
            path = link(file, target, text)
            code = run(WORDS[command])
            shown = capsys.readouterr()
            assert SECRET not in shown.out + shown.err, (text, shown)
            if file != "pyproject.toml" or "opgen" in text:
                assert code == 2 and f"{path} is a link that leads out of its repository" in shown.err
                assert f"to {target}, and was named by nobody; if that is meant, name it as " in shown.err


@pytest.mark.parametrize("file", FILES)
def test_what_is_named_is_read(project, capsys, file):
    outside = project.parent / "others" / "x"
    path = link(file, outside, f"- func: {SECRET}\n[tool.opgen]\n{SECRET} = 1\n")
    for target in (path, outside):
        words = [str(target) if word == "FILE" else word for word in FILES[file][1]]
        command = "breaking" if file == "deprecated.yaml" else "validate"
        whole = [command, *(["schemas", *words] if words else [str(target)]), *WORDS["breaking"][2:]]
        assert run(whole if command == "breaking" else whole[: 2 + len(words)]) in (1, 2)
        shown = capsys.readouterr()
        assert "is a link that leads" not in shown.err


@pytest.mark.parametrize("file", FILES)
def test_inside_the_repository(project, capsys, file):
    texts = {"native_functions.yaml": GOOD, "opgen.toml": "[rules]\n", "pyproject.toml": "[tool.opgen]\n"}
    link(file, project / "common" / "x", texts.get(file, "[]\n"))
    for command in ("validate", "breaking"):
        assert run(WORDS[command]) == 0, capsys.readouterr()


@pytest.mark.parametrize("file", FILES)
def test_without_a_repository_the_folder_is_the_limit(project, capsys, file):
    (project / ".git").rmdir()
    link(file, project / "common" / "x", f"{SECRET} # opgen\n")
    words = WORDS["breaking" if "breaking" in FILES[file][0] else "validate"]
    assert run(words) == 2
    shown = capsys.readouterr()
    assert "is a link that leads out of its folder" in shown.err and SECRET not in shown.out + shown.err
    texts = {"native_functions.yaml": GOOD, "opgen.toml": "[rules]\n", "pyproject.toml": "[tool.opgen]\n"}
    link(file, project / "schemas" / "x", texts.get(file, "[]\n"))
    assert run(words) == 0


@pytest.mark.parametrize("command", MODEL)
def test_the_file_that_is_read_when_nothing_is_named(project, capsys, command):
    outside = project.parent / "others" / "x"
    outside.write_text(f"- func: {SECRET}\n")
    Path("native_functions.yaml").symlink_to(outside)
    words = [word for word in WORDS[command] if word != "schemas"]
    assert run(words) == 2
    shown = capsys.readouterr()
    assert "native_functions.yaml is a link that leads out of its repository" in shown.err
    assert SECRET not in shown.out + shown.err


def test_the_file_that_breaking_reads_when_nothing_is_named(project, capsys):
    outside = project.parent / "others" / "native_functions.yaml"
    outside.write_text(f"- func: {SECRET}\n")
    Path("native_functions.yaml").symlink_to(outside)
    assert run([word for word in WORDS["breaking"] if word != "schemas"]) == 2
    shown = capsys.readouterr()
    assert "native_functions.yaml is a link that leads out of its repository" in shown.err
    assert SECRET not in shown.out + shown.err


def test_a_link_that_leads_nowhere_is_no_file(project):
    Path("schemas/tags.yaml").symlink_to("/nowhere/tags.yaml")
    assert run(WORDS["validate"]) == 0
