"""examples/quadratic, built as an extension of the installed aten and, with the operators of own/, as a
library, all in one process. Attributes of entries that only a library can show are tested here, too.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from building import ROOT, build, needs_aten, run
from compilers import unoptimised

EXAMPLE = ROOT / "examples" / "quadratic"
KERNELS = EXAMPLE / "kernels"
OWN = "quadratic_own"
MORE = Path(__file__).parent / "own"

TOGETHER = """
import importlib, sys
first, *rest = sys.argv[1:]
modules = {name: importlib.import_module(name) for name in (first, *rest)}
aten, quadratic, own = (modules[n] for n in ("aten", "quadratic", "quadratic_own"))
values = [[0.0, 0.25], [0.5, 2.0]]
joined = quadratic.ops.quadratic.rms_normalize(aten.tensor(values), -1)
alone = own.ops.quadratic.rms_normalize(own.tensor(values), -1)
assert joined.tolist() == alone.tolist()
assert aten.ops.quadratic.smoothstep(aten.tensor(values)).tolist() == [[0.0, 0.15625], [0.5, 1.0]]
assert type(joined) is aten.Tensor and type(alone) is own.Tensor and type(joined) is not type(alone)
foreign = own.tensor(values)
for call in (
    lambda: quadratic.ops.quadratic.smoothstep(foreign),
    lambda: quadratic.ops.quadratic.smoothstep.default(foreign),
    lambda: quadratic.ops.quadratic.smoothstep(aten.tensor(values), out=foreign),
    lambda: aten.add(aten.tensor(values), foreign),
    lambda: aten.tensor(values).mul_(foreign),
    lambda: aten.cat([foreign, foreign]),
    lambda: own.ops.aten.clone(aten.tensor(values)),
):
    try:
        call()
    except TypeError as error:
        assert "of another library" in str(error), error
        assert "from_dlpack()" in str(error) and "DLPack" in str(error), error
    else:
        raise AssertionError("a tensor of another library was taken")
assert aten.from_dlpack(alone).tolist() == alone.tolist()
if "torch" in modules:
    torch = modules["torch"]
    wanted = torch.tensor(values) / (torch.tensor(values).square().mean(-1, keepdim=True).sqrt() + 1e-6)
    assert torch.allclose(torch.from_dlpack(joined), wanted, atol=1e-6)
print("ok")
"""


@pytest.fixture(scope="session")
def extension(once) -> Path:
    needs_aten()
    return once("projects", lambda folder: build(folder, EXAMPLE, "quadratic", [KERNELS], "--extend", "aten"))


@pytest.fixture(scope="session")
def own(once) -> Path:
    """Returns a folder with the extension and the library."""
    needs_aten()
    return once("all-projects", build_all)


def build_all(folder: Path) -> None:
    build(folder, EXAMPLE, "quadratic", [KERNELS], "--extend", "aten")
    project = folder / "project"
    project.mkdir()
    parts = [part / "native_functions.yaml" for part in (EXAMPLE, MORE)]
    text = "\n".join(part.read_text(encoding="utf-8") for part in parts)
    (project / "native_functions.yaml").write_text(text, encoding="utf-8")
    # The compiler below calls the compile cache itself, which would not know such a compiler.
    options = ("--cpu-capabilities", "default", "--launcher", "none")
    kernels = [KERNELS, MORE / "kernels"]
    done = build(folder, project, OWN, kernels, *options, CXX=str(unoptimised(folder)))
    (folder / "said").write_text(done.stderr, encoding="utf-8")


def test_the_licence_is_installed(extension: Path) -> None:
    installed = extension / "build" / "quadratic" / "stage" / "share" / "licenses" / "quadratic" / "LICENSE"
    assert installed.read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_extension(extension):
    run(extension, "-m", "pytest", "-q", str(EXAMPLE / "tests"))
    again = build(extension, EXAMPLE, "quadratic", [KERNELS], "--extend", "aten")
    assert "up to date" in again.stderr and "nothing to compile" in again.stderr


def test_the_program_of_the_readme_runs(extension):
    """In the words of the README's only block of Python."""
    _, block, *others = (EXAMPLE / "README.md").read_text(encoding="utf-8").split("```python\n")
    assert not others
    run(extension, "-c", block.partition("```")[0])


def test_dir_lists_no_imports(extension):
    listed = run(extension, "-c", "import quadratic; print(*dir(quadratic))").split()
    assert "ops" in listed and not {"aten", "ctypes", "pathlib"} & set(listed)


def test_extension_has_no_runtime(extension):
    files = [f for f in (extension / "generated" / "quadratic").rglob("*.cpp") if "src/core" in str(f)]
    assert not files
    assert (extension / "site/quadratic/lib/libquadratic.so").stat().st_size < 2 << 20


@pytest.mark.slow
def test_library_of_its_own_beside_the_others(own):
    program = own / "together.py"
    program.write_text(TOGETHER)
    names = ["aten", "quadratic", OWN]
    if importlib.util.find_spec("torch") is not None:
        run(own, str(program), "torch", *names)
        run(own, str(program), *reversed(names), "torch")
    run(own, str(program), *names)
    run(own, str(program), *reversed(names))


@pytest.mark.slow
def test_one_copy_of_the_vectorised_kernels(own):
    """It is built with one copy; the other tests run it."""
    steps = (own / "build" / OWN / "build.ninja").read_text(encoding="utf-8")
    assert "/simd_default.dir/" in steps and "/simd_avx2.dir/" not in steps


def answer(own: Path, expression: str) -> str:
    return run(own, "-c", f"import {OWN} as own\nx = own.ones(2)\nprint({expression})").strip()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("halved", ["own.Tensor"]),
        ("thirded", ["own"]),
        ("doubled", ["own", "own.Tensor"]),
        ("quartered", ["own.linalg"]),
        ("fifthed", ["own.special"]),
        ("half_forward", []),
    ],
)
def test_variants_and_module_say_where_an_operator_is(own, name, places):
    everywhere = ("own", "own.Tensor", "own.linalg", "own.special", "own.fft", "own.nn.functional")
    found = answer(own, f"[p for p in {everywhere} if hasattr(eval(p), '{name}')]")
    assert found == str(places)


@pytest.mark.slow
def test_they_compute(own):
    calls = "x.halved(), own.doubled(x), own.linalg.quartered(x), own.ops.aten.half_forward(x)"
    assert answer(own, f"[t[0].item() for t in ({calls})]") == "[0.5, 2.0, 0.25, 0.5]"


@pytest.mark.slow
def test_a_factory_by_category_takes_what_factories_take(own):
    assert answer(own, "own.spread(x, requires_grad=True).requires_grad") == "True"
    program = f"import {OWN} as own, pytest\nx = own.ones(1)\n"
    run(own, "-c", program + "with pytest.raises(TypeError): own.unspread(x, requires_grad=True)")


@pytest.mark.slow
def test_the_build_says_which_operator_python_lacks(own):
    said = (own / "said").read_text(encoding="utf-8")
    assert "'half_forward' gets no Python function" in said and "ops.aten.half_forward" in said
