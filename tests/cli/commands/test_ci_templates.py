"""action.yml, gitlab.yml and the hooks of pre-commit: every step is run in a repository, as CI would."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from front import ROOT
from git_checkout import Checkout, needs_git

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GITLAB = yaml.safe_load((ROOT / "gitlab.yml").read_text(encoding="utf-8"))
HOOKS = {h["id"]: h for h in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
PAGE = (ROOT / "docs" / "validate.md").read_text(encoding="utf-8")

GOOD = "- func: f(Tensor self, int k) -> Tensor\n  dispatch: {CPU: f}\n"
# A file of each kind without a fault, and what is a fault, or breaks users, in the same file.
FILES = {
    "native_functions": (GOOD, GOOD.replace("Tensor self", "Tensr self")),
    "tags": ("- tag: core\n  desc: a\n", "- tag: core\n"),
    "derivatives": (
        "- name: f(Tensor self, int k) -> Tensor\n  self: grad * k\n",
        "- name: f(Tensor self, int k) -> Tensor\n  other: grad\n",
    ),
    "checks": ("- ops: [f]\n  checks: [k > 0]\n", "- ops: [f]\n  checks: [k is positive]\n"),
    "docs": ("- f: Multiplies by k.\n", "- g: Multiplies by k.\n"),
    "autocast": (
        "- cast: float32\n  devices: [CPU]\n  ops: [f]\n",
        "- cast: float32\n  devices: [CPU]\n  ops: [g]\n",
    ),
    "batching": ("- ops: [f]\n  loop:\n", "- ops: [f]\n"),
}
BREAKS = {
    "native_functions": (GOOD, GOOD.replace("int k", "int j")),
    "derivatives": (
        FILES["derivatives"][0],
        "- name: f(Tensor self, int k) -> Tensor\n  self: non_differentiable\n",
    ),
    "checks": ("- ops: [f]\n  checks: [k >= 0]\n", FILES["checks"][0]),
    "deprecated": ("- name: f(int k, Tensor self)\n  aten: f(self, k)\n", ""),
}


class Machine:
    """A checkout with a remote, and the programs of CI: pip, which notes what it installs, and opgen."""

    def __init__(self, folder: Path):
        self.origin = Checkout(folder / "origin")
        self.work, self.bin = folder / "work", folder / "bin"
        self.bin.mkdir()
        self._program("pip", f'echo "$@" >> {folder}/installed')
        self._program("opgen", f'exec "{sys.executable}" -m opgen "$@"')
        self.installed, self.summary = folder / "installed", folder / "summary"

    def _program(self, name: str, line: str) -> None:
        (self.bin / name).write_text(f"#!/bin/sh\n{line}\n")
        (self.bin / name).chmod(0o755)

    def clone(self, **options: str) -> None:
        words = [f"--{name}={value}" for name, value in options.items()]
        self.origin.git("clone", "--quiet", *words, f"file://{self.origin.folder}", str(self.work))

    def run(self, script: str, **variables: str) -> tuple[int, str]:
        environment = {
            **os.environ,
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "cli"),
            "GIT_ALLOW_PROTOCOL": "file",
            **variables,
        }
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        done = subprocess.run(shell, cwd=self.work, env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def machine(tmp_path, monkeypatch):
    needs_git()
    for name in [name for name in os.environ if name.startswith(("GIT_", "GITHUB_", "CI_", "OPGEN_"))]:
        monkeypatch.delenv(name)
    return Machine(tmp_path)


def branched(machine: Machine, before: dict[str, str], after: dict[str, str]) -> str:
    """Makes the branch `change` in the remote, after which main moves on; returns the commit it left."""
    machine.origin.commit(**before)
    (machine.origin.folder / "opgen.toml").write_text('schemas = "schemas"\n')
    left = machine.origin.commit()
    machine.origin.git("checkout", "--quiet", "-b", "change")
    machine.origin.commit(**after)
    machine.origin.git("checkout", "--quiet", "main")
    machine.origin.commit(schemas__native_functions=GOOD + "- func: later(Tensor self) -> Tensor\n")
    return left


# -- GitHub ------------------------------------------------------------------------------------------------


def applies(step: dict, event: str, inputs: dict[str, str]) -> bool:
    """Evaluates a step's `if`, of which only this subset is used."""
    facts = {
        "always()": True,
        "github.event_name == 'pull_request'": event == "pull_request",
        "inputs.against == ''": inputs["against"] == "",
    }
    return all(facts[part.strip()] for part in step.get("if", "always()").split("&&"))


