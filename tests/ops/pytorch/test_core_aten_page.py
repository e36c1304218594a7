"""core_aten.txt: its statements about the registry are true, and regressions are noticed."""

from __future__ import annotations

import aten
import pytest
from core_aten import ASPECTS, DATA, PAGE, CoreAten, Count, fill_unreached, newly_absent, worse
from core_aten_absent import REASONS
from core_aten_page import data, page, read, read_absent, read_core, standing

TEXT = DATA.read_text(encoding="utf-8")


def lines() -> dict[str, dict[str, str]]:
    return read(TEXT, ASPECTS)


def declared() -> set[str]:
    return {n.removeprefix("aten::") for n in aten._C._operator_names() if n.startswith("aten::")}


def test_every_declared_overload_has_a_line() -> None:
    listed = {name for name, cells in lines().items() if standing(cells) != "missing"}
    assert listed == declared(), (
        f"without a line: {sorted(declared() - listed)}; no longer declared: {sorted(listed - declared())}; "
        "write it again"
    )


def test_the_page_sums_it_up() -> None:
    made = page(lines(), ASPECTS, read_absent(TEXT), read_core(TEXT))
    assert PAGE.read_text(encoding="utf-8") == made, "python tests/tools/core_aten_page.py writes the page"


def test_every_core_overload_has_a_line() -> None:
    pytest.importorskip("torch")
    from core_aten import core_overloads

    core = core_overloads()
    assert len(core) == 193
    assert core == read_core(TEXT)


def test_a_file_is_read_as_it_was_written() -> None:
    cells = dict.fromkeys(ASPECTS, "passing")
    rows = {
        "add.Tensor": cells,
        "relu": {**cells, "meta": "partly"},
        "far": dict.fromkeys(ASPECTS, "missing"),
    }
    absent, core = {"to_sparse", "svd.U"}, {"far", "relu"}
    text = data(rows, ASPECTS, absent, core)
    assert read(text, ASPECTS) == rows
    assert (read_absent(text), read_core(text)) == (absent, core)
    summary = page(rows, ASPECTS, absent, core)
    assert "| core | 2 | 0 | 1 | 0 | 1 |\n| others | 1 | 1 | 0 | 0 | 0 |\n" in summary
    assert "| meta | 3 | 1 | 1 | 0 | 1 |" in summary and "| `relu` | passing |" in summary
    assert "declare 2: 1 with a reason, 1 missing." in summary


def test_no_declared_overload_is_listed_as_absent() -> None:
    assert not read_absent(TEXT) & declared(), "write it again"


def test_every_reason_is_used() -> None:
    page = PAGE.read_text(encoding="utf-8")
    unused = [pattern for pattern, why in REASONS.items() if f"| {why} |" not in page]
    assert not unused, f"take them off REASONS: {unused}"


def test_worse_lines_are_named() -> None:
    both = ("meta", "forms")
    before = {"a": {"meta": "passing", "forms": "partly"}, "b": {"meta": "-", "forms": "passing"}}
    now = {"a": {"meta": "partly", "forms": "passing"}, "b": {"meta": "passing", "forms": "-"}}
    assert worse(before, now, both) == ["a: meta was passing, is partly", "b: forms was passing, is -"]
    assert worse(before, now, ["meta"]) == ["a: meta was passing, is partly"]
    assert worse(before, {}, both) == [
        "a: meta was passing, is missing",
        "a: forms was partly, is missing",
        "b: meta was -, is missing",
        "b: forms was passing, is missing",
    ]


def test_cells_that_no_sample_reached_are_not_worse() -> None:
    both = ("meta", "forms")
    before = {"a": {"meta": "passing", "forms": "partly"}, "b": {"meta": "-", "forms": "passing"}}
    now = {"a": {"meta": "partly", "forms": "-"}, "b": {"meta": "-", "forms": "missing"}}
    assert fill_unreached(before, now, both) == 1
    assert worse(before, now, both) == [
        "a: meta was passing, is partly",
        "b: forms was passing, is missing",
    ]


def test_overloads_that_are_new_and_not_declared_are_named() -> None:
    assert newly_absent({"svd.U"}, {"svd.U", "qr"}) == [
        "qr: is not declared, and core_aten.txt doesn't list it"
    ]


def test_counts_of_several_tests_are_one_word(pytestconfig: pytest.Config) -> None:
    found = CoreAten(pytestconfig)
    assert Count().word == "-"
    tests = {"float32": 1, "int64": 1, "float64": 1, "": 1}
    found.take({"dtype": "float32", "counts": {"add.Tensor values": [3, 0, 0]}, "tests": tests, "absent": []})
    found.take(
        {
            "dtype": "int64",
            "counts": {"add.Tensor values": [3, 1, 0], "add.Tensor meta": [2, 0, 1]},
            "tests": tests,
            "absent": [],
        }
    )
    words = {aspect: count.word for aspect, count in found.counts["add.Tensor"].items()}
    assert words == {"float32": "passing", "int64": "partly", "meta": "partly"}
    assert found.filled() == ["float32", "int64"]


def test_columns_are_filled_when_their_tests_ran(pytestconfig: pytest.Config) -> None:
    found = CoreAten(pytestconfig)
    tests = {"float64": 1, "": 1}
    found.take({"dtype": "float64", "counts": {}, "tests": tests, "absent": []})
    assert found.filled() == ["float64", "gradients"]
    found.take({"dtype": "", "counts": {}, "tests": tests, "absent": []})
    assert found.filled() == list(ASPECTS)
