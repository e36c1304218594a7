"""docs/reference/core-aten.md: its statements about the registry are true, and regressions are noticed."""

from __future__ import annotations

import aten
import pytest
from core_aten import ASPECTS, PAGE, CoreAten, Count, worse
from core_aten_page import page, read, standing


def lines() -> dict[str, dict[str, str]]:
    return read(PAGE.read_text(encoding="utf-8"))


def declared() -> set[str]:
    return {n.removeprefix("aten::") for n in aten._C._operator_names() if n.startswith("aten::")}


def test_every_declared_overload_has_a_line() -> None:
    listed = {name for name, cells in lines().items() if standing(cells) != "missing"}
    assert listed == declared(), (
        f"without a line: {sorted(declared() - listed)}; no longer declared: {sorted(listed - declared())}; "
        "generate the page again"
    )


def test_every_core_overload_has_a_line() -> None:
    pytest.importorskip("torch")
    from core_aten import core_overloads

    core = core_overloads()
    assert len(core) == 193
    assert core <= set(lines())


def test_a_page_is_read_as_it_was_written() -> None:
    cells = dict.fromkeys(ASPECTS, "passing")
    rows = {
        "add.Tensor": cells,
        "relu": {**cells, "meta": "partly"},
        "far": dict.fromkeys(ASPECTS, "missing"),
    }
    assert read(page(rows, ASPECTS, core={"far", "relu"})) == rows


def test_worse_lines_are_named() -> None:
    before = {"a": {"meta": "passing", "forms": "partly"}, "b": {"meta": "-", "forms": "passing"}}
    now = {"a": {"meta": "partly", "forms": "passing"}, "b": {"meta": "passing", "forms": "-"}}
    assert worse(before, now) == ["a: meta was passing, is partly", "b: forms was passing, is -"]
    assert worse(before, {}) == [
        "a: meta was passing, is missing",
        "a: forms was partly, is missing",
        "b: meta was -, is missing",
        "b: forms was passing, is missing",
    ]


def test_counts_of_several_tests_are_one_word(pytestconfig: pytest.Config) -> None:
    found = CoreAten(pytestconfig)
    assert Count().word == "-"
    found.take({"dtype": "float32", "counts": {"add.Tensor values": [3, 0, 0]}, "tests": 2})
    found.take(
        {
            "dtype": "int64",
            "counts": {"add.Tensor values": [3, 1, 0], "add.Tensor meta": [2, 0, 1]},
            "tests": 2,
        }
    )
    words = {aspect: count.word for aspect, count in found.counts["add.Tensor"].items()}
    assert words == {"float32": "passing", "int64": "partly", "meta": "partly"}
    assert found.seen == found.expected == 2
