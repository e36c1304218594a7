"""The message of a build when the linker misses a kernel that is defined with other parameters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from opgen.build import signatures
from opgen.build.driver import Product, build
from opgen.build.failures import Origins
from opgen.build.run import BuildOptions
from opgen.build.toolchain import Toolchain, ToolchainError
from opgen.explain.kernel_index import KernelIndex

CMAKE = """
cmake_minimum_required(VERSION 3.18)
project(tiny LANGUAGES CXX)
add_library(tiny SHARED src/registry.cpp src/user/two.cpp)
target_include_directories(tiny PRIVATE include/tiny)
target_link_options(tiny PRIVATE -Wl,-z,defs)
"""
HEADER = """
#include <cstdint>
#define TORCH_API
namespace at::inline tiny_v1 { struct Tensor {}; }
namespace at::inline tiny_v1::native {
TORCH_API at::Tensor two(const at::Tensor & self, int64_t dim, double eps=1e-6);
}
"""
REGISTRY = """
#include <ATen/ops/two_native.h>
at::Tensor registered(const at::Tensor& self) { return at::native::two(self, 1); }
"""


def product(folder: Path, kernel: str) -> Product:
    """A generated tree whose registry calls `two`, with the text of a kernel file."""
    tree = folder / "tree"
    files = {
        tree / "CMakeLists.txt": CMAKE,
        tree / "include/tiny/ATen/ops/two_native.h": HEADER,
        tree / "src/registry.cpp": REGISTRY,
        tree / "src/user/two.cpp": kernel,
        folder / "my/kernels/two.cpp": kernel,
        tree / "sources.json": json.dumps(
            {
                "files": {"src/user/two.cpp": "kernels/two.cpp"},
                "kernels": {"at::native::two": "native_functions.yaml:7"},
            }
        ),
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    origins = Origins({"native_functions.yaml": Path("my/native_functions.yaml")})
    return Product("tiny", "1.0", tree, None, origins, KernelIndex([Path("my/kernels")]).function)


def failure(folder: Path, kernel: str) -> list[str]:
    """Returns the message before the linker's own."""
    try:
        tools = Toolchain.find("cpu")
    except ToolchainError as error:
        pytest.skip(str(error))
    with pytest.raises(ToolchainError) as caught:
        build(product(folder, kernel), folder / "build", tools, BuildOptions(python=False), install=False)
    return str(caught.value).partition("\ndefine it")[0].splitlines()


@pytest.fixture(autouse=True)
def inside(tmp_path, monkeypatch):
    (tmp_path / "my" / "kernels").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)


WRONG_TYPE = """#include <ATen/ops/two_native.h>

namespace at::native {

// int two(int) would be another.
Tensor two(const Tensor& self, int dim,
           double eps) {
  return self;
}

}
"""


def test_a_kernel_with_another_type(tmp_path):
    (tmp_path / "my/kernels/two.cpp").write_text(WRONG_TYPE)
    assert failure(tmp_path, WRONG_TYPE) == [
        "my/native_functions.yaml:7: error: kernel at::native::two is declared here "
        "but nothing that is defined has its signature",
        "  expected  at::Tensor two(const at::Tensor & self, int64_t dim, double eps)",
        "  found     Tensor two(const Tensor& self, int dim, double eps)  (my/kernels/two.cpp:6)",
    ]


def test_a_kernel_in_another_namespace(tmp_path):
    text = WRONG_TYPE.replace("int dim", "int64_t dim").replace("at::native {", "mine {\nusing at::Tensor;")
    (tmp_path / "my/kernels/two.cpp").write_text(text)
    assert failure(tmp_path, text)[-2:] == [
        "  found     Tensor two(const Tensor& self, int64_t dim, double eps)  (my/kernels/two.cpp:7)",
        "            with the right types: is it in namespace at::native, and not static?",
    ]


def test_a_kernel_that_is_not_written(tmp_path):
    text = WRONG_TYPE.replace("two(const", "three(const")
    (tmp_path / "my/kernels/two.cpp").write_text(text)
    assert failure(tmp_path, text) == [
        "my/native_functions.yaml:7: error: kernel at::native::two is declared here but defined nowhere"
    ]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("f(const at::Tensor & self, int64_t n)", "f(const Tensor& x, int64_t)", True),
        ("f(const at::Tensor & self, int64_t n)", "f(const Tensor& x, int64_t y)", True),
        ("f(at::Tensor a, bool b=true)", "f(Tensor a, bool b)", True),
        ("f(::std::optional<at::Scalar> a)", "f(std::optional<Scalar> a)", True),
        ("f(::std::array<bool,2> a)", "f(std::array<bool, 2> a)", True),
        ("f(at::IntArrayRef a={0, 1}, int64_t b=1)", "f(IntArrayRef a, int64_t b)", True),
        ('f(c10::string_view a="x, y")', "f(c10::string_view a)", True),
        ("f(const at::Tensor & self)", "f(at::Tensor & self)", False),
        ("f(int64_t a, int64_t b)", "f(int64_t a)", False),
    ],
)
def test_types(one, other, same):
    assert (signatures.types(one) == signatures.types(other)) is same
