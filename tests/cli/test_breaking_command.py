"""`opgen breaking`: what it asks, says and ends with."""

import copy
import datetime
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from format_schemas import FINDING, GITLAB, JUNIT, OWN, SARIF
from git_checkout import Checkout, needs_git
from opgen.breaking import Bump
from opgen.breaking.version import Version
from opgen.commands import run
from opgen.commands.breaking import FORMATS

OLD = """\
- func: scale(Tensor self, float factor=1.0) -> Tensor
- func: blur(Tensor self) -> Tensor
- func: _fold(Tensor self, int n) -> Tensor
- func: pick(Tensor self) -> Tensor
"""
NEW = """\
- func: scale(Tensor self, float by=1.0) -> Tensor
- func: _fold(Tensor self, int m) -> Tensor
- func: pick(Tensor self, int k=0) -> Tensor
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with old.yaml and new.yaml."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.yaml").write_text(OLD)
    (tmp_path / "new.yaml").write_text(NEW)
    return tmp_path


def breaking(
    capsys, *arguments: str, new: str = "new.yaml", old: str = "old.yaml"
) -> tuple[int, list[tuple]]:
    """The exit code, and (rule, severity, operator, line) of each finding."""
    code = run(["breaking", new, "--against", old, "--format", "json", *arguments])
    out = capsys.readouterr().out
    found = json.loads(out)["diagnostics"] if out else []
    return code, [(d["name"], d["severity"], d.get("operator"), d["line"]) for d in found]


ALL = {
    ("arg-renamed", "error", "scale", 1),
    ("arg-renamed", "warning", "_fold", 2),
    ("op-removed", "error", "blur", 2),
    ("arg-added-defaulted-end", "note", "pick", 3),
}


def test_findings(folder, capsys):
    code, found = breaking(capsys)
    assert (code, set(found)) == (1, ALL) and len(found) == len(ALL)
    assert breaking(capsys, new="old.yaml") == (0, [])


@pytest.mark.parametrize(
    ("asked", "failing"),
    [
        (["--for", "cpp"], {"blur"}),
        (["--for", "python"], {"blur", "scale"}),
        (["--for", "graph-fc"], {"scale", "pick"}),
        (["--for", "abi"], {"blur", "pick"}),
        (["--for", "backend, abi"], {"blur", "pick"}),
        (["--strict"], {"blur", "scale", "pick"}),
        (["--for", "cpp", "--strict"], {"blur", "scale", "pick"}),
    ],
)
def test_for_whom(folder, capsys, asked, failing):
    code, found = breaking(capsys, *asked)
    assert {operator for _, severity, operator, _ in found if severity == "error"} == failing and code == 1


def test_nothing_that_was_asked_for_breaks(folder, capsys):
    (folder / "new.yaml").write_text(OLD.replace("pick(Tensor self)", "pick(Tensor self, int k=0)"))
    assert breaking(capsys)[0] == 0
    assert breaking(capsys, "--for", "backend")[0] == 1


def test_private_operators_are_one_level_lower(folder, capsys):
    assert ("arg-renamed", "warning", "_fold", 2) in breaking(capsys)[1]
    (folder / "new.yaml").write_text(OLD.replace("int n", "int m"))
    assert breaking(capsys)[0] == 0


# -- text ------------------------------------------------------------------------

SHOWN = """\
error[OPB201 arg-renamed]: scale: the argument 'factor' is called 'by' now
  --> new.yaml:1:34
  |
1 | - func: scale(Tensor self, float by=1.0) -> Tensor
  |                                  ^^
  = before: scale(Tensor self, float factor=1.0) -> Tensor
                                     ^^^^^^
  = breaks: python, graph-bc, graph-fc; not cpp, abi, backend
