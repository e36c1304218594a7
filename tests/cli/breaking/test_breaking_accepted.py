"""Levels, accepted breaks and their expiry, --write-allow."""

import datetime
import json

import pytest
from breaking_pair import NEW, accepted, breaking, printed
from opgen.commands import run


@pytest.mark.parametrize("rule", ["OPB201", "arg-renamed"])
@pytest.mark.parametrize(
    ("level", "expected"),
    [("error", {"error", "warning"}), ("warning", {"warning", "note"}), ("note", {"note"}), ("off", set())],
)
def test_levels(folder, capsys, rule, level, expected):
    """The configured level of a rule is used. A private operator's level is one lower."""
    (folder / "opgen.toml").write_text(f'[breaking.rules]\n{rule} = "{level}"\n')
    found = breaking(capsys)[1]
    assert {severity for name, severity, *_ in found if name == "arg-renamed"} == expected


def test_a_level_holds_whoever_was_asked_for(folder, capsys):
    (folder / "opgen.toml").write_text('[breaking.rules]\narg-added-defaulted-end = "error"\n')
    assert ("arg-added-defaulted-end", "error", "pick", 3) in breaking(capsys, "--for", "cpp")[1]


def test_options_from_the_configuration(folder, capsys):
    (folder / "opgen.toml").write_text(
        'schemas = "new.yaml"\n[breaking]\nagainst = "old.yaml"\nfor = ["cpp", "graph-fc"]\n'
    )
    assert run(["breaking", "--format", "json"]) == 1
    errors = [d for d in json.loads(capsys.readouterr().out)["diagnostics"] if d["severity"] == "error"]
    assert {d["operator"] for d in errors} == {"blur", "scale", "pick"}
    assert run(["breaking", "--for", "cpp", "--against", "new.yaml"]) == 0
    (folder / "opgen.toml").write_text('[breaking]\nagainst = "old.yaml"\nfor = "nobody"\n')
    assert run(["breaking", "new.yaml"]) == 2
    assert "opgen.toml:3: 'breaking.for': 'nobody' is none of" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[breaking.rules]\nOPB999 = "off"\n', ":2: there is no rule 'OPB999'"),
        ('[breaking.rules]\nOPG812 = "off"\n', "rules of `opgen validate` stand in [rules]"),
        (accepted("arg-renamd", "scale"), ":2: there is no rule 'arg-renamd'; did you mean 'arg-renamed'?"),
        (
            accepted("arg-renamed", "scale", expires="soon"),
            ":5: 'soon' is neither a date, as in 2027-01-31, nor a version",
        ),
    ],
)
def test_a_configuration_that_cannot_be_used(folder, capsys, text, said):
    (folder / "opgen.toml").write_text(text)
    assert run(["breaking", "new.yaml", "--against", "old.yaml"]) == 2
    shown = capsys.readouterr()
    assert "opgen.toml:" in shown.err and said in shown.err and shown.out == ""


def test_accepted_by_the_configuration(folder, capsys):
    (folder / "opgen.toml").write_text(accepted("OPB201", "scale") + accepted("op-removed", "blur"))
    code, found = breaking(capsys)
    assert code == 0 and {f[1] for f in found if f[2] in ("scale", "blur")} == {"note"}
    assert run(["breaking", "new.yaml", "--against", "old.yaml", "--notes"]) == 0
    out = capsys.readouterr().out
    assert "= accepted: we said so" in out and "2 accepted" in out and "needs a major version" in out
    assert "Accepted: we said so" in printed("markdown", capsys)


@pytest.mark.parametrize(
    "text",
    [
        NEW.replace("-> Tensor\n", "-> Tensor  # opgen: allow[OPB201] we said so\n", 1),
        "# opgen: allow[OPB201, OPB101] we said so\n" + NEW,
        NEW.replace("-> Tensor\n", "-> Tensor\n  variants: function  # opgen: allow[OPB201] we said so\n", 1),
        NEW.replace("-> Tensor\n", "-> Tensor  # opgen: allow[OPB201] expires=2999-01-31 we said so\n", 1),
    ],
)
def test_accepted_by_a_comment(folder, capsys, text):
    (folder / "new.yaml").write_text(text)
    records = json.loads(printed("json", capsys))["diagnostics"]
    scale = next(d for d in records if d.get("operator") == "scale")
    assert (scale["severity"], scale["accepted"]) == ("note", "we said so")
    assert run(["validate", "new.yaml"]) == 0


def test_a_comment_accepts_on_its_own_entry_only(folder, capsys):
    comment = "  # opgen: allow[OPB201] we said so\n"
    (folder / "new.yaml").write_text(NEW.replace("\n", comment, 3).replace(comment, "\n", 1))
    found = breaking(capsys)[1]
    assert ("arg-renamed", "error", "scale", 1) in found and ("arg-renamed", "note", "_fold", 2) in found
    assert ("allow-stale", "warning", None, 3) in found


