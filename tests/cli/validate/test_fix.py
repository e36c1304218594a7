"""`opgen validate --fix`: each fixable rule's fault is gone and nothing else has changed."""

import os
import re
import stat
from random import Random

import pytest
from front import ROOT, pytorch_yaml
from opgen import pipeline
from opgen.check.rules import RULES
from opgen.commands import run
from opgen.diagnostics import Diagnostic, Edit, Severity, Span
from opgen.edit import fixing
from opgen.parse import fixing as edits
from opgen.parse import yaml_rules

FIXABLE = [rule for rule in RULES if rule.fixable]

# The expected change of each bad example, as (removed lines, added lines); by hand.
EXPECTED = {
    "OPG023": (["- func: g_(Tensor(a!) self) -> Tensor(a!) # opgen: ignore[OPG812] it changes no size"],
               ["- func: g_(Tensor(a!) self) -> Tensor(a!)"]),
    "OPG105": (["- func: f(Tensor self,Tensor other) -> Tensor"],
               ["- func: f(Tensor self, Tensor other) -> Tensor"]),
    "OPG118": (["- func: f(Tensor self, bool keepdim=false) -> Tensor"],
               ["- func: f(Tensor self, bool keepdim=False) -> Tensor"]),
    "OPG121": (["- func: f(Tensor self) -> (Tensor)"], ["- func: f(Tensor self) -> Tensor"]),
    "OPG116": (["- func: f(Tensor self, Tensor?(b!) other) -> ()"],
               ["- func: f(Tensor self, Tensor(b!)? other) -> ()"]),
    "OPG210": (["  structured_delegate: aten::f.out"], ["  structured_delegate: f.out"]),
    "OPG205": (["  device_guard: 'no'"], ["  device_guard: False"]),
    "OPG207": (["  variants: function,method"], ["  variants: function, method"]),
    "OPG213": (["    CUDA: f"], []),
    "OPG219": (["  tags: [core, core]"], ["  tags: [core]"]),
    "OPG330": (["  variants: function, method"], ["  variants: function"]),
    "OPG336": ([], ["  device_check: NoCheck"]),
    "OPG402": (["- func: f_(Tensor(a!) self) -> Tensor"], ["- func: f_(Tensor(a!) self) -> Tensor(a!)"]),
    "OPG410": (["- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor"],
               ["- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"]),
    "OPG412": (["- func: f.out(Tensor self, *, Tensor(a!) out=[]) -> Tensor(a!)"],
               ["- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"]),
    "OPG413": (["  use_const_ref_for_mutable_tensors: True"], []),
    "OPG501": (["  dispatch:", "    CompositeImplicitAutograd: f"], []),
    "OPG721": ([], ["  tags: view_copy"]),
    "OPG802": (["  tags: generated"], []),
    "OPG803": ([], ["  tags: nondeterministic_seeded"]),
    "OPG812": ([], ["  tags: inplace_view"]),
}  # fmt: skip


def fixed(tmp_path, text: str | bytes) -> bytes:
    """Returns the text after --fix, which a second --fix leaves unchanged."""
    file = tmp_path / "native_functions.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    run(["validate", "--fix", str(file)])
    after = file.read_bytes()
    run(["validate", "--fix", str(file)])
    assert file.read_bytes() == after
    return after


@pytest.mark.parametrize("rule", FIXABLE, ids=lambda r: f"{r.code}-{r.name}")
def test_the_fault_is_gone_and_nothing_else_changed(rule, tmp_path):
    after = fixed(tmp_path, rule.bad).decode().splitlines()
    before = rule.bad.splitlines()
    taken, put = EXPECTED[rule.code]
    assert [line for line in before if line not in after] == [line for line in taken if line not in after]
    assert [line for line in after if line not in before] == put
    assert len(after) == len(before) - len(taken) + len(put)
    _, report = pipeline.load(tmp_path)
    assert rule.code not in {d.code for d in report.diagnostics}
    assert not report.failed


@pytest.mark.parametrize("rule", FIXABLE, ids=lambda r: r.code)
def test_line_ends_and_the_mark_at_the_beginning_stay(rule, tmp_path):
    text = rule.bad.replace("\n", "\r\n").encode()
    after = fixed(tmp_path, b"\xef\xbb\xbf" + text)
    assert after.startswith(b"\xef\xbb\xbf") and not after.startswith(b"\xef\xbb\xbf" * 2)
    assert after.count(b"\n") == after.count(b"\r\n")
    assert after[3:].replace(b"\r\n", b"\n") == fixed(tmp_path, rule.bad)