"""


def test_text(folder, capsys):
    assert run(["breaking", "new.yaml", "--against", "old.yaml"]) == 1
    out = capsys.readouterr().out
    assert out.startswith(SHOWN)
    for said in ("= worked: scale(self, factor=", "= now: TypeError", "= help: ", "--> old.yaml:2:9"):
        assert said in out
    assert out.endswith("2 errors, 1 warning; 1 other change (--notes shows them); needs a major version\n")
    assert "OPB211" not in out
    assert run(["breaking", "new.yaml", "--against", "old.yaml", "--notes"]) == 1
    assert "note[OPB211 arg-added-defaulted-end]" in capsys.readouterr().out


def test_nothing_to_say(folder, capsys):
    assert run(["breaking", "old.yaml", "--against", "old.yaml"]) == 0
    assert capsys.readouterr().out == "old.yaml against old.yaml: nothing breaks\n"


def test_text_goes_to_a_file(folder, capsys):
    assert run(["breaking", "new.yaml", "--against", "old.yaml", "-o", "out.txt"]) == 1
    assert capsys.readouterr().out == "" and Path("out.txt").read_text().startswith(SHOWN)
    assert run(["breaking", "new.yaml", "--against", "old.yaml", "-o", "none/out.txt"]) == 2


def test_no_text_of_a_file_is_obeyed_by_a_terminal(folder, capsys):
    nasty = "- func: f(str x='\x1b[31m') -> Tensor\n".replace("\x1b", "\\u{1b}")
    (folder / "old.yaml").write_text(nasty)
    (folder / "new.yaml").write_text("- func: g(str x='%s') -> Tensor\n" % ("\u00e9" * 300))
    for format in FORMATS:
        assert run(["breaking", "new.yaml", "--against", "old.yaml", "--format", format, "--notes"]) in (1, 2)
        assert "\x1b" not in capsys.readouterr().out


def test_long_lines_are_cut(folder, capsys):
    long = "- func: f(Tensor self{}) -> Tensor\n"
    many = "".join(f", int a{i}=0" for i in range(100))
    (folder / "old.yaml").write_text(long.format(many))
    (folder / "new.yaml").write_text(long.format(many.replace("a77", "b")))
    assert run(["breaking", "new.yaml", "--against", "old.yaml"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) < 260
    before = next(i for i, line in enumerate(lines) if "= before: " in line)
    marked = lines[before][lines[before + 1].index("^") : len(lines[before + 1])]
    assert marked == "a77"


def test_concise(folder, capsys):
    run(["breaking", "new.yaml", "--against", "old.yaml", "--format", "concise"])
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first.startswith(
        "new.yaml:1:34: error: scale: the argument 'factor' is called 'by' now; breaks python"
    )
    assert last.startswith("old.yaml:2:9: error: the operator 'blur' is gone; breaks cpp")


# -- for programs --------------------------------------------------------------------


def printed(format: str, capsys, *arguments: str) -> str:
    assert run(["breaking", "new.yaml", "--against", "old.yaml", "--format", format, *arguments]) in (0, 1)
    return capsys.readouterr().out


AUDIENCES = ["cpp", "abi", "python", "graph-bc", "graph-fc", "backend"]


def test_json(folder, capsys):
    jsonschema = pytest.importorskip("jsonschema")
    expected = copy.deepcopy(OWN)
    more = {
        "breaks": {"type": "array", "items": {"enum": AUDIENCES}, "uniqueItems": True},
        "bump": {"enum": ["none", "minor", "major"]},
        "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
        **{name: {"type": "string"} for name in ("before", "after", "operator")},
        **{name: {"type": ["string", "null"]} for name in ("worked", "fails", "accepted")},
    }
    fields = {**FINDING, **more}
    items = {"properties": fields, "required": list(fields), "additionalProperties": False}
    expected["properties"]["diagnostics"]["items"] = items
    expected["properties"]["summary"]["properties"]["bump"] = {"const": "major"}
    record = json.loads(printed("json", capsys))
    jsonschema.validate(record, expected)
    assert record["summary"] == {"errors": 2, "warnings": 1, "bump": "major"}
    assert len({d["fingerprint"] for d in record["diagnostics"]}) == len(ALL)


@pytest.mark.parametrize("notes", [[], ["--notes"]])
def test_the_formats_of_tools(folder, capsys, notes):
    jsonschema = pytest.importorskip("jsonschema")
    number = 4 if notes else 3
    sarif = json.loads(printed("sarif", capsys, *notes))
    jsonschema.validate(sarif, SARIF)
    (ran,) = sarif["runs"]
    rules = [rule["id"] for rule in ran["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in ran["results"])
    assert len(ran["results"]) == number
    expected = copy.deepcopy(GITLAB)
    expected["items"]["properties"]["fingerprint"]["pattern"] = "^[0-9a-f]+$"
    gitlab = json.loads(printed("gitlab", capsys, *notes))
    jsonschema.validate(gitlab, expected)
    assert len({issue["fingerprint"] for issue in gitlab}) == number
    assert len(printed("github", capsys, *notes).splitlines()) == number
    suite = ElementTree.fromstring(printed("junit", capsys, *notes)).find("testsuite")
    assert suite.get("name") == "opgen breaking" and suite.get("failures") == "2"
    for element in suite.iter():
        assert element.attrib.keys() <= JUNIT[element.tag][0] | JUNIT[element.tag][1]


def test_without_findings_the_formats_are_whole(folder, capsys):
    (folder / "new.yaml").write_text(OLD)
    assert json.loads(printed("json", capsys))["summary"] == {"errors": 0, "warnings": 0, "bump": "none"}
    assert json.loads(printed("gitlab", capsys)) == []
    assert json.loads(printed("sarif", capsys))["runs"][0]["results"] == []
    assert ElementTree.fromstring(printed("junit", capsys)).find("testsuite").get("failures") == "0"
    assert printed("github", capsys) == printed("concise", capsys) == ""


def test_annotations_stand_in_the_new_file(folder, capsys):
    """Of what is gone, at the entry that it followed: a platform knows nothing of the old file's lines."""
    (folder / "new.yaml").write_text("# one\n# two\n" + NEW)
    gone = [line for line in printed("github", capsys).splitlines() if "op-removed" in line]
    assert len(gone) == 1 and gone[0].startswith("::error file=new.yaml,line=3,endLine=3,")
    (folder / "new.yaml").write_text("- func: other(int n) -> Tensor\n")
    lines = {line.split(",")[1] for line in printed("github", capsys).splitlines()}
    assert lines == {"line=1"}


