"""Derivatives of PyTorch's own files: our parsing, matching and resolving agree with torchgen's, field by
field.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from front import RELEASES, pytorch_yaml, shared
from opgen import pipeline
from opgen.api.autograd import Autograd, Backward, Differentiability
from opgen.api.autograd.forward import Forward
from opgen.api.autograd.saved import Saved
from opgen.check.derivatives import complete as derivatives_complete
from opgen.diagnostics import Severity
from opgen.model import Function, Kind, Program
from opgen.model.derivatives import Origin, return_names
from opgen.parse.derivatives.text import tokens

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent


def derivatives_yaml() -> Path:
    return pytorch_yaml().parents[2] / "autograd/derivatives.yaml"


@cache
def ours() -> tuple[Program, Autograd]:
    program, report = pipeline.load(pytorch_yaml(), derivatives_file=derivatives_yaml())
    assert not report.failed
    return program, Autograd(program)


def ran(script: Path, folder: Path, *arguments: str) -> str:
    """Returns the output of a script that uses torchgen, run so that it cannot import opgen by accident."""
    command = [sys.executable, str(script), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def theirs(tmp_path_factory) -> dict[str, dict]:
    pytorch_yaml()
    return parsed(ran(HERE / "torchgen_derivatives.py", tmp_path_factory.mktemp("torchgen")))


def parsed(text: str) -> dict[str, dict]:
    """In the formulas of _foreach_addcdiv torchgen indexes a list that it has indexed: tensor2[i][i]."""
    return json.loads(text.replace("[i][i]", "[i]"))


@pytest.fixture(scope="module")
def oracle(tmp_path_factory) -> dict[str, dict]:
    script = shared("oracle", "derivatives.py")
    pytorch_yaml()
    folder = tmp_path_factory.mktemp("oracle")
    ran(script, folder, "out.json")
    return parsed((folder / "out.json").read_text())


def saved(values: tuple[Saved, ...]) -> list:
    return sorted([v.name, str(v.type), v.expr] for v in values)


def backward(one: Backward) -> dict:
    return {
        "names": list(one.names),
        "formula": one.formula,
        "original": one.original,
        "saved inputs": saved(one.saved_inputs),
        "saved outputs": saved(one.saved_outputs),
        "named gradients": sorted(one.named_gradients),
    }


def forward(one: Forward) -> dict:
    return {
        "names": list(one.names),
        "types": list(map(str, one.types)),
        "formula": one.formula,
        "tangents": sorted(one.tangents),
        "primals": sorted(one.primals),
        "original self": one.needs_original_self,
        "reuses": one.reuses_functional,
    }


def described(function: Function, info: Differentiability) -> dict:
    return {
        "of": str(info.function.name),
        "node": info.node,
        "inputs": [[p.name, str(p.ctype)] for p in info.inputs],
        "backward": [backward(one) for one in info.backward],
        "forward": [forward(one) for one in info.forward],
        "saved inputs": saved(info.saved_inputs),
        "saved outputs": saved(info.saved_outputs),
        "non differentiable": list(info.non_differentiable),
        "named gradients": list(info.named_gradients),
        "differentiable": None if info.differentiable is None else list(info.differentiable),
        "condition": None if info.condition is None else [info.condition],
        "outputs": list(info.differentiable_outputs(function)),
    }


def differences(their: dict, our: dict, where: str) -> list[str]:
    if their.keys() != our.keys():
        return [f"{where}: {sorted(their)} != {sorted(our)}"]
    return [
        f"{where} {field}: {their[field]!r} != {our[field]!r}"
        for field in their
        if their[field] != our[field]
    ]


def test_every_function_as_torchgen_has_it(theirs):
    program, autograd = ours()
    mine = {str(f.name): (f, autograd.of(f)) for f in program.functions if autograd.of(f)}
    assert mine.keys() == theirs.keys()
    found, fields = [], 0
    for name, (function, infos) in mine.items():
        assert list(infos) == list(theirs[name]), name
        for key, info in infos.items():
            found += differences(theirs[name][key], described(function, info), f"{name} {key}")
            fields += len(theirs[name][key])
    print(f"\n{len(mine)} functions, {fields} fields, {len(found)} disagreements")
    assert len(mine) > 1300
    assert not found


def entries_of(program: Program) -> dict[str, dict]:
    """Returns the entries in the format that the oracle prints."""
    found = {}
    assert program.derivatives is not None
    for entry, function in program.derivatives.declared:
        arguments = {a.name for a in function.schema.arguments.all}
        all = [(key, f) for key, formulas in entry.formulas.items() for f in formulas]
        given = [(key, f) for key, f in all if f.names[0] in arguments]
        flags = [entry.condition] if entry.condition else entry.differentiable and list(entry.differentiable)
        found[str(entry.schema)] = {
            "line": entry.line,
            "dispatch": {
                key: {f.key: f.text for k, f in given if k == key and not f.is_non_differentiable}
                for key in entry.formulas
            },
            "non_differentiable": [n for _, f in given if f.is_non_differentiable for n in f.names],
            "forward": {f.key: f.text for _, f in all if f.names[0] not in arguments},
            "output_differentiability": flags,
        }
    return found


def test_every_entry_as_the_oracle_has_it(oracle):
    mine = entries_of(ours()[0])
    assert mine.keys() == oracle["entries"].keys()
    found = [d for name, entry in mine.items() for d in differences(oracle["entries"][name], entry, name)]
    print(f"\n{len(mine)} entries, {len(found)} disagreements")
    assert len(mine) > 600
    assert not found


def as_the_oracle(function: Function, program: Program, infos: dict[str, Differentiability]) -> dict:
    info = infos.get("Default") or next(iter(infos.values()))
    derivation = program.derivatives.of[function.qualified_name]
    own = derivation.origin is Origin.own
    default = infos["Default"].forward if "Default" in infos else ()
    return {
        "kind": function.kind.value,
        "exact": own,
        "from": str(info.function.name),
        "op": info.node,
        "inputs": {", ".join(b.names): b.original for b in info.backward},
        "rewritten": {", ".join(b.names): b.formula for b in info.backward},
        "saved_inputs": sorted(s.name for s in info.saved_inputs),
        "saved_outputs": sorted(s.name for s in info.saved_outputs),
        "non_differentiable": list(info.non_differentiable),
        "output_differentiability": info.differentiable and list(info.differentiable),
        "output_differentiability_conditions": [info.condition] if info.condition else None,
        "forward": {", ".join(f.names): f.formula for f in default},
        "dispatch_keys": list(infos),
        "view_copy_of_view": not own and "_copy" in str(function.name) and "view_copy" in function.tags,
        "generated_foreach": not own and function.root_name.startswith("_foreach"),
    }


def test_every_function_as_the_oracle_has_it(oracle):
    program, autograd = ours()
    mine = {
        str(f.name): as_the_oracle(f, program, autograd.of(f)) for f in program.functions if autograd.of(f)
    }
    assert mine.keys() == oracle["functions"].keys()
    found = [d for name in mine for d in differences(oracle["functions"][name], mine[name], name)]
    print(f"\n{len(mine)} functions, {len(found)} disagreements")
    assert not found


def test_origins(oracle):
    """The numbers of functions by origin of their formulas are the oracle's."""
    program, _ = ours()
    derivations = program.derivatives.of.values()
    match = Counter(
        f"{'exact' if d.origin is Origin.own else 'inherited'} {d.function.kind.value}" for d in derivations
    )
    assert match == oracle["counts"]["by match"]
    assert sum(d.origin is Origin.view_copy for d in derivations) == oracle["counts"]["view_copy inherited"]


