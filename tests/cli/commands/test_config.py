"""opgen.toml and [tool.opgen]: where they are searched, what they configure, and the errors about them."""

import json

import click
import pytest
from opgen import config
from opgen.check.rules import RULES
from opgen.commands import build, generate, run
from opgen.diagnostics import Severity

WARNED = "- func: f(Tensor(a) self) -> Tensor(a)\n- func: f_(Tensor(a!) self) -> Tensor(a!)\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Changes to a folder that has the folder `schemas` with one warning (OPG812)."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "native_functions.yaml").write_text(WARNED)
    return tmp_path


def severities(capsys, *arguments: str) -> tuple[int, list[str]]:
    code = run(["validate", *arguments, "--format", "json"])
    out = capsys.readouterr().out
    return code, [d["severity"] for d in json.loads(out)["diagnostics"]] if out else []


@pytest.mark.parametrize("rule", ["OPG812", "inplace-view-tag"])
@pytest.mark.parametrize(
    ("level", "expected"),
    [("error", (1, ["error"])), ("warning", (0, ["warning"])), ("note", (0, ["note"])), ("off", (0, []))],
)
def test_levels(project, capsys, rule, level, expected):
    (project / "opgen.toml").write_text(f'[rules]\n{rule} = "{level}"\n')
    assert severities(capsys, "schemas") == expected


def test_the_nearest_file_wins_and_opgen_toml_over_pyproject(project, capsys):
    assert config.find(project / "schemas") is None
    (project / "pyproject.toml").write_text('[tool.opgen.rules]\nOPG812 = "error"\n')
    assert severities(capsys, "schemas") == (1, ["error"])
    (project / "opgen.toml").write_text('[rules]\nOPG812 = "note"\n')
    assert severities(capsys, "schemas") == (0, ["note"])
    (project / "schemas" / "pyproject.toml").write_text('[project]\nname = "opgen-user"\n')
    assert severities(capsys, "schemas") == (0, ["note"])
    (project / "schemas" / "pyproject.toml").write_text('[tool.opgen.rules]\nOPG812 = "off"\n')
    assert severities(capsys, "schemas") == (0, [])
    assert severities(capsys, "schemas", "--config", "opgen.toml") == (0, ["note"])


def test_each_file_has_its_own(project, capsys):
    for name, level in (("a", "error"), ("b", "off")):
        (project / name).mkdir()
        (project / name / "native_functions.yaml").write_text(WARNED)
        (project / name / "opgen.toml").write_text(f'[rules]\nOPG812 = "{level}"\n')
    assert severities(capsys, "a", "b", "schemas") == (1, ["error", "warning"])


def test_paths_count_from_the_file_and_the_command_line_wins(project, capsys, monkeypatch):
    (project / "conf").mkdir()
    (project / "conf" / "opgen.toml").write_text('schemas = "../ops.yaml"\ntags = "my tags.yaml"\n')
    (project / "conf" / "my tags.yaml").write_text("- tag: mine\n  desc: of ours\n")
    (project / "ops.yaml").write_text("- func: f(Tensor self) -> Tensor\n  tags: mine\n")
    monkeypatch.chdir(project / "conf")
    (project / "conf" / "below").mkdir()
    for folder in ("conf", "conf/below"):
        monkeypatch.chdir(project / folder)
        assert run(["validate"]) == 0
        assert "ops.yaml: 1 operator " in capsys.readouterr().out
    monkeypatch.chdir(project / "conf")
    (project / "tags.yaml").write_text("- tag: other\n  desc: of others\n")
    assert run(["validate", "--tags", "../tags.yaml"]) == 1
    assert "there is no tag 'mine'" in capsys.readouterr().out
    assert run(["validate", "../schemas"]) == 0
    assert run(["dispatch", "f", "--format", "json"]) == 0


def test_generate_takes_its_options_from_it(project, capsys):
    (project / "opgen.toml").write_text(
        'name = "mine"\nout = "made"\nextend = "aten"\nmissing-kernels = "stub"\nops = ["f", "f_"]\n'
    )
    assert run(["generate", "schemas"]) == 0
    assert (project / "made" / "sources.json").is_file()
    assert run(["generate", "schemas", "--out", "elsewhere", "--name", "other"]) == 0
    assert (project / "elsewhere").is_dir()
    assert "up to date" not in capsys.readouterr().out
    assert run(["generate", "schemas"]) == 0
    assert "up to date" in capsys.readouterr().out


