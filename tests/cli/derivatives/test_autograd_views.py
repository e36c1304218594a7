"""The code generated from derivatives: the kernels of each layer, that the C++ compiles whatever formulas
save, what is selected with an operator, and where a formula's error is reported.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from front import ROOT, pytorch_yaml
from opgen import locate, pipeline
from opgen.build.failures import Origins, explain
from opgen.select import selection, sources
from opgen.template_views import autograd, names

ODD = """
- func: mix(Tensor self, Tensor? weight, float[]? s, str mode, int[]? dims, Scalar[] by, str? how) -> Tensor
  variants: function, method
  dispatch:
    CPU: mix
- func: tie(Tensor self, Tensor other) -> (Tensor low, Tensor high, int count)
  dispatch:
    CPU: tie
- func: pick(Tensor self, Tensor?[] indices) -> Tensor
  dispatch:
    CPU: pick
- func: pick_(Tensor(a!) self, Tensor?[] indices) -> Tensor(a!)
  dispatch:
    CPU: pick_
- func: soften(Tensor self, Tensor other) -> Tensor
  dispatch:
    CPU: soften
- func: soften_(Tensor(a!) self, Tensor other) -> Tensor(a!)
  dispatch:
    CPU: soften_
- func: sway(Tensor self, ScalarType dtype) -> Tensor
  dispatch:
    CPU: sway
- func: slabs(Tensor(a -> *) self, int n) -> Tensor(a)[]
  dispatch:
    CPU: slabs
- func: pair(Tensor(a) self) -> (Tensor(a), Tensor(a))
  dispatch:
    CPU: pair
- func: weld(Tensor[] parts, Tensor glue) -> Tensor
  dispatch:
    CPU: weld
- func: dent(Tensor self, Tensor(a!) mark) -> ()
  dispatch:
    CPU: dent
- func: rank_of(Tensor self) -> int
  dispatch:
    CPU: rank_of
- func: hide(Tensor(a) self) -> Tensor(a)
  dispatch:
    CPU: hide
- func: hide_(Tensor(a!) self) -> Tensor(a!)
  tags: inplace_view
  dispatch:
    CPU: hide_
- func: _foreach_soften.List(Tensor[] self, Tensor[] other) -> Tensor[]
  device_check: NoCheck
  dispatch:
    CompositeExplicitAutograd: soften_each
- func: _foreach_soften_.List(Tensor(a!)[] self, Tensor[] other) -> ()
  device_check: NoCheck
  dispatch:
    CompositeExplicitAutograd: soften_each_
- func: mine::twice(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutograd: mine::twice
"""
FORMULAS = """
- name: mix(Tensor self, Tensor? weight, float[]? s, str mode, int[]? dims, Scalar[] by, str? how) -> Tensor
  self, weight: mixed(grad, self, weight, s, mode, dims, by, how, grad_input_mask)
- name: tie(Tensor self, Tensor other) -> (Tensor low, Tensor high, int count)
  self: grad_low * count + grad_high * other.dim()
  other: grad_high * self
  low, high: std::tuple<Tensor, Tensor>(self_t + other_t, self_t * other_p)
- name: pick(Tensor self, Tensor?[] indices) -> Tensor
  self: picked(zeros_like(self), indices, grad)
  result: auto_linear
- name: soften(Tensor self, Tensor other) -> Tensor
  self: grad * result * self
  other: -grad * self.scalar_type()
  result: self_t * other_p + other_t
- name: sway(Tensor self, ScalarType dtype) -> Tensor
  self: grad
  result: auto_linear
  output_differentiability: ["isDifferentiableType(dtype)"]
- name: slabs(Tensor(a -> *) self, int n) -> Tensor(a)[]
  self: piled(grads, n)
- name: weld(Tensor[] parts, Tensor glue) -> Tensor
  parts: cut(grad, parts.size())
  glue: grad
- name: hide(Tensor(a) self) -> Tensor(a)
  output_differentiability: [False]
- name: mine::twice(Tensor self) -> Tensor
  self: grad * 2
  result: auto_element_wise
"""
HEADER = """
#include <ATen/core/Tensor.h>
#include <array>
#include <tuple>
#include <vector>
namespace torch::inline C10_ABI::autograd::generated::details {
using at::Tensor;
std::tuple<Tensor, Tensor> mixed(
    const Tensor&, const Tensor&, const Tensor&, std::optional<at::ArrayRef<double>>, std::string_view,
    at::OptionalIntArrayRef, at::ArrayRef<at::Scalar>, std::optional<std::string_view>,
    std::array<bool, 2>);
Tensor picked(const Tensor&, const c10::List<std::optional<Tensor>>&, const Tensor&);
Tensor piled(at::TensorList, int64_t);
std::vector<Tensor> cut(const Tensor&, size_t);
}
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("odd")
    (folder / "native_functions.yaml").write_text(ODD)
    (folder / "derivatives.yaml").write_text(FORMULAS.replace(" * self.scalar_type()", ""))
    (folder / "kernels").mkdir()
    (folder / "kernels" / "odd_formulas.h").write_text(HEADER)
    return folder


def generate(project: Path, out: Path, *more: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "opgen", "generate", str(project), "--name", "odd", "--out", str(out)]
    command += ["--kernels", str(project / "kernels"), "--missing-kernels", "stub", *more]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "cli")}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def compiled(tree: Path) -> str:
    """Returns the compiler's output for the files with formulas; empty if they compile."""
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if compiler is None:
        pytest.skip("needs a C++ compiler")
    said = ""
    for file in sorted((tree / "src").glob("autograd_*.cpp")):
        flags = ["-std=c++20", "-fsyntax-only", "-Wall", "-Werror", "-Wno-attributes", "-Wno-unknown-pragmas"]
        command = [compiler, *flags, "-DC10_BUILDING_LIBRARY", f"-I{tree}/include/odd", str(file)]
        said += subprocess.run(command, capture_output=True, text=True, check=False).stderr
    return said


