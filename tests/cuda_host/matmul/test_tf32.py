"""float32 operands are rounded to TF32 only where that is allowed; the stand-in for cuBLAS rounds them."""

from __future__ import annotations

import host
import pytest

pytestmark = pytest.mark.skipif(not host.is_built(), reason="build/cuda_host is not built")

PROGRAM = """
import aten

fine = 1 + 2.0**-12  # TF32 has 10 bits of mantissa
for dtype, rounded in ((aten.float32, True), (aten.complex64, True), (aten.float64, False)):
    x = aten.full((4, 4), fine, dtype=dtype, device="cuda")
    ones = aten.ones((4, 1), dtype=dtype, device="cuda")

    def product():
        return complex((x @ ones)[0, 0].cpu().item())

    exact = complex(4 * fine)
    assert product() == exact
    aten.set_float32_matmul_precision("high")
    assert product() == (4 if rounded else exact), (dtype, product())
    aten.backends.cuda.matmul.allow_tf32 = False
    assert product() == exact
"""


def test_products_are_rounded_only_where_it_is_allowed() -> None:
    outcome = host.run(PROGRAM)
    assert outcome.returncode == 0, outcome.stderr
    assert host.unreviewed(outcome.reports) == []