def test_generate_sees_levels_and_their_change(project, capsys):
    (project / "opgen.toml").write_text('name = "mine"\nextend = "aten"\nmissing-kernels = "stub"\n')
    assert run(["generate", "schemas"]) == 0
    with (project / "opgen.toml").open("a") as file:
        file.write('[rules]\nOPG812 = "error"\n')
    assert run(["generate", "schemas"]) == 1
    assert "OPG812" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('\nnam = "x"\n', ":2: there is no key 'nam'; did you mean 'name'?"),
        ("name = 3\n", ":1: 'name' must be a text, but it is 3"),
        ('jobs = "2"\n', ":1: 'jobs' must be a whole number, but it is the text '2'"),
        ("jobs = true\n", ":1: 'jobs' must be a whole number, but it is True"),
        ("kernels = [1]\n", ":1: 'kernels' must be a path, or a list of paths, but it is [1]"),
        ('tags = "\\u0000"\n', ":1: 'tags' must be a path"),
        ('rules = "x"\n', ":1: 'rules' must be a table"),
        ('[rules]\nOPG8120 = "off"\n', ":2: there is no rule 'OPG8120'; did you mean"),
        ('[rules]\nOPG812 = "eror"\n', ":2: the text 'eror' is no level (error, warning, note, off)"),
        ("[rules]\nOPG812 = false\n", ":2: False is no level"),
        ('[rules]\n"OPG108" = "off"\n', ":2: the level of OPG108 unknown-type is fixed"),
        ('[rules]\nOPG812 = "off"\ninplace-view-tag = "note"\n', ":3: OPG812 inplace-view-tag has two"),
        ("[breaking]\nstrikt = true\n", ":2: there is no key 'breaking.strikt'; did you mean 'strict'?"),
        ("[breaking]\nstrict = 1\n", ":2: 'breaking.strict' must be true or false"),
        ("[breaking]\nallow = ['add']\n", ":2: 'breaking.allow' must be a list of tables"),
        ('[[breaking.allow]]\nrule = "r"\n', ":1: this accepted break needs 'item'"),
        ("[[breaking.allow]]\nrule = 1\n", ":2: 'breaking.allow.0.rule' must be a text, but it is 1"),
        ("[[breaking.allow]]\nexpires = 2027-01-31T10:00:00\n", ":2: 'breaking.allow.0.expires' must be a"),
        ('[breaking.rules]\nx = "loud"\n', ":2: the text 'loud' is no level"),
        ('[rules]\nOPB001 = "off"\n', ":2: there is no rule 'OPB001'; rules of `opgen breaking` stand in ["),
        ("name = \n", ":1:8: "),
        ("x = " + "[" * 5000, ":1:"),
    ],
)  # fmt: skip
def test_faults(project, capsys, text, said):
    (project / "opgen.toml").write_text(text)
    assert run(["validate", "schemas"]) == 2
    shown = capsys.readouterr()
    assert f"opgen.toml{said}" in shown.err and shown.out == "" and "Traceback" not in shown.err


def test_all_faults_in_one_run_with_the_lines_of_a_shared_file(project, capsys):
    (project / "pyproject.toml").write_text(
        '[project]\nnam = "x"\n\n[tool.opgen]\nnam = "x"\njobs = "x"\n\n[tool.opgen.rules]\nOPG812 = "x"\n'
    )
    assert run(["validate", "schemas"]) == 2
    places = [line.split(":")[2] for line in capsys.readouterr().err.splitlines()]
    assert places == ["5", "6", "9"]


def test_values_that_an_option_refuses(project, capsys):
    (project / "opgen.toml").write_text('\nmissing-kernels = "none"\nname = "x"\n')
    assert run(["generate", "schemas"]) == 2
    assert "opgen.toml:2: 'missing-kernels': 'none' is not one of" in capsys.readouterr().err


def test_files_that_cannot_be_read(project, capsys):
    (project / "opgen.toml").write_bytes(b"\xff")
    assert run(["validate", "schemas"]) == 2
    assert "not UTF-8" in capsys.readouterr().err
    assert run(["validate", "--config", "none.toml"]) == 2
    (project / "pyproject.toml").write_text("[project]\n")
    assert run(["validate", "--config", "pyproject.toml"]) == 2
    assert "no table [tool.opgen]" in capsys.readouterr().err


def test_every_key_is_an_option_of_some_command():
    options = set()
    for command in (generate.command, build.command):
        options |= {n[2:] for p in command.params if isinstance(p, click.Option) for n in p.opts}
    own = {"schemas", "rules", "build", "breaking"}  # FILE and tables
    own |= {"derivatives", "aten"}  # options of validate
    assert set(config.KEYS) - own <= options


BREAKING = """
[rules]
OPG812 = "error"

[breaking]
for = "cpp"
allow = [
    {rule = "arg-renamed", item = "add.Tensor", reason = "a"},
    {rule = "OPB009", item = "g", reason = "b", expires = 2027-01-31},
]

[breaking.rules]
default-changed = "warning"
"""


def test_the_table_of_breaking(tmp_path):
    (tmp_path / "opgen.toml").write_text(BREAKING)
    found = config.read(tmp_path)
    assert config.levels(found, RULES) == {"OPG812": Severity.error}
    assert found.breaking["for"] == "cpp" and len(found.breaking["allow"]) == 2
    lines = ("breaking.for", "breaking.allow.1", "breaking.allow.0.rule", "breaking.rules.default-changed")
    assert [found.place(key) for key in lines] == [f"{found.path}:{n}" for n in (6, 9, 8, 13)]


def test_accepted_breaks_as_tables_of_their_own(tmp_path):
    entries = "".join(
        f'[[tool.opgen.breaking.allow]]\nrule = "r"\nitem = "i{n}"\nreason = "x"\n' for n in range(2)
    )
    (tmp_path / "pyproject.toml").write_text(entries)
    found = config.read(tmp_path / "pyproject.toml")
    assert [entry["item"] for entry in found.breaking["allow"]] == ["i0", "i1"]
    assert found.place("breaking.allow.1").endswith(":5")


def test_messages_show_what_a_terminal_would_obey(project, capsys):
    """Values, keys and file names are escaped."""
    for text in (r'rules = {OPG812 = "\u001b[31mx"}', r'"na\u2028me" = "x"', r'schemas = "\u0007x"'):
        (project / "opgen.toml").write_text(text + "\n")
        assert run(["generate", "--config", "opgen.toml", "--name", "x", "--extend", "y"]) == 2
        said = capsys.readouterr().err
        assert said.replace("\n", "").isprintable() and "\\" in said, said
