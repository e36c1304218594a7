"""The chain that `explain` prints, from a module to the kernels of backends, against the sources."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from opgen import pipeline
from opgen.commands import run
from opgen.explain import cpp_flow, python_layer, walk
from opgen.explain.chain import Chains
from opgen.explain.cpp_text import CppFile
from opgen.explain.kernel_index import KernelIndex

ROOT = Path(__file__).parents[3]
PLACE = re.compile(r"(?P<name>[\w.:]+)(?: is the compiled function)?  (?P<path>[\w./]+):(?P<line>\d+)")


@pytest.fixture(scope="module")
def program():
    return pipeline.load(ROOT / "schemas", checked=False)[0]


@pytest.fixture(scope="module")
def index():
    return KernelIndex([ROOT / name for name in ("ops", "cpu", "cuda")])


@pytest.fixture(scope="module")
def printed_before() -> dict[tuple[str, ...], str]:
    return {}


@pytest.fixture
def explained(monkeypatch, capsys, printed_before):
    def explain(*arguments: str) -> str:
        if arguments not in printed_before:
            monkeypatch.chdir(ROOT)
            assert run(["explain", *arguments, "--aten"]) == 0
            printed_before[arguments] = capsys.readouterr().out
        return printed_before[arguments]

    return explain


def places(text: str) -> list[tuple[str, str, int]]:
    return [(m["name"], m["path"], int(m["line"])) for m in PLACE.finditer(text)]


def source_line(path: str, line: int) -> str:
    return (ROOT / path).read_text(encoding="utf-8").splitlines()[line - 1]


def test_every_place_of_conv2d_has_the_name_in_its_line(explained):
    """A function of two lines has its name in the first; a declaration has the operator's."""
    found = places(explained("nn.Conv2d"))
    assert len(found) > 40
    for name, path, line in found:
        said = source_line(path, line)
        bare = name.split("::")[-1].removeprefix("nn.functional.").removeprefix("nn.")
        wanted = {"generated": "", "registered": "REGISTER_"}.get(bare, bare)
        if bare == "pad":
            wanted = "_compiled" if path.endswith("functional.py") else "F.pad"
        assert wanted in said, (name, path, line, said)


def test_the_chain_of_conv2d(explained):
    """The steps in order, from the class to the vectorised kernel."""
    rows = [(name, path) for name, path, _ in places(explained("nn.Conv2d"))]
    steps = [
        ("nn.Conv2d", "python/aten/nn/modules/_conv.py"),
        ("forward", "python/aten/nn/modules/_conv.py"),
        ("nn.functional.conv2d", "python/aten/nn/functional.py"),
        ("conv2d", "schemas/native_functions.yaml"),
        ("conv2d_symint", "ops/convolution/convolution.cpp"),
        ("convolution", "schemas/native_functions.yaml"),
        ("convolution", "ops/convolution/convolution.cpp"),
        ("convolution_overrideable", "schemas/native_functions.yaml"),
        ("convolution_cpu", "cpu/convolution/convolution.cpp"),
        ("conv_gather_stub", "cpu/convolution/convolution.cpp"),
        ("conv_gather", "cpu/convolution/simd/convolution.cpp"),
        ("conv_gather_by_winograd", "cpu/convolution/simd/winograd.cpp"),
        ("convolution_cuda", "cuda/convolution/convolution.cpp"),
        ("depthwise_forward_on_device", "cuda/convolution/convolution.cu"),
    ]
    at = 0
    for step in steps:
        assert step in rows[at:], step
        at += rows[at:].index(step)


def test_the_documentation_has_what_is_printed(explained):
    """But for the numbers of lines, which change."""
    text = (ROOT / "docs/reference/explain.md").read_text(encoding="utf-8")
    block = text.split("$ opgen explain nn.Conv2d --aten\n")[1].split("    ...\n")[0]
    shown, printed = (re.sub(r":\d+|_\d+\.cpp", "", rows) for rows in (block, explained("nn.Conv2d")))
    at = iter(printed.splitlines())
    assert all(row.removeprefix("    ") in at for row in shown.splitlines())


@pytest.mark.parametrize("name", ["nn.Conv2d", "torch.nn.modules.Conv2d"])
def test_names_of_a_module(explained, name):
    printed = explained(name)
    assert printed.startswith("nn.Conv2d\n")
    assert re.search(r"binding +aten\.conv2d = at::python::function_conv2d\n", printed)
    assert re.search(r"generated python/bindings/functions_\d+\.cpp", printed)
    assert "AutogradCUDA, AutogradCPU, CUDA, CPU, Meta: at::native::conv2d_symint (math kernel)" in printed


@pytest.mark.parametrize("name", ["conv2d", "F.conv2d"])
def test_names_of_an_operator_have_its_chain(explained, name):
    printed = explained(name)
    assert printed.startswith("conv2d(")
    assert "convolution_overrideable  schemas/native_functions.yaml" in printed.split("  chain\n")[1]


