"""The campaign itself, on a package of a few lines: mutants that its tests notice or don't notice, that hang,
and lines that no test runs.
"""

from __future__ import annotations

import json
import mmap
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.mutation import cpp_mutants, mutate, outcomes, python_mutants, trying
from tools.mutation.covering import Subject
from tools.mutation.mutant import shuffled

ROOT = Path(__file__).resolve().parents[2]

PACKAGE = """\
LIMIT = 3


def clipped(value):
    if value > LIMIT:
        return LIMIT
    return value


def counted(limit):
    count = 0
    while count < limit:
        count += 1
    return count


def never_called(value):
    return value == 1
"""
TESTS = """\
import subprocess
import sys

from toy.numbers import counted


def test_far_from_the_limit():
    code = "from toy.numbers import clipped; print(clipped(1), clipped(9))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["1", "3"]


def test_counted():
    assert counted(4) == 4


def test_that_fails_already():
    assert counted(1) == 2
"""
FOUND = """\
if not (a < b) and c is not None:
    x[0] = -1
while a not in (1, 2):
    if b:
        break
"""


@pytest.fixture
def toy(tmp_path: Path) -> Subject:
    if shutil.which("git") is None:
        pytest.skip("needs git: the copy is of what it knows")
    for name, text in (("src/toy/numbers.py", PACKAGE), ("checks/test_toy.py", TESTS)):
        path = tmp_path / "toy" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    subprocess.run(["git", "init", "-q", tmp_path / "toy"], check=True)
    return Subject(tmp_path / "toy", "src/toy", ("checks",))


def tried(toy: Subject, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], dict]:
    """Returns (line, mutated line) -> the recorded result."""
    monkeypatch.setattr(trying, "SECONDS", 2)
    file, source = next(iter(toy.sources().items()))
    ordered = shuffled(python_mutants.mutants(file, source), toy.sources(), 1)
    pending = [(index, identity, mutant) for index, (identity, mutant) in enumerate(ordered)]
    results = outcomes.Results(folder / "results.jsonl")
    mutate.try_all(toy, folder, pending, results, seed=1, jobs=1, seconds=10)
    records = outcomes.Results(results.path).by_identity.values()
    return {tuple(record["lines"]): record for record in records}


def test_a_campaign(toy: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # As in a process that has loaded PyTorch, whose address space is larger than what a mutant may add.
    with mmap.mmap(-1, trying.MEMORY, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ):
        found = tried(toy, tmp_path / "work", monkeypatch)
    limit = found["LIMIT = 3", "LIMIT = 4"]
    assert limit["outcome"] == "noticed"
    assert limit["by"] == "checks/test_toy.py::test_far_from_the_limit"
    assert limit["line"] == 1
    assert found["if value > LIMIT:", "if value <= LIMIT:"]["outcome"] == "noticed"
    assert found["if value > LIMIT:", "if (value > LIMIT) and False:"]["outcome"] == "noticed"
    # No test has a value at the limit, where there is no difference.
    assert found["if value > LIMIT:", "if value >= LIMIT:"]["outcome"] == "survived"
    assert found["count += 1", "count += 0"]["outcome"] == "timeout"
    assert found["count = 0", "count = 1"]["outcome"] == "survived"
    assert found["return value == 1", "return value != 1"]["outcome"] == outcomes.NOT_RUN
    assert toy.sources()["src/toy/numbers.py"].decode() == PACKAGE


def test_the_summary_lists_what_nothing_noticed(tmp_path: Path):
    reviewed = tmp_path / "equivalent.txt"
    reviewed.write_text("# why\n\na.py\n- x < 1\n+ x <= 1\nx is never 1\n")
    lines = {"noticed": ["f()", "g()"], "survived": ["y < 1", "y <= 1"], "equal": ["x < 1", "x <= 1"]}
    records = [
        (
            "package",
            {
                "file": "a.py",
                "line": 7,
                "lines": both,
                "by": "t",
                "outcome": "noticed" if k == "noticed" else "survived",
            },
        )
        for k, both in lines.items()
    ]
    said = "\n".join(outcomes.summary(records, outcomes.Reviewed(reviewed)))
    assert "50.0 % of 2" in said
    assert "survived: a.py:7\n  - y < 1\n  + y <= 1" in said
    assert "- x < 1" not in said


def test_a_result_that_was_cut_off_is_tried_again(tmp_path: Path):
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps({"identity": "a"}) + '\n{"identity": "b", "outco')
    assert list(outcomes.Results(path).by_identity) == ["a"]


