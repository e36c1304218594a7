"""Autocast files: the kernels that they make, and the reported faults."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from front import ROOT, checked
from opgen import pipeline
from opgen.commands import run
from opgen.model import DispatchKey, Program
from opgen.model.autocast import Autocast, Cast
from opgen.select import selection
from opgen.template_views import autocast

FUNCTIONS = """\
- func: scale(Tensor self, float factor) -> Tensor
  dispatch:
    CPU: scale
- func: scale.Tensor(Tensor self, Tensor factor) -> Tensor
  dispatch:
    CPU: scale
- func: scale.dtype(Tensor self, float factor, *, ScalarType dtype) -> Tensor
  dispatch:
    CPU: scale
- func: scale_(Tensor(a!) self, float factor) -> Tensor(a!)
  dispatch:
    CPU: scale_
- func: mean(Tensor self, *, ScalarType? dtype=None) -> Tensor
  dispatch:
    CPU: mean
- func: made(int n) -> Tensor
  dispatch:
    CPU: made
"""


def entry(ops: str, cast: str = "float32", devices: str = "CPU", rest: str = "") -> str:
    return f"- cast: {cast}\n  devices: [{devices}]\n  ops: [{ops}]\n{rest}"


def cast(text: str) -> tuple:
    return checked(f"{FUNCTIONS}# autocast.yaml\n{text}")


def faults(text: str) -> list[tuple[str, int, str]]:
    return [(f.code, f.span.line, f.message) for f in cast(text)[1]]


def of(program: Program, name: str) -> dict[str, Cast]:
    assert program.autocast is not None
    return {str(key): entry.cast for key, entry in program.autocast.of.get(name, {}).items()}


def test_each_overload_has_its_casts_by_device():
    program, found = cast(
        entry("scale, mean", "lower_precision", "CPU, CUDA") + entry("scale.Tensor", "promote", "CUDA")
    )
    assert not found
    lower = Cast.lower_precision
    assert of(program, "scale") == {"AutocastCPU": lower, "AutocastCUDA": lower}
    assert of(program, "scale.Tensor") == {"AutocastCUDA": Cast.promote}
    assert of(program, "scale.dtype") == {}
    rows = [(str(row.function.name), row.key) for row in autocast.rows(program)]
    assert rows.count(("scale", DispatchKey["AutocastCPU"])) == 1 and len(rows) == 5


def test_kernels_are_in_one_file_for_each_device():
    program, found = cast(
        entry("scale", "float32_overload", "CUDA")
        + entry("mean", "float32_dtype", "CUDA")
        + entry("scale.Tensor", "refused", "CUDA", "  instead: mean\n")
    )
    assert not found
    (page,) = autocast.autocast_pages(program)
    assert page.path == "src/autocast_CUDA.cpp"
    made = {k.struct: (k.cast, k.overload, k.instead) for k in page.view.kernels}
    assert made == {
        "scale": ("float32_overload", "scale_dtype", None),
        "mean": ("float32_dtype", None, None),
        "scale_Tensor": ("refused", None, '"mean"'),
    }


@pytest.mark.parametrize(
    ("text", "code", "line", "message"),
    [
        ("- scale\n", "OPG280", 1, "expected 'cast:', 'devices:' and 'ops:'"),
        (entry("scale", rest="  dtype: f\n"), "OPG280", 4, "there is no field 'dtype'"),
        (entry("scale", cast="bfloat16"), "OPG280", 1, "but it is 'bfloat16'"),
        (entry("scale", cast="[float32]"), "OPG280", 1, "'cast' must be one of"),
        (entry("scale", devices="cpu"), "OPG280", 2, "'devices' must be of CPU, CUDA"),
        (entry(""), "OPG280", 3, "'ops' must be a list of texts, and not empty"),
        ("- cast: float32\n  ops: [scale]\n", "OPG280", 1, "'devices' is missing"),
        ("- devices: [CPU]\n  ops: [scale]\n", "OPG280", 1, "'cast' is missing"),
        (entry("scale", "refused"), "OPG280", 1, "'instead' is the operator to use"),
        (entry("scale", rest="  instead: mean\n"), "OPG280", 4, "'instead' is the operator to use"),
        (entry("scales"), "OPG870", 3, "there is no operator 'scales'"),
        (entry("scale", "refused", rest="  instead: meen\n"), "OPG870", 4, "there is no operator 'meen'"),
        (entry("scale") + entry("scale", "promote"), "OPG871", 6, "'scale' has a second cast for CPU"),
        (entry("scale_"), "OPG872", 3, "'scale_' writes to a tensor"),
        (entry("made"), "OPG872", 3, "'made' takes no tensor"),
        (entry("scale", "float32_dtype"), "OPG872", 3, "has no optional argument 'dtype'"),
        (entry("scale.dtype", "float32_dtype"), "OPG872", 3, "has no optional argument 'dtype'"),
        (entry("mean", "float32_overload"), "OPG872", 3, "has no overload"),
    ],
)
def test_faults(text: str, code: str, line: int, message: str):
    ((found, at, said),) = faults(text)
    assert (found, at) == (code, line) and message in said


def test_shipped_casts_hold_for_shipped_schemas_that_a_project_repeats():
    shipped, _ = cast(entry("scale, mean"))
    repeated = FUNCTIONS.partition("- func: scale.Tensor")[0]
    own = replace(checked(repeated)[0], path="OWN")
    assert own.autocast is None
    both = selection.merged(own, shipped)
    assert of(both, "scale") == {"AutocastCPU": Cast.float32} == of(both, "mean")
    other = replace(checked(repeated.replace("float factor", "float by"))[0], path="OWN")
    assert of(selection.merged(other, shipped), "scale") == {}


def test_the_file_beside_the_functions_is_read(tmp_path: Path):
    (tmp_path / "native_functions.yaml").write_text(FUNCTIONS, encoding="utf-8")
    assert pipeline.load(tmp_path)[0].autocast is None
    (tmp_path / "autocast.yaml").write_text(entry("scale") + entry("gone"), encoding="utf-8")
    program, report = pipeline.load(tmp_path)
    assert isinstance(program.autocast, Autocast) and report.failed
    assert [d.code for d in report.diagnostics] == ["OPG870"]


def test_explain_shows_casts_and_the_schema_of_the_file(capsys: pytest.CaptureFixture[str]):
    assert run(["explain", "prod", str(ROOT / "schemas")]) == 0
    assert "autocast\n    AutocastCPU: float32\n    AutocastCUDA: float32_dtype" in capsys.readouterr().out
    assert run(["schema", "autocast"]) == 0
    properties = json.loads(capsys.readouterr().out)["items"]["properties"]
    assert properties["devices"]["items"]["enum"] == ["CPU", "CUDA"]
