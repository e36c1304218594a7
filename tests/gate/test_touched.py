"""What a day's changes touch, in a repository of two subjects."""

from __future__ import annotations

from pathlib import Path

import pytest
from gate import touched
from gate.repositories import commit, repository
from gate.touched import Touched

SECTION = "# -------------------- "
ENTRIES = f"""{SECTION}Shape
- func: roll(Tensor self) -> Tensor

{SECTION}Loss
- func: huber_loss(Tensor self) -> Tensor
- func: mse_loss(Tensor self) -> Tensor
"""
FILES = {
    "ops/shape/roll.cpp": "",
    "ops/loss/huber_loss.cpp": "",
    "cuda/Loops.cuh": "",
    "cuda/Ufunc.cuh": "#include <ATen/native/cuda/Loops.cuh>\n",
    "cuda/loss/huber_loss.cu": "#include <ATen/native/cuda/Ufunc.cuh>\n",
    "cuda/loss/mse_loss.cu": "",
    "schemas/native_functions.yaml": ENTRIES,
    "tests/ops/samples/loss.py": 'unary("mse_loss", f)\nunary("huber_loss", g)\n',
    "cli/opgen/check/names.py": "",
    "python/aten/optim/adam.py": "",
    "python/aten/_tensor.py": "",
    "tests/optim/test_adam.py": "",
    "core/c10/Scalar.h": "",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    commit(repository(tmp_path), FILES, day=1)
    return tmp_path


def after(root: Path, file: str, text: str = "changed\n") -> Touched:
    commit(root, {file: text}, day=5)
    return touched.touched(root)[0]


@pytest.mark.parametrize("file", ["cuda/Loops.cuh", "cuda/Ufunc.cuh", "cuda/loss/huber_loss.cu"])
def test_what_nvcc_compiles(root, file):
    what = after(root, file)
    compiles = "tests/nvcc/test_nvcc.py::test_compiles"
    assert what.emulated and what.has(f"{compiles}[cuda/loss/huber_loss.cu]")
    assert not what.has(f"{compiles}[cuda/loss/mse_loss.cu]")


@pytest.mark.parametrize(
    ("file", "part"),
    [
        ("ops/loss/huber_loss.cpp", "loss"),
        ("cuda/loss/huber_loss.cu", "loss"),
        ("core/ATen/Parallel.cpp", "core/ATen"),
        ("python/bindings/module.cpp", "python/bindings"),
    ],
)
def test_the_style_of_what_changed_is_checked(root, file, part):
    what = after(root, file)
    style = "tests/tidy/test_tidy.py::test_follows_the_style"
    assert what.has(f"{style}[{part}]") and not what.has(f"{style}[views]")


def test_what_reads_the_style(root):
    what = after(root, ".clang-tidy")
    assert what.has("tests/tidy/test_tidy.py::test_lapse_is_found[x]")
    assert what.has("tests/integration/test_compile_commands_work.py::test_clangd_finds_no_fault[ops]")
    assert not what.has("tests/integration/test_compile_commands_work.py::test_headers[ops]")


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("ops/loss/huber_loss.cpp", "changed"),
        ("cuda/loss/huber_loss.cu", "changed"),
        ("schemas/native_functions.yaml", ENTRIES.replace("huber_loss(Tensor self)", "huber_loss(Tensor x)")),
        ("tests/ops/samples/loss.py", 'unary("mse_loss", f)\nunary("huber_loss", h)\n'),
    ],
)
def test_all_tests_of_a_subject(root, file, text):
    what = after(root, file, text)
    assert what.has("tests/ops/test_samples.py::test_sample[mse_loss-float32-out]")
    assert what.has("tests/ops/pytorch/test_opinfo.py::test_values[nn.functional.huber_loss-float32]")
    assert what.has("tests/ops/test_samples.py::test_sample[huber_loss_-float32-inplace]")
    assert not what.has("tests/ops/test_samples.py::test_sample[roll-float32-out]")
    assert not what.has("tests/cli/validate/test_names.py::test_names")
    assert what.emulated == file.startswith("cuda/")


@pytest.mark.parametrize(
    ("file", "test"),
    [
        ("cli/opgen/check/names.py", "tests/cli/validate/test_names.py::test_names"),
        ("python/aten/optim/adam.py", "tests/optim/test_adam.py::test_step"),
        ("python/aten/_tensor.py", "tests/python/test_tensor.py::test_size"),
        ("tests/optim/test_adam.py", "tests/optim/test_adam.py::test_step"),
        ("core/c10/Scalar.h", "tests/integration/test_standalone.py::test_it"),
    ],
)
def test_the_tests_that_mirror_a_file(root, file, test):
    what = after(root, file)
    assert what.has(test)
    assert not what.has("tests/ops/test_samples.py::test_sample[mse_loss-float32-out]")
    assert what.emulated == file.startswith("core/")


def test_a_day_ends_with_the_last_commit(root):
    commit(root, {"ops/shape/roll.cpp": "older"}, day=3)
    assert after(root, "ops/loss/huber_loss.cpp").subjects == {"loss"}


def test_without_a_repository_nothing_is_touched(tmp_path):
    assert str(touched.touched(tmp_path)[0]) == "nothing"
