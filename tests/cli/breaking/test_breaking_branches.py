"""`opgen breaking` in a branch: later commits of the other branch are not reported as changes."""

import json

import pytest
from breaking_versions import NEW, OLD
from opgen.commands import run

LATER = OLD + "- func: later(Tensor self) -> Tensor\n"
OURS = OLD + "- func: ours(int[] sizes) -> Tensor\n"


@pytest.fixture
def branches(checkout):
    """The checked-out branch pr has the operator `ours`; main got `later` after pr was created."""
    (checkout.folder / "opgen.toml").write_text('schemas = "schemas"\n')
    checkout.commit(schemas__native_functions=OLD)
    checkout.git("checkout", "--quiet", "-b", "pr")
    checkout.commit(schemas__native_functions=OURS)
    checkout.git("checkout", "--quiet", "main")
    checkout.commit(schemas__native_functions=LATER)
    checkout.git("checkout", "--quiet", "pr")
    return checkout


def changed(capsys, *arguments: str) -> tuple[list[str], str]:
    """Returns the operators that changed, and the other output."""
    assert run(["breaking", *arguments, "--strict", "--format", "json"]) in (0, 1)
    out, err = capsys.readouterr()
    return sorted({d["operator"] for d in json.loads(out)["diagnostics"]}), err


def test_a_branch_is_compared_from_where_it_was_left(branches, capsys):
    left = branches.git("merge-base", "main", "pr")
    operators, said = changed(capsys, "--against", "main")
    assert operators == ["ours"]
    assert said == f"opgen: 'main' was left at {left[:12]}, which is compared\n"


def test_the_same_of_a_remote_branch_and_of_a_commit(branches, capsys, monkeypatch, tmp_path):
    branches.git("clone", "--quiet", ".", str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    assert changed(capsys, "--against", "origin/main")[0] == ["ours"]
    assert changed(capsys, "HEAD", "--against", "origin/main")[0] == ["ours"]


def test_what_does_not_move_and_what_has_a_path_is_taken_exactly(branches, capsys):
    branches.git("tag", "v1", "main")
    commit = branches.git("rev-parse", "main")
    for base in ("v1", commit, "main:schemas", "main~0"):
        operators, said = changed(capsys, "--against", base)
        assert operators == ["later", "ours"] and said == ""


def test_without_anything_new_the_branch_has_its_name(branches, capsys):
    branches.git("checkout", "--quiet", "main")
    branches.write(schemas__native_functions=NEW)
    assert run(["breaking", "--against", "main"]) == 1
    assert "against main:schemas/native_functions.yaml" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments", [("--against", "main...pr"), ("main...pr",), ("pr:schemas", "--against", "main...pr")]
)
@pytest.mark.parametrize("configured", [False, True])
def test_three_dots(branches, capsys, arguments, configured):
    """A...B is compared as in `git diff main...pr`, whatever is checked out."""
    branches.git("checkout", "--quiet", "main")
    if configured:
        (branches.folder / "opgen.toml").write_text('schemas = "schemas"\n')
    assert changed(capsys, *arguments)[0] == ["ours"]


def test_three_dots_without_the_second_are_the_work_tree(branches, capsys):
    branches.write(schemas__native_functions=OURS + "- func: more(str text) -> int\n")
    assert changed(capsys, "--against", "main...")[0] == ["more", "ours"]


def test_branches_that_share_nothing(branches, capsys):
    branches.git("checkout", "--quiet", "--orphan", "apart")
    branches.commit()
    assert run(["breaking", "--against", "main"]) == 2
    said = capsys.readouterr().err
    assert "'main' and 'HEAD' have no commit in common; REF:PATH compares with the last commit" in said
    assert run(["breaking", "--against", "main:schemas"]) in (0, 1)


@pytest.mark.parametrize("format", ["github", "gitlab", "sarif"])
@pytest.mark.parametrize("folder", [".", "schemas", "deep/er"])
def test_paths_count_from_the_root_of_the_repository(branches, capsys, monkeypatch, format, folder):
    """Paths don't depend on the working folder, which the platforms don't know."""
    (branches.folder / folder).mkdir(parents=True, exist_ok=True)
    branches.write(schemas__native_functions="- func: f(Tensr self) -> Tensor\n")
    monkeypatch.chdir(branches.folder / folder)
    file = {".": "schemas", "schemas": "native_functions.yaml", "deep/er": "../../schemas"}[folder]
    assert run(["validate", file, "--format", format]) == 1
    printed = capsys.readouterr().out
    shown = {"github": "file={},line", "gitlab": '"path": "{}"', "sarif": '"uri": "{}"'}[format]
    assert shown.format("schemas/native_functions.yaml") in printed


@pytest.mark.parametrize(("base", "located"), [("main", False), ("old.yaml", True)])
def test_a_place_in_a_commit_is_none_in_the_file_of_today(branches, capsys, base, located):
    """A file that is compared with is there to be shown; the lines of a commit are not."""
    before, after = (f"- func: f(Tensor self, int {name}) -> Tensor\n" for name in "nm")
    branches.git("checkout", "--quiet", "main")
    branches.commit(schemas__native_functions=before)
    branches.write(old=before, schemas__native_functions="# moved\n" + after)
    arguments = ["breaking", "schemas", "--against", base, "--format"]
    assert run([*arguments, "sarif"]) == 1
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    places = [r["physicalLocation"]["artifactLocation"]["uri"] for r in result.get("relatedLocations", ())]
    assert places == (["old.yaml"] if located else [])
    assert run([*arguments, "json"]) == 1
    assert len(json.loads(capsys.readouterr().out)["diagnostics"][0]["related"]) == 1
