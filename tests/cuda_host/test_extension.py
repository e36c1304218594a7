"""An extension with CUDA kernels: run on the emulated device, and compiled by nvcc where it is."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import build_rules
import host
import pytest
from opgen.build import toolchain

EXTENSION = host.HERE / "extension"
NAME = "halving"


def opgen(command: str, folder: Path, *options: str) -> None:
    arguments = [sys.executable, "-m", "opgen", command, str(EXTENSION / "native_functions.yaml")]
    arguments += ["--kernels", str(EXTENSION / "kernels"), "--extend", "aten", "--name", NAME, *options]
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]


def sources(tree: Path, group: str) -> list[str]:
    """Returns a list of the tree's CMake files."""
    listed = re.search(
        rf"set\(SOURCES_{group}\n(.*?)\)", (tree / "cmake/library.cmake").read_text(), re.DOTALL
    )
    assert listed is not None
    return listed[1].split()


def compiled(tree: Path, build: Path, source: str, *flags: str) -> Path:
    """Compiles a source with g++; a `.cu` file for the emulated device."""
    file, made = tree / source, build / f"{source.replace('/', '_')}.o"
    how = ["-O1", *flags]
    if source.endswith(".cu"):
        file = made.with_suffix(".cpp")
        run(sys.executable, build_rules.EMULATOR / "translate.py", tree / source, file, source)
        how = [*build_rules.DEVICE_FLAGS]
    # An extension doesn't export the library's symbols.
    includes = [word for word in build_rules.INCLUDES if word != "-DC10_BUILDING_LIBRARY"]
    own = [f"-I{tree}/include/{NAME}", f"-I{tree}/src"]
    run("g++", *build_rules.FLAGS, *how, *own, *includes, "-c", file, "-o", made)
    return made


def libraries(tree: Path, build: Path) -> Iterator[Path]:
    """Builds the extension's library, and that of its CUDA kernels for the emulated device."""
    capability = "-DHAVE_DEFAULT_CPU_DEFINITION"
    simd = ("-DCPU_CAPABILITY=DEFAULT", "-DCPU_CAPABILITY_DEFAULT")
    objects = [compiled(tree, build, s, capability) for g in ("GLUE", "CPU") for s in sources(tree, g)]
    objects += [compiled(tree, build, s, capability, *simd) for s in sources(tree, "SIMD")]
    library, package = build / f"lib{NAME}.so", host.OUT / "exact" / "aten"
    run(
        "g++", "-shared", *objects, "-o", library, f"-Wl,-soname,{library.name}", f"-L{package}/lib", "-laten"
    )
    yield library
    objects = [compiled(tree, build, s) for s in sources(tree, "CUDA")]
    target = build / f"lib{NAME}_cuda.so"
    flags = [*build_rules.link_flags(package), "-laten_cuda", f"-L{build}", f"-l{NAME}"]
    run("g++", "-shared", *objects, "-o", target, f"-Wl,-soname,{target.name}", *flags)
    yield target


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """A folder with the extension's package, for the emulated device."""
    if not host.is_built():
        pytest.skip("build/cuda_host is not built")
    folder = tmp_path_factory.mktemp("extension")
    tree, build, package = folder / "tree", folder / "build", folder / "site" / NAME
    opgen("generate", folder, "--backend", "cuda", "--out", str(tree))
    build.mkdir()
    shutil.copytree(tree / "python" / NAME, package)
    (package / "lib").mkdir()
    for file in libraries(tree, build):
        shutil.copy2(file, package / "lib")
    return package.parent


CALLS = """
ops = aten.ops.halving
x = aten.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).to("cuda")
for got, expected in (
    (ops.halve(x), [[0.5, 1.0, 1.5], [2.0, 2.5, 3.0]]),
    (ops.halve(x.t()), [[0.5, 2.0], [1.0, 2.5], [1.5, 3.0]]),
    (ops.quarter(x[0]), [0.25, 0.5, 0.75]),
    (ops.mean_with(x, x[:1] * 3), [[2.0, 4.0, 6.0], [3.5, 5.5, 7.5]]),
):
    assert got.device.type == "cuda" and got.tolist() == expected, got
try:
    ops.halve(x.double())
except RuntimeError as error:
    assert "halving.halve" in str(error) and "expected a float tensor" in str(error), error
else:
    raise AssertionError("a double tensor was taken")
"""
BEFORE_AND_AFTER = {
    "imported before CUDA is used": f"import aten, {NAME}\n{CALLS}",
    "imported after it": f"import aten\naten.ones(1, device='cuda')\nimport {NAME}\n{CALLS}",
}


@pytest.mark.parametrize("when", BEFORE_AND_AFTER)
def test_kernels_run_on_the_emulated_device(site, when):
    outcome = host.run(f"import sys; sys.path.append({str(site)!r})\n{BEFORE_AND_AFTER[when]}")
    assert outcome.returncode == 0, outcome.stderr
    assert host.unreviewed(outcome.reports) == []


def test_kernels_that_cannot_be_loaded_give_a_warning(site, tmp_path):
    shutil.copytree(site, tmp_path / "site")
    (tmp_path / "site" / NAME / "lib" / f"lib{NAME}_cuda.so").write_bytes(b"not a library")
    program = f"""
import sys; sys.path.append({str(tmp_path / "site")!r})
import aten, {NAME}
assert aten.ops.halving.halve(aten.ones(2)).tolist() == [0.5, 0.5]
try:
    aten.ops.halving.halve(aten.ones(2, device="cuda"))
except NotImplementedError as error:
    print(error)
"""
    outcome = host.run(program)
    assert outcome.returncode == 0, outcome.stderr
    assert "kernels of an extension can't be loaded" in outcome.stderr
    assert "halving::halve" in outcome.stdout and "CUDA" in outcome.stdout


WITH_CUDA = Path(sysconfig.get_path("purelib")) / "aten" / "lib" / "libaten_cuda.so"


@pytest.mark.skipif(toolchain.find_nvcc() is None, reason="there is no nvcc")
@pytest.mark.skipif(not WITH_CUDA.is_file(), reason="aten is installed without CUDA")
def test_nvcc_compiles_it(tmp_path, monkeypatch):
    """On a machine without a GPU the package can be used on the CPU."""
    monkeypatch.delenv("PYTHONPATH", raising=False)  # the installed library, not the emulated one
    opgen("build", tmp_path, "--backend", "cuda", "--cpu-capabilities", "default")
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    shutil.unpack_archive(wheel, tmp_path / "site", "zip")
    assert (tmp_path / "site" / NAME / "lib" / f"lib{NAME}_cuda.so").is_file()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    program = f"import {NAME}, aten; print(aten.ops.halving.quarter(aten.ones(2)).tolist())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[0.25, 0.25]", done.stderr