@pytest.mark.parametrize(
    ("comment", "rule", "severity"),
    [
        ("allow[OPB205] why", "allow-stale", "warning"),
        ("allow[OPB201] expires=2001-01-31 why", "allow-expired", "warning"),
        ("allow[OPB999] why", "allow-unknown-rule", "error"),
        ("allow[OPB201] expires=soon why", "allow-malformed-end", "error"),
        ("allow[OPB201] expires=2999-02-31 why", "allow-malformed-end", "error"),
    ],
)
def test_what_is_wrong_with_comments(folder, capsys, comment, rule, severity):
    (folder / "new.yaml").write_text(NEW.replace("\n", f"  # opgen: {comment}\n", 1))
    code, found = breaking(capsys)
    assert code == 1 and (rule, severity, None, 1) in found
    assert ("arg-renamed", "error", "scale", 1) in found


def test_ends(folder, capsys):
    today = datetime.date.today()
    day = datetime.timedelta(days=1)
    for end, holds in {today - day: False, today: True, today + day: True}.items():
        for text in (f'"{end}"', str(end)):
            table = accepted("arg-renamed", "scale", expires="END").replace('"END"', text)
            (folder / "opgen.toml").write_text(table)
            found = breaking(capsys)[1]
            assert (("arg-renamed", "note", "scale", 1) in found) is holds
            assert (("allow-expired", "warning", None, 1) in found) is not holds


def test_versions_as_ends(folder, capsys):
    """A break that expires with a version only expires when the current version is known."""
    (folder / "opgen.toml").write_text(accepted("arg-renamed", "scale", expires="2.0"))
    assert ("arg-renamed", "note", "scale", 1) in breaking(capsys)[1]
    for new, ended in (("1.9", False), ("2.0", True), ("2.1", True)):
        found = breaking(capsys, "--check-bump", "1.8", new)[1]
        assert (("allow-expired", "warning", None, 1) in found) is ended


def test_write_allow(folder, capsys):
    (folder / "opgen.toml").write_text("# ours\n[breaking]\nstrict = false")
    arguments = ["breaking", "new.yaml", "--against", "old.yaml"]
    assert run([*arguments, "--write-allow", 'the "2.0" plan: \\ é', "--expires", "2999-01-31"]) == 0
    assert "opgen.toml: 2 more accepted" in capsys.readouterr().err
    text = (folder / "opgen.toml").read_text()
    assert text.startswith("# ours\n[breaking]\nstrict = false\n")
    assert run(arguments) == 0
    capsys.readouterr()
    records = json.loads(printed("json", capsys))["diagnostics"]
    assert {d["accepted"] for d in records} == {None, 'the "2.0" plan: \\ é'}
    assert run([*arguments, "--write-allow", "again"]) == 0
    assert "nothing fails" in capsys.readouterr().err
    assert (folder / "opgen.toml").read_text() == text


def test_write_allow_makes_the_file_and_uses_a_shared_one(folder, capsys):
    arguments = ["breaking", "new.yaml", "--against", "old.yaml"]
    assert run([*arguments, "--write-allow", "x"]) == 0
    assert (folder / "opgen.toml").read_text().count("[[breaking.allow]]") == 2
    (folder / "opgen.toml").unlink()
    (folder / "pyproject.toml").write_text('[tool.opgen]\nname = "x"\n')
    assert run([*arguments, "--write-allow", "x"]) == 0
    assert (folder / "pyproject.toml").read_text().count("[[tool.opgen.breaking.allow]]") == 2
    assert run(arguments) == 0


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--write-allow", " "], "a reason is a line of text"),
        (["--write-allow", "a\nb"], "a reason is a line of text"),
        (["--write-allow", "x", "--expires", "soon"], "'soon' is neither a date"),
        (["--write-allow", "x", "--check-bump", "1", "2"], "give one of the two"),
        (["--expires", "2999-01-31"], "--write-allow"),
    ],
)
def test_write_allow_that_makes_no_sense(folder, capsys, more, said):
    assert run(["breaking", "new.yaml", "--against", "old.yaml", *more]) == 2
    assert said in capsys.readouterr().err and not (folder / "opgen.toml").exists()


def test_write_allow_leaves_a_file_that_it_cannot_add_to(folder, capsys):
    before = '[breaking]\nallow = [{rule = "op-removed", item = "x", reason = "y"}]\n'
    (folder / "opgen.toml").write_text(before)
    assert run(["breaking", "new.yaml", "--against", "old.yaml", "--write-allow", "x"]) == 2
    shown = capsys.readouterr()
    assert (folder / "opgen.toml").read_text() == before
    assert "it is as it was" in shown.err and 'item = "scale"' in shown.out