def test_fingerprints_stay_when_lines_move(folder, capsys):
    def prints() -> set[str]:
        return {d["fingerprint"] for d in json.loads(printed("json", capsys))["diagnostics"]}

    before = prints()
    (folder / "old.yaml").write_text("# a comment\n" + OLD + "- func: h(Tensor self) -> Tensor\n")
    (folder / "new.yaml").write_text("- func: h(Tensor self) -> Tensor\n\n" + NEW)
    assert prints() == before


CHANGELOG = """\
# Changes of the operators

new.yaml against old.yaml: needs a major version.

## Major version

### Breaks C++ callers, C++ binaries, Python callers, saved programs, kernels registered elsewhere

- `blur`: the operator 'blur' is gone (OPB101 op-removed)
  - before: `blur(Tensor self) -> Tensor`
"""


def test_changelog(folder, capsys):
    text = printed("markdown", capsys)
    assert text.startswith(CHANGELOG)
    assert text.index("## Major version") < text.index("`scale`") < text.index("## Minor version")
    assert text.index("## Minor version") < text.index("`pick`")
    (folder / "new.yaml").write_text(OLD)
    assert printed("markdown", capsys).endswith("needs no new version.\n")


# -- versions ------------------------------------------------------------------------

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


# -- since ---------------------------------------------------------------------------


def test_since(folder, capsys):
    """Only what the second version does not have already; its own changes are nobody's."""
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


# -- living with it ------------------------------------------------------------------


def accepted(rule: str, item: str, **more: str) -> str:
    values = {"rule": rule, "item": item, "reason": "we said so", **more}
    return "[[breaking.allow]]\n" + "".join(f'{key} = "{value}"\n' for key, value in values.items())


@pytest.mark.parametrize("rule", ["OPB201", "arg-renamed"])
@pytest.mark.parametrize(
    ("level", "expected"),
    [("error", {"error", "warning"}), ("warning", {"warning", "note"}), ("note", {"note"}), ("off", set())],
)
def test_levels(folder, capsys, rule, level, expected):
    """Of a private operator one lower."""
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
        (accepted("arg-renamed", "scale", expires="soon"), ":5: 'soon' is neither a date nor a version"),
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
    """They end only when it is known which version this is."""
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
        (["--write-allow", "x", "--expires", "soon"], "neither a date nor a version"),
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


# -- the rest ------------------------------------------------------------------------


def test_an_entry_of_the_baseline_that_cannot_be_read_is_a_finding(folder, capsys):
    (folder / "old.yaml").write_text(OLD + "- func: gone(Tensr self) -> Tensor\n")
    assert ("baseline-unparseable", "note", "gone", 5) in breaking(capsys)[1]


def test_without_a_baseline(folder, capsys):
    assert run(["breaking", "new.yaml"]) == 2
    assert "opgen breaking --against main" in capsys.readouterr().err


def test_explain(capsys):
    assert run(["explain", "OPB201"]) == 0
    by_code = capsys.readouterr().out
    assert run(["explain", "arg-renamed"]) == 0
    assert capsys.readouterr().out == by_code
    for said in ("python: breaks them with an error", "major version", "Before:", "After:", "allow[OPB201]"):
        assert said in by_code
    assert run(["explain", "opb011"]) == 0
    assert "allow-stale" in capsys.readouterr().out
    assert run(["explain", "OPB2011"]) == 2
    assert "did you mean 'OPB" in capsys.readouterr().err


def test_in_a_checkout(tmp_path, monkeypatch, capsys):
    needs_git()
    checkout = Checkout(tmp_path / "ours")
    checkout.commit(schemas__native_functions=OLD)
    checkout.write(schemas__native_functions=NEW)
    (checkout.folder / "deep").mkdir()
    monkeypatch.chdir(checkout.folder)
    assert run(["breaking", "--against", "main", "--format", "github"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and all("file=schemas/native_functions.yaml," in line for line in lines)
    monkeypatch.chdir(checkout.folder / "deep")
    assert run(["breaking", "../schemas", "--against", "HEAD", "--format", "concise"]) == 1
    assert "HEAD:schemas/native_functions.yaml:2:9: error: the operator 'blur'" in capsys.readouterr().out
    checkout.commit()
    assert run(["breaking", "../schemas", "--against", "HEAD"]) == 0
    assert run(["breaking", "HEAD:schemas", "--against", "HEAD~1", "--format", "gitlab"]) == 1
    capsys.readouterr()
    assert run(["breaking", "HEAD:schemas", "--against", "HEAD~1", "--since", "HEAD"]) == 0


def test_a_default_that_is_no_tensor(folder, capsys):
    (folder / "old.yaml").write_text("- func: f(Tensor self, Tensor? x=None) -> Tensor\n")
    (folder / "new.yaml").write_text("- func: f(Tensor self, Tensor? x=[]) -> Tensor\n")
    assert breaking(capsys)[0] in (0, 1) and breaking(capsys, new="old.yaml", old="new.yaml")[0] in (0, 1)
