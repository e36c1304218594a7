"""The effect of `--backend` on `generate` and `build`, also of an extension."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from opgen import locate
from opgen.build import driver, installed, machine
from opgen.build.failures import Origins
from opgen.build.toolchain import Toolchain, ToolchainError
from opgen.commands import run

EXTENSION = """
- func: ns::halve(Tensor self) -> Tensor
  dispatch:
    CPU: halve_cpu
    CUDA: halve_cuda
- func: ns::both(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: both
- func: ns::host_only(Tensor self) -> Tensor
  dispatch:
    CPU: host_only
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch) -> Path:
    """A folder configured for a small library; `opgen build` generates it but compiles nothing."""
    try:
        Toolchain.find("cpu")
    except ToolchainError as error:
        pytest.skip(str(error))
    schemas = locate.share() / "schemas"
    text = f'schemas = "{schemas}"\nname = "small"\nops = ["relu"]\nout = "tree"\n'
    (tmp_path / "opgen.toml").write_text(text)
    nvcc = tmp_path / "nvcc"
    nvcc.write_text("")
    monkeypatch.setenv("CUDACXX", str(nvcc))
    monkeypatch.setattr(machine, "has_nvidia_gpu", lambda: True)
    monkeypatch.setattr(driver, "build", lambda *arguments, **options: 0)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def has_cuda(folder: Path) -> bool:
    return (folder / "tree" / "cuda" / "CMakeLists.txt").is_file()


def configure(folder: Path, line: str) -> None:
    with (folder / "opgen.toml").open("a") as file:
        file.write(line)


@pytest.mark.parametrize(("backend", "cuda"), [("auto", True), ("cuda", True), ("cpu", False)])
def test_generate_keeps_what_build_has_made(library, capsys, backend, cuda):
    assert run(["build", "--backend", backend]) == 0
    assert has_cuda(library) is cuda
    assert run(["generate", "--backend", backend, "--check"]) == 0
    assert run(["generate", "--backend", backend]) == 0
    assert "up to date" in capsys.readouterr().out and has_cuda(library) is cuda


def test_without_a_gpu_auto_builds_no_cuda(library, monkeypatch):
    monkeypatch.setattr(machine, "has_nvidia_gpu", lambda: False)
    assert run(["build"]) == 0 and not has_cuda(library)


def test_both_read_the_backend_of_the_configuration(library):
    configure(library, 'backend = "cpu"\n')
    assert run(["generate"]) == 0 and not has_cuda(library)
    assert run(["build"]) == 0 and not has_cuda(library)
    assert run(["generate", "--backend", "cuda", "--check"]) == 1
    assert run(["generate", "--backend", "cuda"]) == 0 and has_cuda(library)


def test_generate_needs_no_nvcc(library, monkeypatch):
    monkeypatch.setattr("opgen.build.toolchain.find_nvcc", lambda: None)
    assert run(["generate"]) == 0 and not has_cuda(library)
    assert run(["generate", "--backend", "cuda"]) == 0 and has_cuda(library)
    assert run(["build", "--backend", "cuda"]) == 4


@pytest.fixture
def extension(library: Path) -> Path:
    (library / "native_functions.yaml").write_text(EXTENSION)
    (library / "opgen.toml").write_text(
        'schemas = "native_functions.yaml"\nname = "ns"\nextend = "aten"\nout = "tree"\n'
    )
    return library


def has_cuda_kernels(folder: Path) -> bool:
    listed = (folder / "tree" / "cmake" / "library.cmake").read_text()
    return "src/cuda_table.cpp" in listed and (folder / "tree" / "src" / "device_libraries.cpp").is_file()


@pytest.fixture
def half(extension: Path, monkeypatch) -> Callable[[bool], None]:
    """Sets whether the installed library has its CUDA half."""

    def install(cuda: bool) -> None:
        package = extension / "installed" / "aten"
        (package / "lib").mkdir(parents=True, exist_ok=True)
        library = package / "lib" / "libaten_cuda.so"
        library.touch() if cuda else library.unlink(missing_ok=True)
        monkeypatch.setattr(installed, "package", lambda name: package)
        monkeypatch.setattr(installed, "operators", lambda name: frozenset())

    return install


@pytest.mark.parametrize(("cuda", "backend", "expected"), [
    (True, "auto", True), (True, "cpu", False), (True, "cuda", True), (False, "auto", False),
])  # fmt: skip
def test_an_extension_has_cuda_where_its_library_has(extension, half, cuda, backend, expected):
    half(cuda)
    assert run(["build", "--backend", backend]) == 0
    assert has_cuda_kernels(extension) is expected
    assert run(["generate", "--backend", backend, "--check"]) == 0


def test_an_extension_for_cuda_needs_a_library_with_it(extension, half, capsys):
    half(False)
    assert run(["build", "--backend", "cuda"]) == 2
    assert "library aten that this extends is installed without CUDA" in capsys.readouterr().err
    assert not (extension / "tree").exists()
    assert run(["generate", "--backend", "cuda"]) == 0 and has_cuda_kernels(extension)


def test_without_kernels_for_cuda_there_is_no_library_of_them(extension, half):
    half(True)
    (extension / "native_functions.yaml").write_text(EXTENSION[EXTENSION.index("- func: ns::host_only") :])
    assert run(["build", "--backend", "cuda"]) == 0 and not has_cuda_kernels(extension)


@pytest.mark.parametrize(
    ("cuda", "help"),
    [
        (True, ": --backend cuda compiles them"),
        (False, ": the installed aten has none; once it is built with --backend cuda, so are they"),
    ],
)
def test_an_extension_names_the_operators_that_get_no_cuda_kernel(extension, half, cuda, help):
    half(cuda)
    assert run(["build", "--backend", "cpu"]) == 0
    origins = Origins({"native_functions.yaml": Path("native_functions.yaml")})
    said = driver.without_cuda(driver.Product("ns", "1", extension / "tree", "aten", origins))
    names = "ns::both (native_functions.yaml:6), ns::halve (native_functions.yaml:2)"
    assert said == f"without CUDA kernels for {names}{help}"
    assert "host_only" not in said


def test_nothing_is_said_where_no_cuda_kernel_is_declared(extension):
    (extension / "native_functions.yaml").write_text(EXTENSION[EXTENSION.index("- func: ns::host_only") :])
    assert run(["build"]) == 0
    assert driver.without_cuda(driver.Product("ns", "1", extension / "tree", "aten")) == ""


def test_an_extension_for_the_cpu_is_compiled_without_nvcc(extension, half, monkeypatch):
    half(False)
    used = []
    monkeypatch.setattr(driver, "build", lambda product, build, tools, *rest, **more: used.append(tools))
    run(["build"])
    assert used and used[0].nvcc is None
