"""Defaults, autogen and groups, against torchgen's own model where it is installed."""

import gzip
import json
import subprocess
import sys

import pytest
from front import NEWEST, RELEASES, ROOT, checked, pytorch_yaml, shared
from opgen import pipeline
from opgen.expand import registrations
from opgen.model import Arguments, DispatchKey, Function


def alias(a):
    return None if a is None else {"set": list(a.set), "write": a.write, "after": list(a.after)}


def arguments(found: Arguments) -> list[dict]:
    rows = [(a, False, False) for a in found.positional]
    rows += [(a, True, False) for a in found.kwarg_only]
    rows += [(a, True, True) for a in found.out]
    return [
        {
            "name": a.name,
            "type": str(a.type),
            "default": a.default,
            "kwarg_only": k,
            "out": o,
            "alias": alias(a.alias),
        }
        for a, k, o in rows
    ]


def record(f: Function) -> dict:
    """Returns the model's attributes of a function, in the format of `opgen dump`."""
    return {
        "name": str(f.name.name),
        "overload": f.name.overload,
        "schema": str(f.schema),
        "kind": f.kind.value,
        "arguments": arguments(f.schema.arguments),
        "returns": [{"name": r.name, "type": str(r.type), "alias": alias(r.alias)} for r in f.schema.returns],
        "variants": sorted(v.value for v in f.variants),
        "python_module": f.python_module,
        "dispatch": {k.value: v.name for k, v in f.dispatch.items()},
        "structured": f.structured,
        "structured_delegate": f.structured_delegate and str(f.structured_delegate),
        "structured_inherits": f.structured_inherits,
        "autogen": [str(name) for name in f.autogen],
        "tags": sorted(f.tags),
        "device_guard": f.device_guard,
        "device_check": f.device_check.value,
        "category_override": f.category_override,
        "manual_cpp_binding": f.manual_cpp_binding,
        "manual_kernel_registration": f.manual_kernel_registration,
        "cpp_no_default_args": sorted(f.cpp_no_default_args),
        "generated": f.is_generated,
        "line": None if f.is_generated else f.line,
    }


def assert_same(program, oracle, without=()):
    assert len(program.functions) == len(oracle)
    for function, expected in zip(program.functions, oracle, strict=True):
        ours = {k: v for k, v in record(function).items() if k not in without}
        assert ours == {k: expected[k] for k in ours}


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    path = pytorch_yaml()
    script = shared("oracle", "torchgen_dump.py")
    out = tmp_path_factory.mktemp("oracle") / "oracle.json"
    subprocess.run([sys.executable, script, path, "-o", out], check=True, capture_output=True)
    return pipeline.load(path), json.loads(out.read_text())


def test_installed_pytorch(installed):
    (program, report), oracle = installed
    assert not report.failed
    assert_same(program, oracle)


def test_registrations(installed):
    (program, _), oracle = installed
    for function, expected in zip(program.functions, oracle, strict=True):
        found = dict(registrations.of(function, program))
        select = found.pop(DispatchKey["BackendSelect"], None)
        assert (select is not None) == expected["x_backend_select"]
        assert {k.value for k in found} == set(expected["x_registered"])


@pytest.mark.parametrize("release", RELEASES)
def test_other_releases(release):
    folder = shared("data", "pytorch", release)
    program, report = pipeline.load(folder / "native_functions.yaml", lenient=True)
    assert not report.failed
    oracle = json.loads(gzip.decompress((folder / "oracle.json.gz").read_bytes()))
    assert_same(program, oracle, without=set() if release == NEWEST else {"tags"})


def test_executorch():
    program, report = pipeline.load(shared("data", "executorch", "1.0.0", "custom_ops.yaml"), lenient=True)
    assert [str(f.name) for f in program.functions] == [
        "allclose.out",
        "allclose.Tensor",
        "linear.scratch_example",
    ]
    program, report = pipeline.load(shared("data", "executorch", "1.0.0", "functions.yaml"), lenient=True)
    assert program.functions
    assert not report.failed


def test_default_kernel_and_no_kernel():
    program, _ = checked(
        "- func: f(Tensor self) -> Tensor\n- func: g(Tensor self) -> Tensor\n  dispatch: {}\n"
    )
    f, g = program.functions
    assert f.kernel("CompositeImplicitAutograd").name == "f"
    assert g.dispatch == {}


def test_autogen_of_an_in_place_operator():
    schema = "f_.x(Tensor(a!) self, SymInt n) -> Tensor(a!)"
    text = f"- func: {schema}\n  dispatch:\n    CPU: f_\n  autogen: f.x, f.x_out\n"
    program, diagnostics = checked(text)
    assert diagnostics == []
    _, out, functional = program.functions
    assert str(out.schema) == "f.x_out(Tensor self, SymInt n, *, Tensor(a!) out) -> Tensor(a!)"
    assert str(functional.schema) == "f.x(Tensor self, SymInt n) -> Tensor"
    assert out.kernel("CompositeExplicitAutograd").name == "f_x_out_symint"
    assert functional.kernel("CompositeExplicitAutograd").name == "f_symint"
    assert program.groups[0].functional is functional


def test_a_group_has_the_mutable_form_too():
    program, _ = pipeline.load(ROOT / "schemas" / "native_functions.yaml", checked=False)
    group = program.group_of["rrelu_with_noise"]
    assert str(group.mutable.name) == "rrelu_with_noise"
    names = [str(f.name) for f in group.functions()]
    assert len(names) == 4 and names[0] == "rrelu_with_noise_functional" and names[-1] == "rrelu_with_noise"
    assert {id(program.group_of[name]) for name in names} == {id(group)}