@pytest.mark.parametrize("rule", FIXABLE, ids=lambda r: r.code)
def test_a_file_without_a_last_line_end(rule, tmp_path):
    after = fixed(tmp_path, rule.bad.rstrip("\n"))
    assert after.rstrip(b"\n") == fixed(tmp_path, rule.bad).rstrip(b"\n")


@pytest.mark.parametrize(
    ("bad", "good"),
    [
        ("  variants: 'function,method'\n", "  variants: 'function, method'\n"),
        ("  variants: function ,  method # why\n", "  variants: function, method # why\n"),
        ("  device_guard: yes\n", "  device_guard: True\n"),
        ("  tags:\n  - core\n  - core\n  - pointwise\n", "  tags:\n  - core\n  - pointwise\n"),
        ("  tags: [generated, core]\n", "  tags: [core]\n"),
        ("  tags: [core, generated]\n", "  tags: [core]\n"),
        ("  tags: [core, core] # opgen: ignore[OPG801] x\n", "  tags: [core]\n"),
    ],
)
def test_layouts(bad, good, tmp_path):
    entry = "# head\n\n- func: f(Tensor self) -> Tensor  # why\n"
    tail = "\n# tail\n- func: g(Tensor self) -> Tensor\n"
    assert fixed(tmp_path, entry + bad + tail).decode() == entry + good + tail


@pytest.mark.parametrize(
    ("tags", "after"),
    [
        ("", "  tags: inplace_view\n"),
        ("  tags: core\n", "  tags: [core, inplace_view]\n"),
        ("  tags: [core]\n", "  tags: [core, inplace_view]\n"),
        ("  tags:\n  - core  # why\n", "  tags:\n  - core  # why\n  - inplace_view\n"),
    ],
)
def test_adding_a_tag(tags, after, tmp_path):
    view, in_place = "- func: f(Tensor(a) self) -> Tensor(a)\n", "- func: f_(Tensor(a!) self) -> Tensor(a!)\n"
    assert fixed(tmp_path, in_place + tags + view).decode() == in_place + after + view


@pytest.mark.parametrize(
    "text",
    [
        "- func: f(Tensor self) -> Tensor\n  dispatch:\n    # why\n    CompositeImplicitAutograd: f\n",
        "- {func: f(Tensor self) -> Tensor, dispatch: {CompositeImplicitAutograd: f}}\n",
        '- func: "f(Tensor self,\\x20Tensor  other) -> Tensor"\n',
        "- func: f(Tensor self,#other) -> Tensor\n",  # with a space, it would be a comment
        "- func: f(Tensor self,Tensor other) -> Tensor\n  variants: 'function\n",  # no YAML
        "- func: f(Tensor self,Tensor other) -> Tensor # \u202e\n",
    ],
)
def test_left_alone_where_an_edit_is_not_sure(text, tmp_path):
    assert fixed(tmp_path, text).decode() == text


def test_ignored_faults_and_rules_that_are_off_are_not_mended(tmp_path):
    text = "- func: f(Tensor self) -> Tensor\n  variants: function,method # opgen: ignore[OPG207] old\n"
    assert fixed(tmp_path, text).decode() == text
    (tmp_path / "opgen.toml").write_text('[rules]\nOPG207 = "off"\n')
    text = "- func: f(Tensor self) -> Tensor\n  variants: function,method\n"
    assert fixed(tmp_path, text).decode() == text


def test_one_fix_lets_another_rule_be_applied(tmp_path):
    text = "- func: f(Tensor(a)  self) -> Tensor(a)\n- func: f_(Tensor(a!) self) -> Tensor\n"
    assert b"tags: inplace_view" in fixed(tmp_path, text)


def test_diff_shows_and_writes_nothing(tmp_path, capsys):
    file = tmp_path / "native_functions.yaml"
    text = "- func: f(Tensor self) -> Tensor\n  variants: function,method\n"
    file.write_text(text)
    assert run(["validate", "--diff", str(file)]) == 1
    assert "-  variants: function,method\n+  variants: function, method\n" in capsys.readouterr().out
    assert file.read_text() == text
    run(["validate", "--fix", str(file)])
    capsys.readouterr()
    assert run(["validate", "--diff", str(file)]) == 0
    assert capsys.readouterr().out == ""