def test_a_function_in_python_names_its_operators(explained):
    printed = explained("nn.ReLU")
    for name, condition in (("relu_", "if inplace"), ("relu", "if not (inplace)")):
        assert f"{condition}: {name}  python/aten/nn/_activations.py:" in printed
    assert "ufunc_relu_CPU  ops/activation/functors/relu.h:" in printed


def test_choices_have_their_conditions(explained):
    printed = explained("scaled_dot_product_attention")
    for row in (
        "decides: _fused_sdp_choice  ",
        "if backend == SDPBackend::math: _scaled_dot_product_attention_math  ",
        "if backend == SDPBackend::efficient_attention: _scaled_dot_product_efficient_attention  ",
        "if query.device().type() == kCPU: _scaled_dot_product_flash_attention_for_cpu  ",
        "otherwise: _scaled_dot_product_flash_attention  ",
    ):
        assert f"\n        {row}" in printed


def test_depth_is_how_many_operators_deep(explained):
    assert "convolution_cpu" not in explained("conv2d", "--depth", "1")
    shallow, deep = explained("conv2d"), explained("conv2d", "--depth", "3")
    assert "addmm  schemas/native_functions.yaml" in shallow and "... is shown with --depth 3" in shallow
    assert "addmm_out_cpu" not in shallow and "addmm_out_cpu  cpu/matmul/mm.cpp" in deep


def test_all_expands_what_does_not_lead_to_the_result(explained):
    assert "calls add, stack, sub" in explained("conv2d")
    assert "  stack  schemas/native_functions.yaml" in explained("conv2d", "--all")


def test_every_operator_has_a_chain(program, index):
    """Nothing fails, and each kernel in the functions file that the sources define by its name is found."""
    chains = Chains(program, index)
    trees = {f.qualified_name: list(chains.lines(chains.of(f))) for f in program.functions}
    assert len(trees) > 2000
    assert max(map(len, trees.values())) < 80
    stubs = set("\n".join(row for rows in trees.values() for row in rows).split()) & chains.steps.stubs.keys()
    assert len(stubs) > 0.9 * len(chains.steps.stubs)


def test_every_module_has_its_class(program):
    package = python_layer.Package(ROOT / "python" / "aten")
    assert len(package.modules) > 140
    for name in package.modules:
        part, *_ = package.module(f"nn.{name}")
        assert f"class {name}" in part.path.read_text(encoding="utf-8").splitlines()[part.line - 1]
    found = {name: walk.Walk(f"nn.{name}", package, program).operators for name in package.modules}
    for name, operator in (("Linear", "linear"), ("BatchNorm2d", "batch_norm"), ("LazyConv2d", "conv2d")):
        assert operator in {str(f.name.name) for f in found[name]}


def test_without_the_packages_sources_no_name_is_a_module(tmp_path, program):
    package = python_layer.Package(tmp_path)
    assert not walk.Walk("nn.Conv2d", package, program) and package.modules == []


@pytest.mark.parametrize(("name", "help"), [("nn.Conv2", "nn.Conv2d"), ("nn.Relu", "nn.ReLU")])
def test_a_slip_gets_a_suggestion(monkeypatch, capsys, name, help):
    monkeypatch.chdir(ROOT)
    assert run(["explain", name, "--aten"]) == 2
    assert f"there is no operator '{name}'; did you mean '{help}'" in capsys.readouterr().err


CODE = """\
namespace at::native {
Tensor f(const Tensor& x, int64_t n = 1) {
  TORCH_CHECK(n > 0, "if (n) { at::no(x); }");  // at::no(x)
  if (n == 1) return at::one(x);
  else if (n == 2) { return at::two(x); }
  const Tensor y = n > 9 ? at::many(x) : at::few(x, {1, 2});
  switch (n) {
    case 3: return at::three(y);
    default: break;
  }
  each(n, [&](int64_t i) { if (i > 4) { at::four(y); } else at::five(y); });
  return y;
}
}
"""


def test_conditions_of_calls():
    file = CppFile(Path("f.cpp"), "", CODE)
    (body,) = file.bodies["f"]
    assert (body.line, body.takes(1), body.takes(2), body.takes(3)) == (2, True, True, False)
    statements = cpp_flow.statements(body)
    found = {c.name: c.conditions for s in statements for c in cpp_flow.calls(file, s) if c.scope == "at::"}
    assert found == {
        "one": ("if n == 1",),
        "two": ("else", "if n == 2"),
        "many": ("otherwise", "if n > 9"),
        "few": ("otherwise", "else"),
        "three": ("otherwise", "case 3"),
        "four": ("otherwise", "if i > 4"),
        "five": ("otherwise", "else"),
    }
