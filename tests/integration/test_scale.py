"""PyTorch's whole functions file as a library: 3,101 functions, most of them without a kernel.

Everything is compiled, without optimisation and with one copy of the vectorised kernels, in a third of the
time; other flags are those of a real build, whose figures are in docs/reference/scale.md.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("opgen")

from compilers import syntax_errors, unoptimised
from opgen import pipeline
from opgen.api import cpp, python_bound, runtime_schema
from opgen.model import Variant

ROOT = Path(__file__).resolve().parents[2]
NAME = "bigaten"
MIB = 1024
pytestmark = [
    pytest.mark.slow,
    pytest.mark.campaign,  # it compiles twice what `make build` does
    pytest.mark.skipif(
        importlib.util.find_spec("torchgen") is None, reason="needs torchgen (extra 'oracle')"
    ),
]


def functions_file() -> Path:
    spec = importlib.util.find_spec("torchgen")
    return Path(spec.origin).parent / "packaged/ATen/native/native_functions.yaml"


def environment(*paths: Path, **variables: str) -> dict[str, str]:
    found = [*map(str, paths), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(found), **variables}


def build(folder: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "opgen",
        "build",
        str(functions_file()),
        "--name",
        NAME,
        "--backend",
        "cpu",
    ]
    command += ["--missing-kernels", "stub", "--cpu-capabilities", "default", "-j", str(os.cpu_count())]
    given = environment(ROOT / "cli", CXX=str(unoptimised(folder)), CCACHE_DISABLE="1")
    done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-6000:]
    zipfile.ZipFile(next((folder / "dist").glob("*.whl"))).extractall(folder / "site")


@pytest.fixture(scope="module")
def library(once) -> Path:
    """Returns the folder that the library was built in; `site` has its package."""
    return once("scale", build)


@pytest.fixture(scope="module")
def program():
    return pipeline.load(functions_file())[0]


def run(library: Path, *command: str) -> str:
    given = environment(library / "site")
    done = subprocess.run(
        [sys.executable, *command], cwd=library, env=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def test_no_file_takes_a_gigabyte_to_compile(library, capsys):
    calls = [line.split() for line in (library / "log").read_text().splitlines()]
    compiled = [(float(cpu), int(rss)) for cpu, rss, is_file in calls if is_file == "True"]
    cpu, worst = sum(c for c, _ in compiled), max(r for _, r in compiled)
    with capsys.disabled():
        print(f"\n{len(compiled)} files, {cpu / 60:.1f} CPU minutes, {worst // MIB} MiB at most", end=" ")
    assert len(compiled) > 300
    assert worst < 1024 * MIB


# Registered by hand, as in PyTorch, whose file only declares them for one dimension.
OF_ALL_DIMENSIONS = {"sym_size", "sym_stride"}


@pytest.fixture(scope="module")
def calls(library) -> list[list[str]]:
    """Returns each operator's outcome: its name, its schema, the exception if any, the message."""
    found = json.loads(run(library, str(Path(__file__).with_name("scale_calls.py")), NAME))
    declared = [call for call in found if call[0] not in OF_ALL_DIMENSIONS]
    assert len(found) - len(declared) == len(OF_ALL_DIMENSIONS)
    return declared


def test_every_schema_is_there(calls, program):
    assert sorted(schema for _, schema, _, _ in calls) == sorted(map(runtime_schema.text, program.functions))


BOUND = f"""
import json, {NAME} as library
places = {{name: dir(module) for name, module in vars(library._C).items() if type(module) is type(json)}}
print(json.dumps(places | {{"Tensor": dir(library.Tensor), "package": dir(library)}}))
"""


def module_of(function) -> str:
    if not python_bound.is_made(function):
        return "package"
    return f"_{function.python_module or 'VariableFunctions'}"


