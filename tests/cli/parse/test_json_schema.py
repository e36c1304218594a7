"""The JSON Schemas against PyTorch's files, against entries with one fault, and against our own reader."""

import json

import pytest
import yaml
from front import ROOT, checked, pytorch_yaml, shared
from opgen.commands import run
from opgen.explain import json_schema
from opgen.parse import entry_rules, executorch, fields, functions

jsonschema = pytest.importorskip("jsonschema")

FUNC = {"func": "f(Tensor self) -> Tensor"}


@pytest.fixture(scope="module", params=sorted(json_schema.FILES))
def validator(request):
    return made(request.param)


def made(name: str):
    schema = json_schema.FILES[name]()
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def errors(name: str, text: str) -> list[str]:
    data = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return [f"{e.json_path}: {e.message}"[:200] for e in made(name).iter_errors(data)]


def test_pytorchs_functions_and_tags():
    file = pytorch_yaml()
    assert errors("native_functions", file.read_text()) == []
    assert errors("tags", (file.parent / "tags.yaml").read_text()) == []


def test_pytorchs_derivatives():
    file = pytorch_yaml().parents[2] / "autograd" / "derivatives.yaml"
    assert errors("derivatives", file.read_text()) == []


def test_executorchs_functions():
    assert (
        errors("native_functions", shared("data", "executorch", "1.0.0", "functions.yaml").read_text()) == []
    )


def test_our_own_files():
    for file in (ROOT / "schemas").glob("*.yaml"):
        if file.stem in json_schema.FILES:
            assert errors(file.stem, file.read_text()) == []


@pytest.mark.parametrize(
    "entry",
    [
        {"func": "f(Tensor self)"},
        {"func": "f -> Tensor"},
        {"func": "9f(Tensor self) -> Tensor"},
        {"func": ["f(Tensor self) -> Tensor"]},
        {"variants": "function"},
        {**FUNC, "dispach": {"CPU": "f"}},
        {**FUNC, "dispatch": "f"},
        {**FUNC, "dispatch": {"CPUU": "f"}},
        {**FUNC, "dispatch": {"CPU; CUDA": "f"}},
        {**FUNC, "dispatch": {"CPU": "bad-kernel"}},
        {**FUNC, "dispatch": {"CPU": ["f"]}},
        {**FUNC, "variants": "metod"},
        {**FUNC, "variants": "function,method"},
        {**FUNC, "variants": ["function"]},
        {**FUNC, "structured": "yes"},
        {**FUNC, "device_guard": "False"},
        {**FUNC, "device_check": "Nope"},
        {**FUNC, "python_module": "../nn"},
        {**FUNC, "tags": {"core": True}},
        {**FUNC, "tags": ["not a tag"]},
        {**FUNC, "autogen": "f.out,f.x"},
        {**FUNC, "precomputed": []},
        {**FUNC, "ufunc_inner_loop": {"General": "f (All)"}},
        {**FUNC, "ufunc_inner_loop": {"Generic": "f (Al)"}},
        {**FUNC, "ufunc_inner_loop": "f All"},
        {**FUNC, "cpp_no_default_args": "dim"},
        "f(Tensor self) -> Tensor",
    ],
)
def test_entries_with_a_slip(entry):
    assert list(made("native_functions").iter_errors([entry]))
    assert checked(yaml.safe_dump([entry]))[1], "our own reader agrees"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tags", "- tag: core\n"),
        ("tags", "- tag: no name\n  desc: x\n"),
        ("tags", "- tag: core\n  desc: x\n  note: y\n"),
        ("derivatives", "- self: grad\n"),
        ("derivatives", "- name: f\n  self: grad\n"),
        ("derivatives", "- name: f(Tensor self) -> Tensor\n  self: [grad]\n"),
        ("derivatives", "- name: f(Tensor self) -> Tensor\n  'self;': grad\n"),
        ("derivatives", "- name: f(Tensor self) -> Tensor\n  output_differentiability: True\n"),
        ("derivatives", "- name: f(Tensor self) -> Tensor\n  dispatch:\n    Nope:\n      self: grad\n"),
        (
            "derivatives",
            "- name: f(Tensor self) -> Tensor\n  dispatch:\n    Default:\n      'self;': grad\n",
        ),
        ("opgen", "rules:\n  OPG812: loud\n"),
        ("opgen", "nam: x\n"),
        ("opgen", "breaking:\n  allow:\n  - {rule: arg-renamed, item: f}\n"),
        ("opgen", "breaking:\n  allow: [f]\n"),
        ("opgen", "breaking:\n  rules: {OPB201: loud}\n"),
        ("opgen", "breaking:\n  since: true\n"),
    ],
)
def test_other_files_with_a_slip(name, text):
    assert errors(name, text)


VALUES = {
    "text": "word",
    "spaced": "two words",
    "flag": True,
    "list": ["word"],
    "empty list": [],
    "mapping": {"word": "word"},
    "kernels": {"CPU": "f"},
    "loop": {"Generic": "f (All)"},
    "module": "nn.functional",
    "overload": "f.out",
    "check": "NoCheck",
    "variants": "function, method",
}
READING = {rule.code for rule in entry_rules.RULES}


@pytest.mark.parametrize("field", [f for f in fields.FIELDS if f.name != "func"], ids=lambda f: f.name)
@pytest.mark.parametrize("value", VALUES, ids=lambda v: v.replace(" ", "-"))
def test_the_schema_and_the_reader_take_the_same_values(field, value):
    entry = {**FUNC, field.name: VALUES[value]}
    if field.name == "precomputed" and value == "list":
        entry["precomputed"] = ["self -> int n"]  # the schema allows any text in a line
    by_schema = not list(made("native_functions").iter_errors([entry]))
    found = {d.code for d in checked(yaml.safe_dump([entry], width=1000))[1]}
    by_reader = not found & (READING | {"OPG801"})
    if value == "flag" and field.kind is not fields.Kind.flag:
        return  # our reader takes every scalar as text, so that True is a name
    if field.name == "tags" and value in ("text", "list", "check"):
        assert by_schema and found == {"OPG801"}  # a tags file could define it
        return
    assert by_schema == by_reader


def test_the_table_is_what_the_reader_knows():
    assert set(functions._READERS) == {f.name for f in fields.FIELDS} - {"func"}
    assert set(executorch.FIELDS) == {f.name for f in fields.EXECUTORCH_FIELDS}


def test_the_command(capsys, tmp_path):
    assert run(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == json_schema.functions()
    for name in json_schema.FILES:
        assert run(["schema", name, "-o", str(tmp_path / name)]) == 0
        assert json.loads((tmp_path / name).read_text()) == json_schema.FILES[name]()
    assert run(["schema", "nothing"]) == 2


def test_schemas_are_valid_and_describe_every_field(validator):
    items = validator.schema.get("items", validator.schema)
    assert items["properties"] and items["additionalProperties"] is False