def acted(machine: Machine, event: str = "pull_request", **given: str) -> dict[str, tuple[int, str]]:
    """Runs the action's steps as a runner would; returns how each ended, and what it printed."""
    inputs = {name: given.get(name, declared["default"]) for name, declared in ACTION["inputs"].items()}
    done: dict[str, tuple[int, str]] = {}
    for step in ACTION["runs"]["steps"]:
        if applies(step, event, inputs) and (all(not code for code, _ in done.values()) or "if" in step):
            values = {
                name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: inputs[found[1]], value)
                for name, value in step.get("env", {}).items()
            }
            assert step["shell"] == "bash" and "${{" not in step["run"] + "".join(values.values())
            own = {"GITHUB_ACTION_PATH": str(ROOT), "GITHUB_STEP_SUMMARY": str(machine.summary)}
            base = {"GITHUB_BASE_REF": "main"} if event == "pull_request" else {}
            done[step["name"]] = machine.run(step["run"], **own, **base, **values)
    return done


@pytest.mark.parametrize(("kind", "schemas"), [*zip(BREAKS, ("", "schemas") * 2, strict=True)])
def test_the_action_annotates_what_breaks(machine, kind, schemas):
    before, after = BREAKS[kind]
    file = f"schemas__{kind}"
    branched(machine, {"schemas__native_functions": GOOD, file: before}, {file: after})
    machine.clone(branch="change", depth="1")
    done = acted(machine, schemas=schemas)
    assert {name: code for name, (code, _) in done.items()} == {
        **dict.fromkeys(("Install opgen", "opgen validate", "Fetch the base branch"), 0),
        "opgen breaking": 1,
    }, done
    assert machine.installed.read_text() == f"install --quiet {ROOT}\n"
    lines = [line for line in done["opgen breaking"][1].splitlines() if line.startswith("::")]
    assert len(lines) == 1 and lines[0].startswith("::error file=schemas/"), lines  # 'later' is no finding
    assert machine.summary.read_text().startswith("# Changes of the operators\n")


def test_the_action_validates(machine):
    change = {"schemas__derivatives": FILES["derivatives"][1]}
    branched(machine, {"schemas__native_functions": GOOD}, change)
    machine.clone(branch="change")
    done = acted(machine, package="opgen==1.0")
    assert machine.installed.read_text() == "install --quiet opgen==1.0\n"
    assert done["opgen validate"][0] == 1
    assert done["opgen validate"][1].startswith("::error file=schemas/derivatives.yaml,line=2,")
    assert done["opgen breaking"][0] == 0
    assert list(acted(machine, "push")) == ["Install opgen", "opgen validate"]


def test_the_action_compares_with_what_is_named(machine):
    branched(
        machine,
        {"schemas__native_functions": GOOD},
        {"schemas__native_functions": BREAKS["native_functions"][1]},
    )
    machine.clone(branch="change")
    done = acted(machine, against="HEAD")
    assert "Fetch the base branch" not in done and done["opgen breaking"] == (0, "")


def test_the_page_uses_the_action_and_the_template():
    blocks = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]
    pages = [block for block in blocks if isinstance(block, dict)]
    (workflow,) = [page for page in pages if "opgen" in page.get("jobs", {})]
    assert set(workflow["jobs"]["opgen"]["steps"][1]["with"]) <= set(ACTION["inputs"])
    (included,) = [page for page in pages if "include" in page]
    assert (ROOT / included["include"][0]["file"]).is_file()
    assert set(included["variables"]) <= set(GITLAB["variables"])