def test_every_bound_function_and_method_is_there(library, program):
    """All functions that torchgen binds itself are there: in the same modules, or in the package itself those
    that are bound by hand here.
    """
    found = json.loads(run(library, "-c", BOUND))
    wanted = {
        ("Tensor" if variant is Variant.method else module_of(f), str(f.name.name))
        for f in program.functions
        if python_bound.is_bound(f)
        for variant in f.variants
    }
    assert len(wanted) > 1500
    assert [(place, name) for place, name in sorted(wanted) if name not in found[place]] == []


def test_modules_without_a_file_of_their_own(library):
    """`python_module: sparse` and `nested` are PyTorch's; opgen's own declarations use neither."""
    code = f"import {NAME}.sparse as s, {NAME}.nested as n; print(s.sampled_addmm, n.to_padded_tensor)"
    assert run(library, "-c", code).count("built-in") == 2


def test_every_function_has_its_stub(library, program):
    """Each function has a stub, but private ones that are bound by hand. Like PyTorch's, the package has no
    functions such as __and__.
    """
    tree = ast.parse((library / "site" / NAME / "__init__.pyi").read_text())
    found = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    found |= {a.name for node in tree.body if isinstance(node, ast.ImportFrom) for a in node.names}
    wanted = {
        str(f.name.name)
        for f in program.functions
        if python_bound.is_bound(f) and Variant.function in f.variants and f.python_module is None
        if python_bound.is_made(f) or f.qualified_name[0] != "_"
    }
    wanted = {name for name in wanted if not name.startswith("__")}
    assert wanted <= found


def cpp_pointers(function) -> list[str]:
    """Returns expressions that compile only if the C++ API has the function with this signature."""
    found = []
    if Variant.function in function.variants:
        for signature in filter(None, (cpp.function(function), cpp.faithful(function))):
            pointer = f"{signature.returns} (*)({', '.join(signature.param_types())})"
            found.append(f"static_cast<{pointer}>(&at::{signature.name})")
    if Variant.method in function.variants:
        signature = cpp.method(function)
        types = ", ".join(signature.param_types())
        pointer = f"{signature.returns} (at::Tensor::*)({types}) const"
        found.append(f"static_cast<{pointer}>(&at::Tensor::{signature.name})")
    return found


def test_every_cpp_function_and_method_is_declared(library, program, tmp_path):
    lines = [f"  (void){line};" for f in program.functions for line in cpp_pointers(f)]
    assert len(lines) > 4700
    source = tmp_path / "all.cpp"
    umbrellas = "#include <ATen/ATen.h>\n#include <ATen/NativeFunctions.h>\n"
    source.write_text(umbrellas + "void all() {\n" + "\n".join(lines) + "\n}\n")
    assert syntax_errors(tmp_path, source, (), [library / "site" / NAME / "include" / NAME])[:4000] == ""


def test_every_operator_can_be_called(calls, program, capsys):
    """Each call succeeds, rejects its arguments, or raises an error that names the operator and the missing
    kernel.
    """
    assert sorted(name for name, _, _, _ in calls) == sorted(f.qualified_name for f in program.functions)
    tally = Counter(exception for _, _, exception, _ in calls)
    with capsys.disabled():
        print(f"\n{dict(tally)}", end=" ")
    assert tally.keys() <= {
        "",
        "NotImplementedError",
        "RuntimeError",
        "TypeError",
        "IndexError",
        "ValueError",
        "no value",
    }
    assert tally["no value"] == 7  # needs a Storage or a Stream
    assert tally["NotImplementedError"] + tally[""] > 2400  # has no kernel here yet, or succeeded
    unnamed = [(n, m) for n, _, kind, m in calls if kind == "NotImplementedError" and n not in m]
    assert unnamed == []


def test_kernels_that_are_shipped_are_taken(library):
    code = f"""
import {NAME} as a
x = a.ones((2, 3))
print((x + x).tolist(), a.sum(x).item(), *x.reshape((3, 2)).shape, *a.cat([x, x]).shape, (x @ x.t()).tolist())
"""
    printed = run(library, "-c", code)
    assert printed == "[[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]] 6.0 3 2 4 3 [[3.0, 3.0], [3.0, 3.0]]\n"
