"""Reading untrusted YAML: limits, rejected features, positions."""

import time

import pytest
from front import checked
from opgen.diagnostics import Report
from opgen.parse import source, yaml_source


def found(text):
    return [(d.code, d.span.line, d.span.column) for d in checked(text)[1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- func: &a f(Tensor self) -> Tensor\n", ("OPG006", 1, 9)),
        ("- func: f() -> ()\n- *a\n", ("OPG006", 2, 3)),
        ("- func: !!python/object f() -> ()\n", ("OPG007", 1, 9)),
        (b"- func: f() -> ()\n# \xff\n", ("OPG002", 2, 3)),
        ("- func: f() -> ()\n# \u202e\n", ("OPG003", 2, 3)),
        ("- func: f() -> ()\n  tags: core\n  tags: core\n", ("OPG008", 3, 3)),
        ("- func: f() -> ()\n\tvariants: function\n", ("OPG001", 2, 1)),
        ("- " + "[" * 50_000, ("OPG005", 1, 34)),
        ('- func: "f\n---\n', ("OPG001", 1, 9)),
        ("a: b\n", ("OPG009", 1, 1)),
        ("- a\n", ("OPG201", 1, 3)),
        ("-\n- func: f() -> ()\n", ("OPG201", 1, 2)),
    ],
    ids=lambda p: str(p)[:30],
)
def test_refused(text, expected):
    assert expected in found(text)


def test_one_bad_item_hides_no_other():
    text = "- func: f() -> ()\n  tags: 'x\n- func: g(Tensr x) -> ()\n- func: h() -> ()\n"
    program, diagnostics = checked(text)
    assert [str(f.name) for f in program.functions] == ["h"]
    assert [(d.code, d.span.line) for d in diagnostics] == [("OPG001", 2), ("OPG108", 3)]


@pytest.mark.parametrize(
    "text",
    [
        "- " + "[" * 50_000,
        "{" * 50_000,
        "- " * 50_000,
        "? " * 50_000,
        "- [" + "[]," * 100_000 + "]",
        "\0" * 100_000,
    ],
    ids=["lists", "mappings", "items", "keys", "siblings", "zeros"],
)
def test_hostile_files_end_quickly(text):
    start = time.process_time()
    _, diagnostics = checked(text)
    assert diagnostics
    assert time.process_time() - start < 2


def test_size_limits(monkeypatch):
    monkeypatch.setattr(source, "MAX_BYTES", 10)
    report = Report()
    assert source.decode("F", b"- func: f() -> ()\n", report) is None
    monkeypatch.setattr(source, "MAX_BYTES", 1000)
    monkeypatch.setattr(yaml_source, "MAX_NODES", 3)
    text = source.decode("F", b"- [a, b, c, d]\n", report)
    assert yaml_source.items(text, report) == [] or report.failed
    assert [d.code for d in report.diagnostics][:2] == ["OPG004", "OPG004"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("- func: f(Tensr x) -> ()\n", (1, 11)),
        ("- func: 'f(Tensr x) -> ()'\n", (1, 12)),
        ("- func: f(Tensor self,\n    Tensr x) -> ()\n", (2, 5)),
        ("- func: >\n    f(Tensor self,\n    Tensr x) -> ()\n", (3, 5)),
        ('- func: "f(Tensor y,\\tTensr x) -> ()"\n', (1, 23)),
        ("\ufeff- func: f(Tensr x) -> ()\r\n", (1, 11)),
    ],
)
def test_places_inside_scalars(text, place):
    diagnostics = checked(text)[1]
    assert place in [(d.span.line, d.span.column) for d in diagnostics if d.code == "OPG108"]


def test_scalars_stay_text():
    program, _ = checked("- func: f(Tensor self) -> Tensor\n  python_module: nn\n  dispatch:\n    CPU: no\n")
    assert program.functions[0].kernel("CPU").name == "no"