# -- GitLab ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("schemas", ["", "schemas"])
def test_the_jobs_for_gitlab(machine, schemas):
    before, after = BREAKS["native_functions"]
    change = {"schemas__native_functions": after, "schemas__tags": FILES["tags"][1]}
    left = branched(machine, {"schemas__native_functions": before}, change)
    machine.clone(branch="change")
    jobs = {name: job for name, job in GITLAB.items() if name.startswith("opgen-")}
    assert set(jobs) == {"opgen-validate", "opgen-breaking"}
    assert jobs["opgen-breaking"]["rules"] == [{"if": '$CI_PIPELINE_SOURCE == "merge_request_event"'}]
    for job in jobs.values():
        variables = {**GITLAB["variables"], "OPGEN_SCHEMAS": schemas, "CI_MERGE_REQUEST_DIFF_BASE_SHA": left}
        lines = [*GITLAB[job["extends"]]["before_script"], *job["script"]]
        code, said = machine.run("\n".join(lines), **variables)
        assert code == 1, said
        (issue,) = json.loads((machine.work / job["artifacts"]["reports"]["codequality"]).read_text())
        assert issue["location"]["path"].startswith("schemas/")
    assert machine.installed.read_text().split()[-1] == GITLAB["variables"]["OPGEN_PACKAGE"]


# -- pre-commit --------------------------------------------------------------------------------------------


def hooked(machine: Machine, hook: dict) -> tuple[int, str] | None:
    """Runs a hook on what is staged; None where it is for none of these files."""
    staged = machine.run("git diff --cached --name-only")[1].split()
    files = [name for name in staged if re.search(hook["files"], name)]
    words = [*shlex.split(hook["entry"]), *hook.get("args", ())]
    words += files if hook.get("pass_filenames", True) else ()
    return machine.run(shlex.join(words)) if files else None


def staged(machine: Machine, before: dict[str, str], after: dict[str, str]) -> None:
    machine.origin.commit(**before)
    machine.work = machine.origin.folder
    machine.origin.write(**after)
    machine.origin.git("add", "--all")


@pytest.mark.parametrize("hook", ["opgen-validate", "opgen-fix"])
@pytest.mark.parametrize("kind", FILES)
def test_a_hook_runs_for_each_file_and_fails_for_its_faults(machine, hook, kind):
    good, bad = FILES[kind]
    functions = {"ops__native_functions": GOOD, f"ops__{kind}": good}
    staged(machine, functions, {f"ops__{kind}": bad})
    code, said = hooked(machine, HOOKS[hook])
    assert code != 0 and f"ops/{kind}.yaml:" in said
    machine.origin.write(**{f"ops__{kind}": f"# a comment\n{good}"})
    machine.origin.git("add", "--all")
    assert hooked(machine, HOOKS[hook])[0] == 0


def test_a_hook_checks_once_and_skips_what_is_not_ours(machine):
    after = {f"ops__{kind}": f"# a comment\n{good}" for kind, (good, _) in FILES.items()}
    staged(machine, {"ops__native_functions": GOOD}, {**after, "site__docs": "title: x\n", "tags": "a: b\n"})
    code, said = hooked(machine, HOOKS["opgen-validate"])
    assert code == 0 and said.count("ops/native_functions.yaml: 1 operator") == 1, said
    assert said.count("skipped: ") == 2
    staged(machine, {"x": "a\n"}, {"site__docs": "title: y\n"})
    assert hooked(machine, HOOKS["opgen-validate"])[0] == 0


@pytest.mark.parametrize("kind", BREAKS)
def test_the_hook_for_breaks(machine, kind):
    before, after = BREAKS[kind]
    (machine.origin.folder / "opgen.toml").write_text('schemas = "ops"\n')
    staged(machine, {"ops__native_functions": GOOD, f"ops__{kind}": before}, {f"ops__{kind}": after})
    code, said = hooked(machine, HOOKS["opgen-breaking"])
    assert code == 1 and "1 error" in said, said


# -- editors -----------------------------------------------------------------------------------------------


def test_the_schemas_for_editors(machine):
    jsonschema = pytest.importorskip("jsonschema")
    machine.work.mkdir()
    (machine.work / ".vscode").mkdir()
    for command in re.findall(r"^    \$ (opgen schema .*)", PAGE, re.MULTILINE):
        assert machine.run(command)[0] == 0
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    settings = json.loads(block)
    for schema, glob in settings["yaml.schemas"].items():
        validator = jsonschema.Draft7Validator(json.loads((machine.work / schema).read_text()))
        good, bad = (yaml.safe_load(text) for text in FILES[Path(glob).stem])
        assert not list(validator.iter_errors(good))
        assert Path(glob).stem in ("native_functions", "derivatives", "docs") or list(
            validator.iter_errors(bad)
        )
    (schema,) = settings["evenBetterToml.schema.associations"].values()
    assert (machine.work / schema).is_file()
