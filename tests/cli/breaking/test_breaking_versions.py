"""`--check-bump` and `--since`: breaks that a version step allows, and breaks of earlier versions."""

import pytest
from breaking_pair import ALL, NEW, OLD, accepted, breaking
from opgen.breaking import Bump
from opgen.breaking.version import Version
from opgen.commands import run

STEPS = {
    ("1.2.3", "2.0.0"): Bump.major,
    ("1.2.3", "1.3.0"): Bump.minor,
    ("1.2.3", "1.2.4"): Bump.none,
    ("1.2.3", "1.2.3"): Bump.none,
    ("v1.2", "v2"): Bump.major,
    ("1.2.3", "1.3.0rc1"): Bump.minor,
    ("1.2.3+cpu", "1.2.3+cu12"): Bump.none,
    ("0.1.0", "0.2.0"): Bump.major,
    ("0.1.0", "0.1.1"): Bump.minor,
    ("0.9.9", "1.0.0"): Bump.major,
}


@pytest.mark.parametrize(("old", "new"), STEPS)
def test_steps(old, new):
    assert Version.parse(old).step_to(Version.parse(new)) is STEPS[old, new]


@pytest.mark.parametrize("text", ["", "x", "1.", ".1", "1.2.3.4x y", "-1", "1" * 20, "1\n"])
def test_what_is_no_version(folder, capsys, text):
    assert run(["breaking", "new.yaml", "--against", "old.yaml", "--check-bump", text, "2.0"]) == 2
    assert "is no version" in capsys.readouterr().err


def test_the_step_must_announce_what_breaks(folder, capsys):
    for old, new, failing in (
        ("1.0.0", "1.0.1", {"blur", "scale", "_fold", "pick"}),
        ("1.0.0", "1.1.0", {"blur", "scale"}),
        ("1.0.0", "2.0.0", set()),
        ("0.1.0", "0.2.0", set()),
    ):
        code, found = breaking(capsys, "--check-bump", old, new)
        assert {operator for _, severity, operator, _ in found if severity == "error"} == failing
        assert code == (1 if failing else 0)
    assert breaking(capsys, "--check-bump", "2.0.0", "1.0.0")[0] == 2


def test_what_breaks_nobody_asked_for_needs_a_minor_version(folder, capsys):
    (folder / "old.yaml").write_text(
        "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CompositeExplicitAutograd: f\n"
    )
    (folder / "new.yaml").write_text(
        "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CompositeExplicitAutogradNonFunctional: f\n"
    )
    assert ("composite-explicit-narrowed", "note", "f", 3) in breaking(capsys)[1]
    assert breaking(capsys, "--check-bump", "1.0", "1.1")[0] == 0
    assert breaking(capsys, "--for", "backend", "--check-bump", "1.0", "1.1")[0] == 1


def test_accepted_breaks_need_their_version_too(folder, capsys):
    (folder / "opgen.toml").write_text(accepted("op-removed", "blur") + accepted("arg-renamed", "scale"))
    assert breaking(capsys)[0] == 0
    assert breaking(capsys, "--check-bump", "1.0", "1.1")[0] == 1


def test_since(folder, capsys):
    """Only breaks that the second version doesn't have are reported; its own changes are not."""
    (folder / "second.yaml").write_text(
        "# moved\n" + OLD.replace("factor", "by") + "- func: x(int n) -> Tensor\n"
    )
    code, found = breaking(capsys, "--since", "second.yaml")
    assert code == 1 and set(found) == ALL - {("arg-renamed", "error", "scale", 1)}
    (folder / "second.yaml").write_text(NEW)
    assert breaking(capsys, "--since", "second.yaml") == (0, [])


def test_an_accepted_break_that_second_has_is_not_stale(folder, capsys):
    (folder / "second.yaml").write_text(NEW)
    (folder / "opgen.toml").write_text(accepted("op-removed", "blur"))
    assert breaking(capsys, "--since", "second.yaml") == (0, [])


def test_what_the_step_announces_is_no_silence(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.yaml").write_text("- func: gone(Tensor self) -> Tensor\n- func: f(int k) -> Tensor\n")
    (tmp_path / "new.yaml").write_text("- func: f(int j) -> Tensor\n")
    command = ["breaking", "new.yaml", "--against", "old.yaml", "--check-bump", "1.0.0"]
    assert run([*command, "2.0.0"]) == 0
    said = capsys.readouterr().out
    assert "nothing else breaks; 2 announced breaks (--notes shows them); needs a major version" in said
    assert run([*command, "1.1.0"]) == 1
    assert "2 errors; needs a major version; from 1.0.0" in capsys.readouterr().out
    assert run(["breaking", "old.yaml", *command[2:], "2.0.0"]) == 0
    assert "old.yaml: nothing breaks; needs no new version" in capsys.readouterr().out
