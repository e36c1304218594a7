"""addmm and linear with a bias are one call of cuBLASLt; the stand-in checks its arguments."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import host
import pytest

needs_build = pytest.mark.skipif(not host.is_built(), reason="build/cuda_host is not built")

PROGRAM = """
import aten
import numpy as np

random = np.random.default_rng(0)


def check(dtype, unit, m, k, n, alpha=1, beta=1, bias=None, left=lambda x: x, right=lambda x: x):
    def tensor(*sizes):
        values = random.standard_normal(sizes).astype(np.float32)
        return aten.from_numpy(values).to("cuda").to(dtype)

    row = tensor(n) if bias is None else bias(tensor)
    a, b = left(tensor(m, k)), right(tensor(k, n))
    wide = [t.to(aten.float64).cpu().numpy() for t in (row, a, b)]
    want = beta * wide[0] + alpha * wide[1] @ wide[2]
    out = aten.empty((m, n), dtype=dtype, device="cuda")
    aten.addmm(row, a, b, beta=beta, alpha=alpha, out=out)
    for got in (aten.addmm(row, a, b, beta=beta, alpha=alpha), out):
        np.testing.assert_allclose(got.to(aten.float64).cpu().numpy(), want, rtol=unit, atol=unit * k)
    for use_gelu in (False, True):
        got = aten._addmm_activation(row, a, b, beta=beta, alpha=alpha, use_gelu=use_gelu)
        tanh = np.tanh((2 / np.pi) ** 0.5 * (want + 0.044715 * want**3))
        active = 0.5 * want * (1 + tanh) if use_gelu else np.maximum(want, 0)
        np.testing.assert_allclose(got.to(aten.float64).cpu().numpy(), active, rtol=unit, atol=2 * unit * k)


for dtype, unit in ((aten.float32, 2e-7), (aten.float16, 1e-3), (aten.bfloat16, 8e-3), (aten.float64, 1e-15)):
    for sizes in ((1, 1, 1), (5, 7, 3), (3, 16, 33), (20, 1, 6), (1, 9, 8)):
        check(dtype, unit, *sizes)
    check(dtype, unit, 5, 7, 3, alpha=-0.5)
    check(dtype, unit, 5, 7, 3, beta=0.5)
    check(dtype, unit, 5, 7, 3, bias=lambda t: t(1, 3))
    check(dtype, unit, 5, 7, 3, bias=lambda t: t(5, 3))
    check(dtype, unit, 5, 7, 3, bias=lambda t: t(6)[::2])
    check(dtype, unit, 5, 7, 3, bias=lambda t: t(4)[1:])
    check(dtype, unit, 5, 5, 5, left=lambda x: x.t(), right=lambda x: x.t())
    check(dtype, unit, 5, 6, 6, left=lambda x: x[:, ::2], right=lambda x: x[::2])

x, w, b = (aten.from_numpy(random.standard_normal(s).astype(np.float32)) for s in ((2, 5, 7), (3, 7), (3,)))
for dtype, atol in ((aten.float32, 1e-6), (aten.float16, 1e-2)):
    here, there = ([t.to(d).to(dtype) for t in (x, w, b)] for d in ("cpu", "cuda"))
    got, want = (aten.nn.functional.linear(*t).to(aten.float32).cpu().numpy() for t in (there, here))
    np.testing.assert_allclose(got, want, rtol=0, atol=atol)

aten.set_float32_matmul_precision("high")
fine = aten.full((4, 4), 1 + 2.0**-12, device="cuda")
assert aten.addmm(aten.zeros(4, device="cuda"), fine, aten.ones((4, 4), device="cuda"))[0, 0].item() == 4
"""


@needs_build
@pytest.mark.parametrize("lazy", [False, True])
def test_values(lazy: bool) -> None:
    outcome = host.run(PROGRAM, lazy=lazy, initialised=True)
    assert outcome.returncode == 0, outcome.stderr
    assert host.unreviewed(outcome.reports) == []


@needs_build
def test_without_cublas_lt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """cuBLAS alone computes the same."""
    (tmp_path / "libcublas.so.13").symlink_to(host.OUT / "cublas" / "libcublas.so.13")
    usual = host.environment
    monkeypatch.setattr(host, "environment", lambda **s: {**usual(**s), "ATEN_CUBLAS_PATH": str(tmp_path)})
    outcome = host.run(PROGRAM)
    assert outcome.returncode == 0, outcome.stderr


ASSERTIONS = """
#include "cublasLt.h"
#include <cstddef>
#include <ATen/cuda/CUDABlasLibrary.h>
namespace blas = at::cuda::blas;
using namespace blas::lt;
static_assert(int(blas::success) == CUBLAS_STATUS_SUCCESS);
static_assert(int(blas::NoTranspose) == CUBLAS_OP_N && int(blas::Transpose) == CUBLAS_OP_T);
static_assert(int(blas::Compute32F) == CUBLAS_COMPUTE_32F);
static_assert(int(blas::Compute32FFastTF32) == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(int(blas::Compute64F) == CUBLAS_COMPUTE_64F);
static_assert(int(TransA) == CUBLASLT_MATMUL_DESC_TRANSA && int(TransB) == CUBLASLT_MATMUL_DESC_TRANSB);
static_assert(int(Epilogue) == CUBLASLT_MATMUL_DESC_EPILOGUE);
static_assert(int(BiasPointer) == CUBLASLT_MATMUL_DESC_BIAS_POINTER);
static_assert(epilogue_bias == CUBLASLT_EPILOGUE_BIAS);
static_assert(epilogue_relu_bias == CUBLASLT_EPILOGUE_RELU_BIAS);
static_assert(epilogue_gelu_bias == CUBLASLT_EPILOGUE_GELU_BIAS);
static_assert(int(MaxWorkspaceBytes) == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
static_assert(int(MinAlignmentA) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
static_assert(int(MinAlignmentB) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES);
static_assert(int(MinAlignmentC) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES);
static_assert(int(MinAlignmentD) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
static_assert(sizeof(Algorithm) == sizeof(cublasLtMatmulAlgo_t));
static_assert(sizeof(Choice) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(Choice, workspace) == offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(Choice, state) == offsetof(cublasLtMatmulHeuristicResult_t, state));
"""


def headers() -> Path | None:
    """The folder of cublasLt.h: a toolkit's or that of a Python package."""
    folders = [Path("/usr/local/cuda/include"), *sorted(Path("/usr/local").glob("cuda-*/include"))]
    folders += [folder for path in sys.path for folder in Path(path).glob("nvidia/*/include")]
    return next((folder for folder in folders if (folder / "cublasLt.h").exists()), None)


@needs_build
def test_constants_are_those_of_the_header() -> None:
    found = headers()
    if found is None:
        pytest.skip("cublasLt.h is not installed")
    toolkit = [f"-I{folder}" for folder in sorted(Path("/usr/local").glob("cuda*/include"))]
    command = ["g++", "-std=c++20", "-fsyntax-only", "-x", "c++", "-", f"-I{found}", *toolkit]
    command += ["-DC10_BUILDING_LIBRARY", f"-I{host.OUT}/aten/include/aten", f"-I{host.OUT}/aten/src"]
    done = subprocess.run(command, input=ASSERTIONS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
