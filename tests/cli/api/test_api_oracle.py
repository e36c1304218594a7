"""Agreement with torchgen and torch. Skipped where they, or the files to compare with, are absent."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from opgen import pipeline
from opgen.api import convert, cpp, dispatcher, dump, native, python_bound, runtime_schema, structured
from opgen.api.python_groups import groups
from opgen.model import Variant

pytestmark = pytest.mark.slow
SHARED = Path(__file__).parents[4] / "shared"
ORACLE = SHARED / "oracle"

needs_torchgen = pytest.mark.skipif(
    not (ORACLE.is_dir() and importlib.util.find_spec("torchgen")),
    reason="needs torchgen and ../shared/oracle",
)


def torchgen_file(name):
    return Path(importlib.util.find_spec("torchgen").submodule_search_locations[0]) / "packaged" / name


@pytest.fixture(scope="module")
def program():
    return pipeline.load(torchgen_file("ATen/native/native_functions.yaml"), lenient=True, checked=False)[0]


@pytest.fixture(scope="module")
def oracle(tmp_path_factory):
    """Returns torchgen's dump, and its groups of Python signatures."""
    out = tmp_path_factory.mktemp("oracle")
    command = [
        sys.executable,
        ORACLE / "torchgen_dump.py",
        "-o",
        out / "dump",
        "--python-groups",
        out / "groups",
    ]
    subprocess.run(command, check=True, capture_output=True)
    return json.loads((out / "dump").read_text()), json.loads((out / "groups").read_text())


@pytest.fixture(scope="module")
def records(oracle):
    return {(r["name"], r["overload"]): r for r in oracle[0]}


def record_of(records, function):
    return records[str(function.name.name), function.name.overload]


@needs_torchgen
def test_dump_agrees_in_every_field(program, oracle):
    mine = json.loads(dump.text(program))
    assert [(r["name"], r["overload"]) for r in mine] == [(r["name"], r["overload"]) for r in oracle[0]]
    for ours, theirs in zip(mine, oracle[0], strict=True):
        theirs = {field: value for field, value in theirs.items() if not field.startswith("x_")}
        assert ours == theirs


@needs_torchgen
def test_signatures_with_symints_and_types(program, records):
    for f in program.functions:
        record = record_of(records, f)
        assert dispatcher.signature(f).type() == record["x_dispatcher"]["type"]
        forms = record["x_cpp_symint"]
        if forms is not None:
            if forms["function"]:
                assert cpp.function(f, symint=True).decl() == forms["function"]
            if forms["faithful"]:
                assert cpp.faithful(f, symint=True).decl() == forms["faithful"]
            if forms["method"]:
                assert cpp.method(f, symint=True).decl() == forms["method"]


@needs_torchgen
def test_structured_signatures(program, records):
    structured_groups = [g for g in program.groups if g.structured]
    assert structured_groups
    for g in structured_groups:
        expected = record_of(records, g.out)["x_structured"]
        assert structured.meta_name(g) == expected["meta_struct"]
        assert structured.meta_signature(g).decl() == expected["meta"]
        for key, impl in expected["impl"].items():
            assert structured.impl_name(g.out.kernel(key)) == impl["struct"]
            assert structured.impl_signature(g).decl() == impl["impl"]


@needs_torchgen
def test_every_signature_converts(program):
    for f in program.functions:
        target = dispatcher.params(f)
        for signature in cpp.functions(f):
            convert.exprs(signature.params, target)
        if Variant.method in f.variants:
            for signature in cpp.methods(f):
                convert.exprs(signature.params, target, method=True)
        for kernel in f.dispatch.values():
            convert.exprs(target, native.signature(f, kernel).params)
    for g in program.groups:
        for f in g.functions() if g.structured else ():
            impl = structured.impl_params(g)[: -len(g.out.schema.arguments.out)]
            convert.exprs(dispatcher.params(f), structured.meta_params(g))
            convert.exprs(dispatcher.params(f), impl, precomputed=g.out.precomputed)


@needs_torchgen
def test_python_groups_in_order(program, oracle):
    bound = [f for f in program.functions if python_bound.is_bound(f)]
    found = groups(bound)
    mine = {
        module: {
            name: [
                {
                    "signature": g.signature.text(),
                    "base": str(g.base.name),
                    "out": str(g.out.name) if g.out else None,
                }
                for g in overloads
            ]
            for name, overloads in names.items()
        }
        for module, names in found.items()
    }
    theirs = {
        module: {name: [g for g in found if not g.pop("deprecated")] for name, found in names.items()}
        for module, names in oracle[1].items()
    }
    assert mine == theirs


@needs_torchgen
def test_runtime_schemas(program):
    torch = pytest.importorskip("torch")
    registered = {(s.name, s.overload_name): str(s) for s in torch._C._jit_get_all_schemas()}
    for f in program.functions:
        assert runtime_schema.text(f) == registered[f"{f.namespace}::{f.name.name}", f.name.overload]
