"""Operators are in the folders of their subjects. Messages say where a misplaced one belongs; each rule is
also tested with a small repository that has one misplaced file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import subjects
from house import ROOT

Rule = Callable[[Path], list[str]]
NATIVE = "#include <ATen/ops/{}_native.h>\n"
FUNCTIONS = """\
# -------------------- Elementwise: arithmetic

- func: add.Tensor(Tensor self, Tensor other) -> Tensor
- func: __and__.Tensor(Tensor self, Tensor other) -> Tensor

# -------------------- Activation

- func: relu(Tensor self) -> Tensor
- func: relu_(Tensor(a!) self) -> Tensor(a!)
"""
DERIVATIVES = """\
# -------------------- Activation

- name: relu(Tensor self) -> Tensor
  self: grad * (result > 0)
"""
GOOD = {
    "schemas/native_functions.yaml": FUNCTIONS,
    "schemas/derivatives.yaml": DERIVATIVES,
    "ops/elementwise/add.cpp": NATIVE.format("add") + NATIVE.format("and"),
    "ops/activation/relu.cpp": NATIVE.format("relu") + "DEFINE_DISPATCH(relu_stub);\n",
    "ops/activation/stubs.h": "DECLARE_DISPATCH(relu_fn, relu_stub)\n",
    "ops/runtime/KernelChecks.h": "",
    "cpu/activation/simd/relu.cpp": "REGISTER_DISPATCH(relu_stub, &relu_kernel)\n",
    "cpu/Loops.h": "",
    "cuda/activation/relu.cu": "REGISTER_CUDA_DISPATCH(relu_stub, &relu_kernel)\n",
    "cuda/ATen/cuda/CUDABlas.h": "",
    "core/ATen/Parallel.h": "",
}
# Rule, a file that is added or replaced, its contents, the only message.
STRAYS = {
    "a section that is no subject": (
        subjects.strange_sections, "schemas/derivatives.yaml", DERIVATIVES.replace("Activation", "Pointwise"),
        "relu is in section 'pointwise', expected one of ops/: ['activation', 'elementwise']",
    ),
    "an entry above all sections": (
        subjects.strange_sections, "schemas/derivatives.yaml", "- name: relu(Tensor self) -> Tensor\n",
        "schemas/derivatives.yaml:1: relu is in section 'none'",
    ),
    "a derivative in another section": (
        subjects.strange_sections, "schemas/derivatives.yaml",
        DERIVATIVES.replace("Activation", "Elementwise"),
        "relu is in section 'elementwise', its other entries are in 'activation': move it there",
    ),
    "an overload in another section": (
        subjects.strange_sections, "schemas/native_functions.yaml",
        FUNCTIONS + "- func: add.out(Tensor self) -> Tensor\n",
        "add is in section 'elementwise', its other entries are in 'activation'",
    ),
    "a folder of cpu that is no subject": (
        subjects.strange_folders, "cpu/pointwise/add.cpp", "", "cpu/pointwise is no subject",
    ),
    "a folder in a subject": (
        subjects.strange_folders, "cuda/activation/simd/relu.cu", "",
        "cuda/activation/simd: move its files into cuda/activation",
    ),
    "an operator in another subject": (
        subjects.strange_definitions, "ops/elementwise/aliases.cpp", NATIVE.format("relu"),
        "ops/elementwise/aliases.cpp defines relu, which is of 'activation': move it to ops/activation",
    ),
    "a kernel in another subject": (
        subjects.strange_definitions, "cpu/activation/sums.cpp", NATIVE.format("add"),
        "cpu/activation/sums.cpp defines add, which is of 'elementwise': move it to cpu/elementwise",
    ),
    "a meta function in another subject": (
        subjects.strange_definitions, "ops/activation/meta.cpp", "#include <ATen/ops/and_meta.h>\n",
        "ops/activation/meta.cpp defines and, which is of 'elementwise'",
    ),
    "a file called after what it doesn't define": (
        subjects.strange_stems, "ops/elementwise/add.cpp", NATIVE.format("and"),
        "ops/elementwise/add.cpp doesn't define add: call it after one of ['and']",
    ),
    "a file called after an operator of another subject": (
        subjects.strange_stems, "cpu/elementwise/relu.h", "",
        "is called after an operator of 'activation': move what is relu's to cpu/activation",
    ),
    "a stub's kernel in another subject": (
        subjects.strange_stubs, "cuda/elementwise/fill.cu", "REGISTER_CUDA_DISPATCH(relu_stub, &fill)\n",
        "cuda/elementwise/fill.cu: relu_stub is defined in 'activation': move what is the stub's to cuda/act",
    ),
    "a stub's declaration in another subject": (
        subjects.strange_stubs, "ops/elementwise/stubs.h", "DECLARE_DISPATCH(relu_fn, relu_stub)\n",
        "ops/elementwise/stubs.h: relu_stub is defined in 'activation'",
    ),
    "a device's structured kernel in ops": (
        subjects.strange_devices, "ops/activation/relu.cpp",
        NATIVE.format("relu") + "TORCH_IMPL_FUNC(relu_out_cpu)(const Tensor& self) {\n",
        "ops/activation/relu.cpp defines relu_out_cpu: move it to cpu/activation",
    ),
    "a device's kernel in ops": (
        subjects.strange_devices, "ops/activation/relu.cpp",
        NATIVE.format("relu") + "Tensor& relu__cuda(Tensor& self) {\n",
        "ops/activation/relu.cpp defines relu__cuda: move it to cuda/activation",
    ),
    "a name in capitals": (
        subjects.strange_names, "cpu/activation/ReluKernel.cpp", "",
        "cpu/activation/ReluKernel.cpp: file names are lower_case",
    ),
}  # fmt: skip


@pytest.fixture
def house(tmp_path: Path) -> Callable[..., Path]:
    """Returns a function that writes GOOD and other files."""

    def write(more: dict[str, str]) -> Path:
        for path, text in (GOOD | more).items():
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return tmp_path

    return write


@pytest.mark.parametrize("rule", subjects.RULES)
def test_the_repository(rule: Rule) -> None:
    assert not rule(ROOT)


@pytest.mark.parametrize("rule", subjects.RULES)
def test_a_good_house_has_no_strays(rule: Rule, house: Callable[..., Path]) -> None:
    assert not rule(house({}))


@pytest.mark.parametrize("what", STRAYS)
def test_a_stray_is_found(what: str, house: Callable[..., Path]) -> None:
    rule, path, text, expected = STRAYS[what]
    (message,) = rule(house({path: text}))
    assert expected in message


def test_stems_of_two_devices_are_in_one_subject(house: Callable[..., Path]) -> None:
    root = house({"cpu/elementwise/loops.cpp": "", "cuda/activation/loops.cu": ""})
    (message,) = subjects.parted_stems(root)
    assert message.startswith("loops is in ['elementwise'] of cpu/, in ['activation'] of cuda/")


def test_kernels_of_two_devices_are_in_files_of_one_stem(house: Callable[..., Path]) -> None:
    register = "REGISTER_CUDA_DISPATCH(relu_stub, &relu_kernel)\n"
    root = house({"cuda/activation/relu.cu": "", "cuda/activation/rel.cu": register})
    (message,) = subjects.parted_kernels(root)
    assert message.startswith(
        "cuda/activation/rel.cu: the kernel of relu_stub for the CPU is in cpu/activation/"
    )


def test_what_the_rules_read_is_there() -> None:
    """The rules find input: a changed spelling of sections or includes would leave them nothing to check."""
    owner = subjects.owners(ROOT)
    defined = {operator for source in subjects.sources(ROOT) for operator in source.defined}
    assert len(owner) > 600
    assert len(defined & set(owner)) > 500
    assert {"relu": "activation", "and": "elementwise", "resize": "copy"}.items() <= owner.items()
