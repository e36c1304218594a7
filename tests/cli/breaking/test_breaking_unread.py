"""What one entry or comment does never keeps the rest of the files from being compared, or dumped."""

from __future__ import annotations

import json
import time

import pytest
from breaking_pair import breaking
from opgen.commands import run
from opgen.diagnostics import MAX_FAULTS, MAX_NOTES

GOOD = "- func: f(Tensor self) -> Tensor\n  variants: function\n"
STAYS = "- func: z(Tensor self) -> Tensor\n"
OLD = "- func: h(Tensor self, int k) -> Tensor\n"
NEW = OLD.replace("int k", "int j")
RENAMED = ("arg-renamed", "error", "h")

# Slips with which the entry is read, up to the slip, and those with which it gives no function.
READ = {
    "a key twice": GOOD + "  variants: method\n",
    "a YAML tag": GOOD.replace("func: f", "func: !!str f"),
    "a YAML tag of a field": GOOD.replace("function\n", "!mine function\n"),
    "an anchor": GOOD.replace("func: f", "func: &x f"),
    "an anchor of the entry": GOOD.replace("- func", "- &x\n  func"),
    "a bidirectional override": GOOD.replace("\n", " # \u202e\n"),
    "a line separator": GOOD.replace("\n", " # \u2028- func: no() -> ()\n"),
    "a control character": "# \x01\n" + GOOD,
    "a C1 character": "# \x85- func: no() -> ()\n" + GOOD,
    "a mark of order": "# \ufeff\n" + GOOD,
    "Latin-1": "# caf\udce9, na\udcefve\n" + GOOD,
    "a removed field": GOOD + "  use_c10_dispatcher: full\n",
    "an unknown variant": GOOD.replace("function\n", "functional\n"),
    "a mark of documents": GOOD + "---\n",
    "an end of documents": GOOD + "...\n",
}
UNREAD = {
    "an alias": GOOD + "  tags: *x\n",
    "merge keys": GOOD + "  <<: *x\n",
    "Latin-1 in a name": GOOD.replace("self", "s\udce9lf"),
    "a control character in a schema": GOOD.replace("self", "s\x01lf"),
    "a zero width space in a name": GOOD.replace("self", "se\u200blf"),
    "an open quote": GOOD.replace("function\n", "'function\n"),
    "an open bracket": GOOD.replace("function\n", "[function\n"),
    "a tab": GOOD.replace("  variants", "\tvariants"),
    "a list as key": GOOD + "  ? [a]\n  : b\n",
    "too many keys": GOOD + "  dispatch:\n" + "".join(f"    K{i}: f\n" for i in range(70)),
    "too deep": GOOD + f"  tags: {'[' * 40}{']' * 40}\n",
    "a long list": GOOD + f"  tags: [{', '.join(['a'] * 300)}]\n",
    "a long text": GOOD + f"  python_module: {'a' * 20_000}\n",
    "an unknown type": GOOD.replace("Tensor self", "Tensr self"),
}


def written(path, text: str) -> None:
    path.write_bytes(text.encode("utf-8", "surrogateescape"))


def compared(capsys, *, old: str = GOOD, new: str = GOOD, folder, indent: str = "") -> tuple[int, set]:
    """Returns the exit code and the findings for `old` and `new`, each before an entry that stays and one
    that changes.
    """
    for name, text in (("old", old + STAYS + OLD), ("new", new + STAYS + NEW)):
        written(folder / f"{name}.yaml", "".join(indent + line for line in text.splitlines(keepends=True)))
    code, found = breaking(capsys, new=str(folder / "new.yaml"), old=str(folder / "old.yaml"))
    return code, {(rule, severity, operator) for rule, severity, operator, _ in found}


@pytest.mark.parametrize("indent", ["", "  "], ids=["flush", "indented"])
@pytest.mark.parametrize("slip", [*READ, *UNREAD])
def test_a_slip_is_a_note_and_the_rest_is_compared(tmp_path, capsys, slip, indent):
    if indent and ("documents" in slip or "tab" in slip):
        pytest.skip("stands at the beginning of a line")
    text = READ.get(slip) or UNREAD[slip]
    for side in ("old", "new"):
        code, found = compared(capsys, **{side: text}, folder=tmp_path, indent=indent)
        note = ("part-faulty", "note", "")
        if slip in UNREAD:
            old = side == "old"
            note = ("baseline-unparseable", "note", "f") if old else ("entry-unparseable", "error", "f")
        assert code == 1 and RENAMED in found
        rest = {f if slip in UNREAD else (*f[:2], "") for f in found - {RENAMED}}
        assert rest == {note}, found
    code, found = compared(capsys, old=text, new=text, folder=tmp_path, indent=indent)
    assert (code, found) == (1, {RENAMED})


@pytest.mark.parametrize("slip", [*READ, *UNREAD])
def test_dump_reads_the_same(tmp_path, capsys, slip):
    text = READ.get(slip) or UNREAD[slip]
    written(tmp_path / "f.yaml", text + OLD)
    assert run(["dump", str(tmp_path / "f.yaml")]) == 0
    shown = capsys.readouterr()
    assert [r["name"] for r in json.loads(shown.out)] == (["f", "h"] if slip in READ else ["h"])
    assert ": note: " in shown.err and "error" not in shown.err


