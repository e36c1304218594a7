"""`opgen breaking`: its audiences, output and exit codes."""

import json
from pathlib import Path

import pytest
from breaking_pair import ALL, NEW, OLD, breaking
from git_checkout import Checkout, needs_git
from opgen.breaking import RULES, allow
from opgen.commands import run
from opgen.commands.breaking import FORMATS


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


def test_an_entry_of_the_baseline_that_cannot_be_read_is_a_finding(folder, capsys):
    (folder / "old.yaml").write_text(OLD + "- func: gone(Tensr self) -> Tensor\n")
    assert ("baseline-unparseable", "note", "gone", 5) in breaking(capsys)[1]
    assert run(["breaking", "new.yaml", "--against", "old.yaml"]) == 1
    assert "; 1 entry of the baseline cannot be read; 1 other change" in capsys.readouterr().out


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
    assert run(["explain", "--breaking-rules"]) == 0
    page = capsys.readouterr().out
    assert all(f"| {rule.code} | {rule.name} |" in page for rule in (*RULES, *allow.RULES))
    assert run(["explain", "OPB999"]) == 2
    assert "opgen explain --breaking-rules" in capsys.readouterr().err
    assert run(["explain", "OPB2011"]) == 2
    assert "did you mean 'OPB" in capsys.readouterr().err


def test_the_rules_for_accepted_breaks_say_what_they_do(folder, capsys):
    for rule in allow.RULES:
        (folder / "old.yaml").write_text(rule.good.replace("int k", "int j"))
        for text, found in ((rule.bad, rule is not allow.STALE), (rule.good, False)):
            (folder / "new.yaml").write_text(text)
            assert (rule.name in {name for name, *_ in breaking(capsys)[1]}) is found, rule.code
        assert run(["explain", rule.code]) == 0
        assert rule.bad.strip() in capsys.readouterr().out
    (folder / "old.yaml").write_text(allow.STALE.bad)
    assert "allow-stale" in {name for name, *_ in breaking(capsys)[1]}


def test_in_a_checkout(tmp_path, monkeypatch, capsys):
    needs_git()
    checkout = Checkout(tmp_path / "ours")
    (checkout.folder / "opgen.toml").write_text('schemas = "schemas"\n')
    checkout.commit(schemas__native_functions=OLD)
    checkout.write(schemas__native_functions=NEW)
    (checkout.folder / "deep").mkdir()
    monkeypatch.chdir(checkout.folder)
    assert run(["breaking", "--against", "main", "--format", "github"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and all("file=schemas/native_functions.yaml," in line for line in lines)
    monkeypatch.chdir(checkout.folder / "deep")
    assert run(["breaking", "--against", "main", "--format", "concise"]) == 1
    assert capsys.readouterr().out.startswith(
        f"{checkout.folder}/schemas/native_functions.yaml:1:34: error: "
    )
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


def test_equal_changes_of_tags_are_told_once(folder, capsys, monkeypatch):
    text = "".join(f"- func: f{i}(Tensor self) -> Tensor\n  tags: core\n" for i in range(420))
    (folder / "old.yaml").write_text(text)
    (folder / "new.yaml").write_text(text.replace("core", "[core, pointwise]"))
    assert run(["breaking", "new.yaml", "--against", "old.yaml", "--format", "json"]) == 1
    (told,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert told["message"] == "the tag 'pointwise' is new; so it is for 'f1', 'f2', 'f3' and 416 more"
    assert told["operators"] == [f"f{i}" for i in range(420)]
    accepted = '[[breaking.allow]]\nrule = "OPB902"\nitem = "f1"\nreason = "x"\n'
    (folder / "opgen.toml").write_text(accepted)
    assert run(["breaking", "new.yaml", "--against", "old.yaml"]) == 1
    assert "so it is for 'f2', 'f3', 'f4' and 415 more" in capsys.readouterr().out
    assert run(["breaking", "new.yaml", "--against", "old.yaml", "--write-allow", "ours"]) == 0
    assert (folder / "opgen.toml").read_text().count("[[breaking.allow]]") == 420