@pytest.mark.slow
def test_whatever_formulas_keep_compiles(project, tmp_path):
    done = generate(project, tmp_path / "tree")
    assert done.returncode == 0, done.stderr
    assert compiled(tmp_path / "tree") == ""


WRONG = {
    "grad_high * self\n": "grad_high.no_such_method(self)\n",
    "self_t * other_p + other_t\n": "self_t * no_such_function(other_p)\n",
    '"isDifferentiableType(dtype)"': '"no_such_type(dtype)"',
    "mixed(grad, self,": "mixed(no_such_helper(grad), self,",
}


@pytest.mark.slow
def test_a_formula_that_does_not_compile_is_reported_at_its_line(project, tmp_path):
    copy, tree = shutil.copytree(project, tmp_path / "project"), tmp_path / "tree"
    file = copy / "derivatives.yaml"
    text = file.read_text()
    for right, wrong in WRONG.items():
        text = text.replace(right, wrong)
    file.write_text(text)
    done = generate(copy, tree)
    assert done.returncode == 0, done.stderr
    said = explain(compiled(tree), tree, Origins({"derivatives.yaml": file}))
    errors = re.findall(r"^(\S+): error: .*(no_such_\w+)", said, re.MULTILINE)
    lines = enumerate(file.read_text().splitlines(), 1)
    expected = {(f"{file}:{n}", found[0]) for n, t in lines if (found := re.findall(r"no_such_\w+", t))}
    assert len(expected) == len(WRONG) and set(errors) == expected