BESIDE = {
    "derivatives": "".join(f"- name: {f}(Tensor self) -> Tensor\n  self: grad\n" for f in "fg"),
    "checks": "- ops: [f]\n  checks: [dim(self) > 0]\n- ops: [g]\n  checks: [dim(self) > 1]\n",
    "deprecated": "- name: f(Tensor a)\n  aten: f(a)\n- name: g(Tensor a)\n  aten: g(a)\n",
    "tags": "- tag: core\n  desc: a\n- tag: pointwise\n  desc: b\n",
}
SLIPS = {
    "a key twice": lambda line: f"{line}\n{line}",
    "a YAML tag": lambda line: line.replace(": ", ": !mine ", 1),
    "an anchor": lambda line: line.replace(": ", ": &x ", 1),
    "an alias": lambda line: f"{line}\n  more: *x",
    "an open quote": lambda line: f"{line}\n  more: 'x",
    "an unknown field": lambda line: f"{line}\n  more: x",
    "an override": lambda line: f"{line} # \u202e",
    "Latin-1": lambda line: f"{line} # \udce9",
}


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("kind", BESIDE)
def test_a_slip_in_a_file_beside_breaks_nobody(tmp_path, capsys, kind, slip):
    lines = BESIDE[kind].splitlines()
    lines[1] = SLIPS[slip](lines[1])
    functions = GOOD + "- func: g(Tensor self) -> Tensor\n  tags: pointwise\n"
    for broken in ("old", "new"):
        for side, h in (("old", OLD), ("new", NEW)):
            folder = tmp_path / f"{broken}-{side}"
            folder.mkdir()
            (folder / "native_functions.yaml").write_text(functions + h)
            text = "\n".join(lines) + "\n" if side == broken else BESIDE[kind]
            written(folder / f"{kind}.yaml", text)
        new, old = str(tmp_path / f"{broken}-new"), str(tmp_path / f"{broken}-old")
        code, found = breaking(capsys, new=new, old=old)
        rules = sorted((rule, severity) for rule, severity, _, _ in found)
        quiet = kind in ("deprecated", "derivatives") and "field" in slip  # there it has a meaning, or none
        assert code == 1 and rules[0] == ("arg-renamed", "error")
        assert set(rules[1:]) == ({("part-faulty", "note")} if not quiet else set())


def test_what_beside_it_can_be_read_is_compared(tmp_path, capsys):
    entry = "- name: {0}(Tensor self) -> Tensor\n  self: {1}\n"
    functions = "".join(f"- func: {f}(Tensor self) -> Tensor\n  dispatch: {{CPU: {f}}}\n" for f in "fg")
    for side, last in (("old", "grad"), ("new", "not_implemented('g')")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "native_functions.yaml").write_text(functions)
        slip = "*x" if side == "new" else "grad"
        text = entry.format("f", slip) + entry.format("g", last)
        (tmp_path / side / "derivatives.yaml").write_text(text)
    _, found = breaking(capsys, new=str(tmp_path / "new"), old=str(tmp_path / "old"))
    assert {(rule, operator) for rule, _, operator, _ in found} == {
        ("derivative-lost", "g"),
        ("part-faulty", ""),
    }


@pytest.mark.parametrize("slip", ["a removed field", "an alias"])
def test_thousands_of_notes_are_as_one(tmp_path, capsys, slip):
    text = READ.get(slip) or UNREAD[slip]
    many = "".join(text.replace(" f(", f" f{i}(") for i in range(MAX_FAULTS + 100))
    started = time.process_time()
    code, found = compared(capsys, old=many, new=many, folder=tmp_path)
    assert (code, found) == (1, {RENAMED})
    assert time.process_time() - started < 10
    assert run(["dump", str(tmp_path / "old.yaml")]) == 0
    assert capsys.readouterr().err.count(": note: ") == MAX_FAULTS + 100


def test_a_file_of_broken_items_alone_is_given_up(tmp_path, capsys):
    written(tmp_path / "f.yaml", "- 'x\n" * 20_000)
    assert run(["breaking", str(tmp_path / "f.yaml"), "--against", str(tmp_path / "f.yaml")]) == 2
    assert f"giving up: {MAX_NOTES} faults" in capsys.readouterr().err
    assert run(["dump", str(tmp_path / "f.yaml")]) == 1


def test_the_summary_counts_what_was_not_read(tmp_path, capsys):
    written(tmp_path / "old.yaml", READ["a key twice"])
    written(tmp_path / "new.yaml", GOOD)
    assert run(["breaking", str(tmp_path / "new.yaml"), "--against", str(tmp_path / "old.yaml")]) == 0
    said = "nothing breaks; 1 fault in what is compared (--notes shows them)\n"
    assert capsys.readouterr().out.endswith(said)