def test_what_remains_is_reported_after_fixing(tmp_path, capsys):
    file = tmp_path / "native_functions.yaml"
    file.write_text("- func: f(Tensr self) -> Tensor\n  variants: function,method\n")
    assert run(["validate", "--fix", str(file), "--format", "concise"]) == 1
    shown = capsys.readouterr()
    assert "OPG108" in shown.out and "OPG207" not in shown.out
    assert shown.err == f"opgen: 1 fault fixed in {file}\n"


def test_permissions_links_and_read_only_files(tmp_path, capsys):
    file, link = tmp_path / "functions.yaml", tmp_path / "link.yaml"
    file.write_text("- func: f(Tensor self) -> Tensor\n  variants: function,method\n")
    file.chmod(0o640)
    link.symlink_to(file)
    assert run(["validate", "--fix", str(link)]) == 0
    assert link.is_symlink() and "function, method" in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["functions.yaml", "link.yaml"]


def test_a_failed_write_leaves_the_file(tmp_path, capsys, monkeypatch):
    file = tmp_path / "functions.yaml"
    text = "- func: f(Tensor self) -> Tensor\n  variants: function,method\n"
    file.write_text(text)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert run(["validate", "--fix", str(file)]) == 2
    assert "No space left" in capsys.readouterr().err
    assert file.read_text() == text and os.listdir(tmp_path) == ["functions.yaml"]


def test_edits_that_touch_wait_for_the_next_round():
    def at(first: int, last: int, text: str) -> Diagnostic:
        edit = Edit(Span("F", 1, first, 1, last), text)
        return Diagnostic("OPG105", "x", Severity.error, edit.span, "", fix=(edit,))

    assert edits.apply("abcdef", [at(1, 3, "X"), at(2, 4, "Y"), at(5, 6, "Z")]) == ("XcdZf", 2)
    assert edits.apply("abcdef", [at(1, 3, "X"), at(1, 3, "X")]) == ("Xcdef", 2)


SLIPS = (
    (", ", ","), (", ", " , "), ("True", "true"), ("False", "'False'"), (" -> ", " ->  "), ("(a!)", ""),
    ("variants: function, method", "variants: function,method"), ("tags: [", "tags: [core, core, "),
    ("\n", "\n  # opgen: ignore[OPG812] x\n"), ("\n", " # opgen: ignore[OPG801,OPG207] y\n"), ("\n", "\r\n"),
    ("  tags: ", "  tags: generated\n  tagsx: "), ("-> Tensor", "-> (Tensor)"), ("self", "self=None"),
    ("dispatch:", "dispatch:\n    CompositeImplicitAutograd: f"), ("dispatch:\n", "dispatch: # c\n"),
    ("- func: ", "- func: '"), (" ", "#"), ("Tensor", "Tensor(a!)"),
)  # fmt: skip


def test_slips_at_random_places(tmp_path):
    """Fixing random typos loses no entry, keeps the file readable, and terminates."""
    random = Random(7)
    file = tmp_path / "native_functions.yaml"
    entries = re.split(r"(?m)^(?=- func)", (ROOT / "schemas" / "native_functions.yaml").read_text())[1:]
    unread = {rule.code for rule in yaml_rules.RULES}
    changed = 0
    for _ in range(400):
        text = "".join(random.choices(entries, k=3))
        for before, after in random.choices(SLIPS, k=4):
            places = [m.start() for m in re.finditer(re.escape(before), text)]
            if places:
                at = random.choice(places)
                text = text[:at] + after + text[at + len(before) :]
        file.write_bytes(text.encode())
        program, report = pipeline.load(file)
        changes, _ = fixing.fixed(file)
        if changes:
            changed += 1
            file.write_bytes(changes[str(file)][1])
            again, left = pipeline.load(file)
            assert len(again.functions) >= len(program.functions), text
            assert {d.code for d in left.diagnostics} & unread <= {d.code for d in report.diagnostics}, text
            assert fixing.fixed(file) == ({}, 0), text
    assert changed > 100


def test_pytorchs_file_has_nothing_to_mend(capsys):
    assert run(["validate", "--diff", str(pytorch_yaml())]) == 0
    assert capsys.readouterr().out == ""