def test_changes_of_a_text():
    found = {m.lines(FOUND.encode()) for m in python_mutants.mutants("a.py", FOUND.encode())}
    first = "if not (a < b) and c is not None:"
    assert {new for old, new in found if old == first} == {
        "if not (a <= b) and c is not None:",
        "if not (a >= b) and c is not None:",
        "if (a < b) and c is not None:",
        "if not (a < b) or c is not None:",
        "if not (a < b) and c is None:",
        "if (not (a < b) and c is not None) and False:",
        "if not (not (a < b) and c is not None):",
    }
    assert {new for old, new in found if old == "x[0] = -1"} == {"x[1] = -1", "x[0] = -2", "x[0] = -0"}
    assert ("while a not in (1, 2):", "while a in (1, 2):") in found
    assert ("if b:", "if not (b):") in found
    assert ("break", "continue") in found


def test_what_cannot_matter_is_left_alone():
    text = (
        "x: Literal[1] = y\ndef f(a: Literal[2]) -> Literal[3]: ...\n@dataclass(frozen=True)\nclass C: ...\n"
    )
    text += "if TYPE_CHECKING:\n    n = 4\ns = f'{5}'\n"
    assert python_mutants.mutants("a.py", text.encode()) == []


CPP = """\
#if A && B
template <typename T, int N = 1> bool f(std::vector<int> a, T&& b) {
  // a < b && c
  return a[i - 1] < b || !c(" && ", i + 1.5f);
}
"""


def test_changes_of_cpp():
    found = {m.lines(CPP.encode()) for m in cpp_mutants.mutants("a.cpp", CPP.encode())}
    line = 'return a[i - 1] < b || !c(" && ", i + 1.5f);'
    assert {old for old, _ in found} == {line}
    assert {new for _, new in found} == {
        line.replace("i - 1", "i + 1"),
        line.replace(" < ", " <= "),
        line.replace(" < ", " >= "),
        line.replace(" || ", " && "),
        line.replace("!c", "c"),
    }


def test_mutants_of_opgen_are_python_and_change_one_place():
    sources = mutate.OPGEN.sources()
    for _, _, mutant in mutate.selected(sources, seed=1, count=300, package=None):
        source = sources[mutant.file]
        changed = mutant.applied(source)
        compile(changed, mutant.file, "exec", dont_inherit=True)
        assert changed != source
        assert changed[: mutant.start] == source[: mutant.start]
        assert changed.endswith(source[mutant.end :])


def test_a_larger_campaign_begins_with_the_smaller():
    sources = mutate.OPGEN.sources()
    small, large = (mutate.selected(sources, 1, count, None) for count in (10, 50))
    assert large[:10] == small
    assert mutate.selected(sources, 2, 10, None) != small


def test_an_entry_whose_line_has_changed_is_a_warning(tmp_path: Path):
    path = tmp_path / "equivalent.txt"
    path.write_text("a.py\n- x < 1\n+ x <= 1\nx is never 1\n\nb.py\n- y\n+ not y\nanother file\n")
    reviewed = outcomes.Reviewed(path)
    assert not [*reviewed.outdated({"a.py": b"x < 1\n"}, python_mutants.mutants)]
    (warning,) = reviewed.outdated({"a.py": b"x < 2\n"}, python_mutants.mutants)
    assert warning == "warning: listed as equivalent, but no longer there: a.py\n  - x < 1\n  + x <= 1"


def test_all_entries_are_of_files_that_exist():
    assert all((mutate.ROOT / file).exists() for file, _, _ in outcomes.Reviewed().reasons)
