"""Files of other releases and other readers agree with their own torchgen, field by field."""

import gzip
import json

import pytest
from front import NEWEST, RELEASES, pytorch_yaml, shared
from opgen import commands, pipeline
from opgen.diagnostics import Severity
from opgen.model import DispatchKey

# All fields but the tags, whose rules came with later releases than the older ones.
FIELDS = (
    "schema kind arguments returns variants python_module dispatch structured structured_delegate"
    " structured_inherits autogen device_guard device_check category_override manual_cpp_binding"
    " manual_kernel_registration cpp_no_default_args generated line cpp native python"
).split()


def spelled(value: object) -> str:
    """Returns the value with `optional` as it is spelled since 2.5."""
    text = json.dumps(value, sort_keys=True)
    return text.replace("c10::optional", "::std::optional").replace("c10::nullopt", "::std::nullopt")


def dumped(capsys, *arguments: object) -> list[dict]:
    assert commands.run(["dump", *map(str, arguments)]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("release", RELEASES)
def test_dump_says_what_the_releases_own_torchgen_says(release, capsys):
    folder = shared("data", "pytorch", release)
    oracle = json.loads(gzip.decompress((folder / "oracle.json.gz").read_bytes()))
    expected = {(r["name"], r["overload"]): r for r in oracle}
    found = dumped(capsys, folder)
    assert len(found) == len(expected) == RELEASES[release]
    fields = (*FIELDS, "tags") if release == NEWEST else FIELDS
    for record in found:
        theirs = expected[record["name"], record["overload"]]
        for field in fields:
            assert spelled(record[field]) == spelled(theirs[field]), (record["schema"], field)


def test_every_release_of_the_reference_data_is_tested():
    assert {folder.name for folder in shared("data", "pytorch").iterdir()} == RELEASES.keys()


def test_the_newest_release_is_valid():
    """Its file names forms that its torchgen doesn't make, either."""
    program, report = pipeline.load(shared("data", "pytorch", NEWEST))
    assert program.derivatives.entries
    assert {(d.severity, d.code) for d in report.sorted()} == {(Severity.warning, "OPG711")}


def test_a_file_is_old_by_the_tags_beside_it(tmp_path, capsys):
    """User-defined tags, however few, do not make a file one of PyTorch's old ones."""
    (tmp_path / "native_functions.yaml").write_text(
        "- func: f(Tensor self, *, MemoryFormat memory_format=contiguous_format) -> Tensor\n"
    )
    spellings = []
    for names in ("core", "core view_copy", ""):
        (tmp_path / "tags.yaml").write_text("".join(f"- tag: {n}\n  desc: x\n" for n in names.split()))
        spellings.append("=c10::MemoryFormat::Contiguous" in dumped(capsys, tmp_path)[0]["cpp"]["function"])
    assert spellings == [True, True, True]


def executorch(name: str):
    return shared("data", "executorch", "1.0.0", name)


def test_executorchs_operators_have_atens_schemas(capsys):
    """196 entries name operators of ATen's file, 3 have their own schemas; none gets generated forms."""
    aten = {(r["name"], r["overload"]): r for r in dumped(capsys, pytorch_yaml())}
    found = dumped(capsys, executorch("functions.yaml"), "--aten", pytorch_yaml())
    assert len(found) == 199
    own = [r for r in found if (r["name"], r["overload"]) not in aten]
    assert [r["name"] for r in own] == ["_empty_dim_order", "_to_dim_order_copy", "_clone_dim_order"]
    for record in (r for r in found if r not in own):
        theirs = aten[record["name"], record["overload"]]
        for field in ("schema", "kind", "arguments", "returns"):
            assert record[field] == theirs[field]
        assert (record["variants"], record["generated"]) == (["function"], False)
        assert list(record["dispatch"]) == ["CompositeExplicitAutograd"]


@pytest.mark.parametrize("name", ["functions.yaml", "custom_ops.yaml"])
def test_executorchs_files_are_valid(name):
    program, report = pipeline.load(executorch(name), aten_file=pytorch_yaml())
    assert report.sorted() == []
    assert program.functions


def test_without_atens_file_every_such_entry_is_reported():
    _, report = pipeline.load(executorch("functions.yaml"))
    assert [d.code for d in report.sorted()] == ["OPG220"] * 196


ATEN = "- func: add.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)\n"


@pytest.fixture
def project(tmp_path):
    """Returns a function that loads a file of kernels for the operators of ATEN."""
    (tmp_path / "aten.yaml").write_text(ATEN)

    def load(text: str):
        (tmp_path / "kernels.yaml").write_text(text)
        program, report = pipeline.load(tmp_path / "kernels.yaml", aten_file=tmp_path / "aten.yaml")
        return program, [(d.code, d.span.line, d.span.column) for d in report.sorted()]

    return load


def test_kernels_of_an_operator_elsewhere(project):
    program, found = project(
        "- op: add.out\n  kernels:\n  - arg_meta: null\n    kernel_name: torch::executor::add_out\n"
    )
    assert found == []
    (function,) = program.functions
    assert str(function.schema) == ATEN.removeprefix("- func: ").strip()
    kernel = function.dispatch[DispatchKey["CompositeExplicitAutograd"]]
    assert (kernel.namespace, kernel.name, kernel.span.line) == ("torch::executor::native", "add_out", 4)


SPECIAL = """
- op: aten::add.out
  type_alias:
    T0: [Double, Int]
  dim_order_alias:
    D0: [0, 1, 2, 3]
  kernels:
  - arg_meta: null
    kernel_name: torch::executor::add_out
  - arg_meta:
      self: [T0, D0]
      other: [T0, {name}]
      out: [T0, D0]
    kernel_name: torch::executor::add_special
"""


def test_kernels_for_certain_types(project):
    program, found = project(SPECIAL.format(name="D0"))
    assert found == []
    assert [k.name for k in program.functions[0].dispatch.values()] == ["add_out"]
    assert project(SPECIAL.format(name="D1"))[1] == [("OPG209", 12, 19)]


@pytest.mark.parametrize(
    ("kernels", "fault"),
    [
        ("op: add.ot\n  kernels: []\n", ("OPG220", 1, 7)),
        ("op: add.out\n  kernels: add_out\n", ("OPG204", 2, 12)),
        ("op: add.out\n  kernels:\n  - add_out\n", ("OPG214", 3, 5)),
        ("op: add.out\n  kernels:\n  - arg_meta: null\n    kernel_name: a-b\n", ("OPG214", 4, 18)),
        ("op: add.out\n  kernels:\n  - arg_meta: 3\n    kernel_name: f\n", ("OPG204", 3, 15)),
    ],
)
def test_faults_in_kernels(project, kernels, fault):
    assert fault in project(f"- {kernels}")[1]


def test_namespaced_functions(tmp_path, capsys):
    """Functions belong to their namespace: one of the same name in ATen is another function."""
    (tmp_path / "f.yaml").write_text(
        "- func: mine::twice(Tensor self) -> Tensor\n  dispatch:\n    CPU: mine::twice_cpu\n"
        "- func: twice(Tensor self) -> Tensor\n"
    )
    program, report = pipeline.load(tmp_path / "f.yaml")
    assert report.sorted() == []
    mine, atens = program.functions
    assert (mine.qualified_name, atens.qualified_name) == ("mine::twice", "twice")
    assert mine.dispatch[DispatchKey["CPU"]].qualified == "mine::native::twice_cpu"
    assert [r["schema"] for r in dumped(capsys, tmp_path / "f.yaml")] == ["twice(Tensor self) -> Tensor"] * 2


@pytest.mark.parametrize(("newest", "made"), [("pt2_compliant_tag", 1), ("maybe_aliasing_or_mutating", 2)])
def test_core_composites_have_out_forms_since_2_6(tmp_path, newest, made):
    """torchgen's native_function_generation.py uses `core` since 2.6.0, and not in 2.5.1."""
    names = "inplace_view view_copy dynamic_output_shape data_dependent_output generated core".split()
    tags = tmp_path / "tags.yaml"
    tags.write_text("".join(f"- tag: {name}\n  desc: x\n" for name in [*names, newest]))
    file = tmp_path / "native_functions.yaml"
    file.write_text("- func: pool(Tensor self, int n) -> Tensor\n  tags: core\n  autogen: pool.out\n")
    program, _ = pipeline.load(file, lenient=True)
    assert len(program.functions) == made
