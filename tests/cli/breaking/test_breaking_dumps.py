"""The output of `opgen dump`, read as a version to compare."""

import json

import pytest
from breaking_versions import schemas
from opgen import baseline
from opgen.baseline.place import OnDisk
from opgen.commands import run
from opgen.diagnostics import InputError

WHOLE = """\
- func: f(Tensor self, *, Scalar alpha=1) -> Tensor
  variants: function, method
  structured_delegate: f.out
  tags: [core, pointwise]
- func: f.out(Tensor self, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  device_check: NoCheck
  dispatch:
    CPU, CUDA: f_out
- func: g(Tensor(a) self, int[2] size=[]) -> (Tensor values, Tensor(a))
  dispatch: {}
  python_module: nn
  device_guard: False
  manual_cpp_binding: True
- func: h(Tensor self, int k=1) -> Tensor
  cpp_no_default_args: ['k']
  dispatch:
    CompositeExplicitAutograd: h
  autogen: h.out
- func: ours::f.n(Tensor self) -> Tensor
  manual_kernel_registration: True
"""


def test_a_dump_is_what_was_dumped(tmp_path, capsys):
    """Dumping it again gives the same text, so the reader loses nothing."""
    (tmp_path / "native_functions.yaml").write_text(WHOLE)
    assert run(["dump", str(tmp_path), "-o", str(tmp_path / "dump.json")]) == 0
    version = baseline.read(OnDisk(tmp_path / "dump.json"))
    from opgen.api import dump

    again = json.loads(dump.text(version.program))
    before = json.loads((tmp_path / "dump.json").read_text())
    assert {len(again)} == {len(before)} == {len(version.program.functions)}
    for record, expected in zip(again, before, strict=True):
        assert {**record, "line": 0} == {**expected, "line": 0}
    assert [f.qualified_name for f in version.program.functions][-2:] == ["ours::f.n", "h.out"]
    function = version.program.function("g")
    line = (tmp_path / "dump.json").read_text().splitlines()[function.span.line - 1]
    assert line[function.span.column - 1 : function.span.end_column - 1] == str(function.schema)


def test_a_dump_has_the_forms_that_it_lists(tmp_path, capsys):
    """A dump of an older opgen lacks a generated form; reading the dump adds none."""
    (tmp_path / "native_functions.yaml").write_text(WHOLE)
    assert run(["dump", str(tmp_path), "-o", str(tmp_path / "dump.json")]) == 0
    records = json.loads((tmp_path / "dump.json").read_text())
    kept = [r for r in records if (r["name"], r["overload"]) != ("h", "out")]
    (tmp_path / "dump.json").write_text(json.dumps(kept))
    version = baseline.read(OnDisk(tmp_path / "dump.json"))
    assert len(kept) == len(records) - 1
    assert "h.out" not in version.program.by_name and "h" in version.program.by_name


def test_a_dump_compared_with_its_file_has_no_difference(tmp_path, capsys):
    (tmp_path / "native_functions.yaml").write_text(WHOLE)
    assert run(["dump", str(tmp_path), "-o", str(tmp_path / "dump.json")]) == 0
    file, dumped = (baseline.read(OnDisk(tmp_path / name)) for name in ("", "dump.json"))
    assert not baseline.findings(file, dumped) and not baseline.findings(dumped, file)


def test_a_dump_that_was_laid_out_anew(tmp_path):
    (tmp_path / "native_functions.yaml").write_text(WHOLE)
    assert run(["dump", str(tmp_path), "-o", str(tmp_path / "dump.json")]) == 0
    records = json.loads((tmp_path / "dump.json").read_text())
    (tmp_path / "pretty").write_text(json.dumps(records, indent=4))
    assert schemas(str(tmp_path / "pretty")) == schemas(str(tmp_path))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "this is no dump"),
        ("{}", "this is no dump"),
        ("[", "its end is missing"),
        ('[{"schema": "f() -> ()"}', "its end is missing"),
        ('[{"schema": "f() -> ()",}]', ":1:"),
        ('[\n{"schema": 1}]', ":2: this is no dump"),
        ("[1]", ":1: this is no dump"),
        ('[{"schema": "f() -> ()", "dispatch": {"Nope": "f"}}]', "'Nope'"),
        ('[{"schema": "f() -> ()", "variants": 3}]', "this is no dump"),
        ('[{"schema": "f() -> ()", "autogen": [3]}]', "this is no dump"),
        ('[{"schema": "f() -> ()", "dispatch": [1]}]', "this is no dump"),
        ("[" * 100_000, "this is no dump"),
        ('[{"schema": "f() -> ()", "x": "\ud800"}]', "this is no dump"),
    ],
)
def test_what_is_no_dump(tmp_path, text, said):
    (tmp_path / "x.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(InputError, match=r"x\.json") as raised:
        schemas(str(tmp_path / "x.json"))
    assert said in str(raised.value)


def test_schemas_of_a_dump_that_are_none(tmp_path):
    (tmp_path / "x.json").write_text('[{"schema": "f(Tensr self) -> ()"}, {"schema": "g() -> ()"}]')
    version = baseline.read(OnDisk(tmp_path / "x.json"))
    assert [entry.name for entry in version.program.unread] == ["f"]
    assert [str(f.name) for f in version.program.functions] == ["g"]