def test_formulas_come_from_the_file_that_is_named(project, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text("- name: mine::twice(Tensor self) -> Tensor\n  self: grad + grad\n")
    tree = tmp_path / "tree"
    assert generate(project, tree, "--derivatives", str(other)).returncode == 0
    places = json.loads((tree / "sources.json").read_text())["formulas"]
    assert places["TwiceBackward0: self"] == "other.yaml:2" and not [m for m in places if "Soften" in m]
    other.write_text(other.read_text().replace("grad + grad", "grad * 2"))
    changed = generate(project, tree, "--derivatives", str(other))
    assert changed.returncode == 0 and "up to date" not in changed.stdout


def test_faults_of_formulas_are_told_before_anything_is_written(project, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text("- name: mine::twice(Tensor self) -> Tensor\n  self: grad * selv\n")
    done = generate(project, tmp_path / "tree", "--derivatives", str(other))
    assert done.returncode == 1 and f"{other}:2:" in done.stderr and not (tmp_path / "tree").exists()


def test_an_extension_has_the_kernels_of_its_operators(tmp_path):
    (tmp_path / "native_functions.yaml").write_text(ODD[ODD.index("- func: mine::twice") :])
    (tmp_path / "derivatives.yaml").write_text(FORMULAS[FORMULAS.index("- name: mine::twice") :])
    (tmp_path / "kernels").mkdir()
    tree = tmp_path / "tree"
    done = generate(tmp_path, tree, "--extend", "aten")
    assert done.returncode == 0, done.stderr
    text = (tree / "src" / "autograd_0.cpp").read_text()
    assert "struct TwiceBackward0 final" in text and "#include <ATen/native/formulas.h>" in text
    assert not (tree / "include" / "odd" / "ATen" / "native" / "formulas").exists()  # in the library
    operators = (tree / "src" / "operators_0.cpp").read_text()
    assert (
        "{c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_mine_twice)}"
        in operators
    )


@pytest.fixture(scope="module")
def shipped():
    program, report = pipeline.load(locate.share() / "schemas")
    assert not report.failed
    return program


def test_a_selection_takes_what_its_formulas_call(shipped):
    """It has operators that formulas call as functions or methods, and files of functions."""
    own = sources.runtime_sources(locate.share(), "aten")
    helpers = {name: s.origin for s in own for name in s.helpers}
    called = {"log_softmax_jvp", "softmax_jvp"} & helpers.keys()
    assert called
    base = selection.roots(shipped, selection.base_operators(locate.share() / "schemas"))
    small = selection.select(shipped, shipped, own, base)
    more = selection.select(
        shipped, shipped, own, base | selection.roots(shipped, ["_softmax", "tanh", "sigmoid"])
    )
    taken = {s.origin for s in more.sources}
    assert {helpers[name] for name in called} <= taken
    assert not {helpers[name] for name in called} & {s.origin for s in small.sources}
    bases = {str(names.base(f)) for f in more.program.functions}
    assert {"_softmax_backward_data", "tanh_backward", "sigmoid_backward"} <= bases
    assert more.program.derivatives is not None and "tanh" in more.program.derivatives.of


def test_an_operator_of_ones_own_takes_no_shipped_formula(shipped, tmp_path):
    (tmp_path / "native_functions.yaml").write_text(
        "- func: tanh(Tensor self) -> Tensor\n  dispatch:\n    CPU: my_tanh\n"
    )
    own, _ = pipeline.load(tmp_path)
    merged = selection.merged(own, shipped)
    kernels = {one.function.qualified_name: one for one in autograd.differentiated(merged)}
    assert kernels["tanh"].entry is None and kernels["sigmoid"].entry is not None
    assert kernels["sigmoid_"].entry is kernels["sigmoid"].entry


def test_kernels_are_where_pytorch_has_them():
    """Compares all operators of PyTorch's files with its dispatcher, which has no kernels for operators that
    don't return what they write, and boxed ones for those without tensors.
    """
    torch = pytest.importorskip("torch")
    file = pytorch_yaml()
    formulas = file.parents[2] / "autograd" / "derivatives.yaml"
    program, _ = pipeline.load(file, derivatives_file=formulas, checked=False)
    ours: dict[str, set[str]] = {}
    for row in autograd.rows(autograd.differentiated(program)):
        ours.setdefault(row.function.qualified_name, set()).add(str(row.key))
    compared, differences = 0, []
    for function in program.functions:
        for key in ("ADInplaceOrView", "Autograd"):
            try:
                theirs = torch._C._dispatch_has_kernel_for_dispatch_key(
                    f"aten::{function.qualified_name}", key
                )
            except RuntimeError:
                continue  # an operator of another release
            compared += 1
            if theirs != (key in ours.get(function.qualified_name, ())) and not _explained(
                function, key, theirs
            ):
                differences.append((function.qualified_name, key, theirs))
    assert compared > 6000
    assert {name for name, *_ in differences} <= {
        "_sparse_broadcast_to",
        "lift_fresh",
        "detach_",
    } | DECOMPOSED


# Implicit composites in PyTorch, like their functional forms; here all out= forms are alike.
DECOMPOSED = {
    "avg_pool1d.out",
    "adaptive_avg_pool1d.out",
    "upsample_bilinear2d.vec_out",
    "upsample_nearest2d.vec_out",
    "_test_autograd_multiple_dispatch.ntonly",
}


def _explained(function, key: str, theirs: bool) -> bool:
    if theirs:
        return key == "Autograd" and not any(a.type.is_tensor_like() for a in function.schema.arguments.all)
    returned = {name for name in function.schema.aliased_return_names() if name}
    return key == "ADInplaceOrView" and any(
        a.name not in returned for a in function.schema.written_arguments()
    )
