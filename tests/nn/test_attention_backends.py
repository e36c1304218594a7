"""nn.attention: the backends that scaled_dot_product_attention may choose."""

from __future__ import annotations

from typing import Any

import aten
import numpy as np
import pytest
from aten.backends import cuda
from aten.nn.attention import SDPBackend, sdpa_kernel

BACKENDS = ("MATH", "FLASH_ATTENTION", "EFFICIENT_ATTENTION", "CUDNN_ATTENTION")
CASES: dict[str, dict[str, Any]] = {
    "plain": {},
    "causal": {"is_causal": True},
    "mask": {"mask": True},
    "scale": {"scale": 0.3},
    "dropout": {"dropout_p": 0.25},
}


def inputs(library: Any, dtype: str = "float64") -> list[Any]:
    rng = np.random.default_rng(5)
    shapes = ((2, 3, 6, 8), (2, 3, 9, 8), (2, 3, 9, 8))
    arrays = [rng.standard_normal(shape) for shape in shapes]
    return [library.from_numpy(a).to(getattr(library, dtype)).requires_grad_() for a in arrays]


def attend(library: Any, case: str, dtype: str = "float64") -> list[Any]:
    """The output and the gradients, or the error."""
    options = dict(CASES[case])
    leaves = inputs(library, dtype)
    if options.pop("mask", False):
        seen = np.random.default_rng(6).random((2, 1, 6, 9)) < 0.7
        options["attn_mask"] = library.from_numpy(seen)
    out = library.nn.functional.scaled_dot_product_attention(*leaves, **options)
    out.sum().backward()
    return [out.detach().numpy(), *(leaf.grad.numpy() for leaf in leaves)]


def chosen(library: Any, **options: Any) -> int:
    q, k, v = inputs(library)
    try:
        number: int = library.ops.aten._fused_sdp_choice.default(q, k, v, **options)
    except RuntimeError:
        # PyTorch's choice raises where a backend is enabled, but doesn't take the arguments.
        return -1
    return number


@pytest.mark.parametrize("case", [c for c in CASES if c != "dropout"])
@pytest.mark.parametrize("backend", ["MATH", "FLASH_ATTENTION"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_results_of_each_backend(case: str, backend: str, dtype: str) -> None:
    torch = pytest.importorskip("torch")
    theirs = torch.nn.attention
    with theirs.sdpa_kernel(getattr(theirs.SDPBackend, backend)):
        expected = attend(torch, case, dtype)
    with sdpa_kernel(SDPBackend[backend]):
        found = attend(aten, case, dtype)
    tolerance = 1e-12 if dtype == "float64" else 2e-6
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    "names", [[], ["MATH"], ["FLASH_ATTENTION"], ["EFFICIENT_ATTENTION"], list(BACKENDS)]
)
@pytest.mark.parametrize("options", [{}, {"dropout_p": 0.5}])
def test_choice(names: list[str], options: dict[str, Any]) -> None:
    torch = pytest.importorskip("torch")
    theirs = torch.nn.attention
    with theirs.sdpa_kernel([getattr(theirs.SDPBackend, n) for n in names]):
        expected = chosen(torch, **options)
    with sdpa_kernel([SDPBackend[n] for n in names]):
        assert chosen(aten, **options) == expected


@pytest.mark.parametrize("names", [[], ["FLASH_ATTENTION"], ["EFFICIENT_ATTENTION", "CUDNN_ATTENTION"]])
def test_no_backend_is_left(names: list[str]) -> None:
    with (
        sdpa_kernel([SDPBackend[n] for n in names]),
        pytest.raises(RuntimeError, match="No viable backend for scaled_dot_product_attention was found"),
    ):
        attend(aten, "dropout")
    assert attend(aten, "dropout")[0].shape == (2, 3, 6, 8)


@pytest.mark.parametrize("name", ["math", "flash", "mem_efficient", "cudnn"])
def test_switches(name: str) -> None:
    is_enabled, enable = getattr(cuda, f"{name}_sdp_enabled"), getattr(cuda, f"enable_{name}_sdp")
    assert is_enabled() is True
    enable(False)
    try:
        assert is_enabled() is False
        with sdpa_kernel([SDPBackend.MATH, SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]):
            assert is_enabled() is (name != "cudnn")
        assert is_enabled() is False
    finally:
        enable(True)


def test_scopes_are_left_on_errors_and_nest() -> None:
    with pytest.raises(KeyError), sdpa_kernel(SDPBackend.MATH):
        assert not cuda.flash_sdp_enabled()
        with cuda.sdp_kernel(enable_math=False, enable_mem_efficient=False):
            assert cuda.flash_sdp_enabled() and cuda.cudnn_sdp_enabled() and not cuda.math_sdp_enabled()
        assert cuda.math_sdp_enabled() and not cuda.flash_sdp_enabled()
        raise KeyError
    assert cuda.flash_sdp_enabled() and cuda.math_sdp_enabled()


def test_order() -> None:
    before = aten._C._sdp_settings()
    with sdpa_kernel([SDPBackend.MATH, SDPBackend.EFFICIENT_ATTENTION], set_priority=True):
        enabled, order = aten._C._sdp_settings()
        assert enabled == 0b101 and [order >> 4 * i & 15 for i in range(5)] == [0, 2, 1, 3, 4]
        assert chosen(aten) == SDPBackend.MATH
    assert aten._C._sdp_settings() == before


def test_the_cpu_has_its_own_order() -> None:
    torch = pytest.importorskip("torch")
    theirs = torch.nn.attention
    both = ["MATH", "FLASH_ATTENTION"]
    with theirs.sdpa_kernel([getattr(theirs.SDPBackend, n) for n in both], set_priority=True):
        expected = chosen(torch)
    with sdpa_kernel([SDPBackend[n] for n in both], set_priority=True):
        assert chosen(aten) == expected == SDPBackend.FLASH_ATTENTION
    assert {b.name: int(b) for b in SDPBackend} == {
        n: int(b) for n, b in theirs.SDPBackend.__members__.items()
    }


def test_wrong_backends() -> None:
    with pytest.raises(AssertionError, match="list of SDPBackend instances, got str"), sdpa_kernel("MATH"):
        pass
