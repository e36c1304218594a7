"""The entry points for newcomers: `make help`, pre-commit hooks, the index of the documents."""

from __future__ import annotations

import os
import re
import shlex
import subprocess

import yaml
from house import ROOT, files, name

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
HOOKS = {
    hook["id"]: hook
    for repo in yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    for hook in repo["hooks"]
}
TARGETS = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)[1].split()


def make(*arguments: str) -> str:
    command = ["make", "--no-print-directory", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_help_says_what_each_target_does() -> None:
    lines = make("help").splitlines()
    described = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines if line.startswith("  ")}
    assert sorted(described) == sorted(TARGETS)
    assert described["lint"] == re.search(r"^lint:.*?  ## (.*)$", MAKEFILE, re.MULTILINE)[1]
    groups = re.findall(r"^##@ (.*)$", MAKEFILE, re.MULTILINE)
    assert [line for line in lines if line and not line.startswith(" ")] == groups


def test_make_alone_builds() -> None:
    assert make("--dry-run") == make("--dry-run", "build")


def test_hooks_run_the_locked_tools_of_the_environment() -> None:
    locked = "".join((ROOT / "requirements" / f"{lock}.txt").read_text() for lock in ("build", "lint"))
    assert HOOKS.keys() == {"ruff-check", "ruff-format", "clang-format", "opgen-validate"}
    for hook in HOOKS.values():
        program = shlex.split(hook["entry"])[0]
        assert hook["language"] == "system" and program.startswith(".venv/bin/")
        tool = program.rpartition("/")[2]
        assert tool == "opgen" or re.search(rf"^{tool}==", locked, re.MULTILINE), f"{tool} is not locked"


def test_hooks_see_what_lint_checks() -> None:
    ruff = re.search(r"ruff check (.*)$", MAKEFILE, re.MULTILINE)[1].split()
    assert all(re.search(HOOKS["ruff-check"]["files"], f"{folder}/x.py") for folder in ruff)
    cpp = HOOKS["clang-format"]
    for suffix in re.findall(r"'\*(\.\w+)'", MAKEFILE):
        assert re.search(cpp["files"], f"core/x{suffix}")
    assert re.search(cpp["exclude"], "tests/golden/expected/src/x.cpp")


def test_the_indexes_list_every_page() -> None:
    """That of the whole, and that of the API."""
    listed = {"docs/index.md"}
    for index in (ROOT / "docs" / "index.md", ROOT / "docs" / "api" / "aten.md"):
        links = re.findall(r"\]\(([^)#]+\.md)", index.read_text(encoding="utf-8"))
        listed |= {os.path.relpath(index.parent / link, ROOT) for link in links}
    pages = {name(file) for file in files("docs", ".md")}
    assert pages <= listed, "no index has these pages"
