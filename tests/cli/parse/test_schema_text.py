"""The schema parser: lossless, total, and exact about places."""

import pytest
from front import RELEASES, pytorch_yaml, shared
from opgen.model import Alias, Kind
from opgen.parse import schema_text

SCHEMAS = [
    "f() -> ()",
    "ns::f.over(Tensor self) -> Tensor",
    "f(Tensor(a) self, int dim=-1) -> Tensor(a)",
    "f(Tensor(a -> *) self) -> Tensor(a)[]",
    "f(Tensor(a! -> a|b) self, Tensor(b) other) -> (Tensor(a), Tensor(b))",
    "f(Tensor(a|b) x) -> Tensor(a)",
    "f_(Tensor(a!) self) -> Tensor(a!)",
    "__iand__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
    "f(Tensor! self, Tensor other) -> ()",
    "f(Tensor?[] indices, Tensor? x=[], Tensor[] y=[]) -> Tensor[]",
    "f(int[2] k, SymInt[2] s=1, int[1] d=[-2,-1], int[] e=[0, 1], bool[3] m=[True,False,True]) -> ()",
    "f(float x=1e-05, Scalar y=0.5, Scalar? z=None, float inf=inf, SymInt? n=None) -> float",
    "f(str a=\"\\\"'\\\\\", str b='\"\\'\\\\', str? c=None) -> str",
    "f(int reduction=Mean, *, MemoryFormat? m=contiguous_format, ScalarType? t=long) -> bool",
    "f(__torch__.torch.classes.quantized.Linear x, Generator? g, Stream s, Storage t) -> QScheme",
    "f.out(Tensor self, *, int n, Tensor(a!) out0, Tensor(b!)[] out1) -> ()",
    "f(Tensor self) -> (Tensor values, Tensor indices)",
]


@pytest.mark.parametrize("text", SCHEMAS)
def test_lossless(text):
    parsed = schema_text.parse(text)
    assert parsed.faults == []
    namespace = f"{parsed.namespace}::" if parsed.namespace else ""
    assert namespace + str(parsed.schema) == text


def test_shorthand_gets_a_set_of_its_own():
    schema = schema_text.parse("f(Tensor(a!) x, Tensor! self, Tensor! other) -> ()").schema
    assert [a.alias for a in schema.arguments.all] == [Alias((c,), write=True) for c in "abc"]


def test_shorthand_makes_an_out_argument():
    arguments = schema_text.parse("f.out(Tensor self, *, int k=0, Tensor! out) -> ()").schema.arguments
    assert [[a.name for a in group] for group in (arguments.kwarg_only, arguments.out)] == [["k"], ["out"]]


def test_kinds():
    kinds = {
        "f(Tensor self) -> Tensor": Kind.functional,
        "f_(Tensor(a!) self) -> Tensor(a!)": Kind.inplace,
        "f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)": Kind.out,
        "f(Tensor self, Tensor(a!) x) -> ()": Kind.mutable,
        "f.out(Tensor x, *, Tensor(a!) out, Tensor(b!) _scratch_x) -> Tensor(a!)": Kind.scratch,
    }
    assert {text: schema_text.parse(text).schema.kind() for text in kinds} == kinds


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("f(Tensr self) -> Tensor", "Tensr"),
        ("f(Tensor self, int dim=abc) -> Tensor", "abc"),
        ("f(Tensor self int dim) -> Tensor", " "),
        ("f(Tensor self, int[0] dim) -> Tensor", "0"),
        ("f(Tensor self) => Tensor", " =>"),
        ("f(int x=0);system(1);//) -> Tensor", ";system(1);//) -> Tensor"),
        ("9f(Tensor self) -> Tensor", "9f"),
    ],
)
def test_place_of_the_fault(text, marked):
    fault = schema_text.parse(text).faults[0]
    assert text[fault.start : fault.end] == marked


def test_all_faults_of_a_schema():
    faults = schema_text.parse("f(Tensr a, int[n] b, int c=x, Tensor d) -> (Tensor, Flot)").faults
    assert [f.rule.code for f in faults] == ["OPG108", "OPG110", "OPG118", "OPG108"]


def _files():
    yield pytorch_yaml
    for release in RELEASES:
        yield lambda r=release: shared("data", "pytorch", r, "native_functions.yaml")


@pytest.mark.parametrize("file", list(_files()), ids=["installed", *RELEASES])
def test_lookup_and_parser_agree_on_pytorchs_files(file):
    import yaml

    texts = [e["func"] for e in yaml.load(file().read_text(), Loader=yaml.CSafeLoader)]
    for text in texts:
        fast, full = schema_text.parse(text), schema_text._Parser(text).parse()
        assert (fast.schema, fast.faults) == (full.schema, [])
        assert str(fast.schema) == text


@pytest.mark.parametrize(
    "text",
    [
        "f(" + "x," * 30_000,
        "f" * 60_000,
        "f(" * 20_000,
        "f(int" + "[]" * 30_000 + " x) -> ()",
        "f(" + "(" * 60_000,
    ],
)
def test_long_texts_are_quickly_refused(text):
    assert schema_text.parse(text).faults