def test_operators_without_a_formula(oracle):
    """They are those for which torchgen registers a kernel that fails in backward. It has a list of others
    that need none, and counts operators that create tensors.
    """
    program, _ = ours()
    lacking = {str(f.name) for f in program.functions if derivatives_complete.is_lacking(f, program)}
    registered = oracle["autograd_registration"]
    fails = {name for name, kernel in registered.items() if kernel == "not_implemented boxed kernel"}
    declared = {str(f.name): f for f in program.functions if not f.is_generated and f.kind is not Kind.out}
    assert {registered[name] for name in lacking - fails} <= {"other codegen", "manual"}
    assert not any(declared[n].schema.arguments.has_tensor() for n in (fails - lacking) & declared.keys())
    assert len(lacking & fails) > 200


@pytest.mark.parametrize("release", ["installed", *RELEASES])
def test_no_fault_in_pytorch_files(release):
    """There is no error and no warning about derivatives, from opgen's own rules either, even for older
    files.
    """
    if release == "installed":
        functions, file = pytorch_yaml(), derivatives_yaml()
    else:
        functions = shared("data", "pytorch", release, "native_functions.yaml")
        file = functions.parent / "derivatives.yaml"
    program, report = pipeline.load(functions, derivatives_file=file)
    assert len(program.derivatives.entries) > 600
    assert not [str(d) for d in report.diagnostics if d.span.path == str(file)]


@pytest.mark.parametrize("release", RELEASES)
def test_other_releases_are_read_leniently(release):
    program, report = pipeline.load(shared("data", "pytorch", release), lenient=True)
    found = program.derivatives
    assert len(found.entries) == len(found.declared)
    assert all(d.severity is Severity.note for d in report.diagnostics)
    autograd = Autograd(program)
    assert sum(bool(autograd.of(f)) for f in program.functions) == len(found.of) > 1000


def test_tokens_know_their_place():
    """The text at each token's span in the file is the token."""
    program, _ = ours()
    lines = derivatives_yaml().read_text(encoding="utf-8").splitlines()
    found = []
    count = 0
    for entry in program.derivatives.entries:
        for formula in (f for formulas in entry.formulas.values() for f in formulas):
            for token in tokens(formula.text):
                span = entry.places.inside(token.start, token.end, *formula.path)
                count += 1
                if lines[span.line - 1][span.column - 1 : span.end_column - 1] != token.text:
                    found.append(f"{span}: {token}")
    print(f"\n{count} tokens")
    assert count > 10_000
    assert not found


def test_results_are_named_as_torchgen_does(theirs):
    """In-place operators call their result `self` there, and `result` in formulas."""
    program, _ = ours()
    for function in program.functions:
        keys = theirs.get(str(function.name), {})
        for info in keys.values():
            if function.kind is Kind.functional:
                assert set(info["outputs"]) <= set(return_names(function)), function.name
