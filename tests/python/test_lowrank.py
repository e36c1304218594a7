"""svd_lowrank, pca_lowrank and lu."""

from __future__ import annotations

import aten
import pytest

pytestmark = pytest.mark.skipif(not hasattr(aten.linalg, "svd"), reason="LAPACK's operators are not built")


def low_rank(rows: int, columns: int, dtype=aten.float64) -> aten.Tensor:
    left, right = aten.sin(aten.arange(rows * 2.0) + 1), aten.cos(aten.arange(columns * 2.0))
    return (left.reshape(rows, 2) @ right.reshape(2, columns)).to(dtype)


@pytest.mark.parametrize("shape", [(7, 4), (4, 7), (5, 5)])
@pytest.mark.parametrize("dtype", [aten.float64, aten.complex128])
def test_svd_lowrank(shape, dtype) -> None:
    x = low_rank(*shape, dtype=dtype)
    u, s, v = aten.svd_lowrank(x, q=3)
    assert u.shape == (shape[0], 3) and s.shape == (3,) and v.shape == (shape[1], 3)
    assert aten.allclose((u * s) @ v.mH, x, atol=1e-6)
    assert aten.allclose(aten.svd_lowrank(x, 3, M=x)[1], aten.zeros(3, dtype=aten.float64), atol=1e-6)


def test_pca_lowrank() -> None:
    x = low_rank(8, 4)
    u, s, v = aten.pca_lowrank(x)
    assert s.shape == (4,) and aten.allclose((u * s) @ v.mT, x - x.mean(0), atol=1e-6)
    assert aten.allclose(aten.pca_lowrank(x, 2, center=False)[1], aten.linalg.svdvals(x)[:2], atol=1e-6)
    for wrong in ({"q": 9}, {"niter": -1}):
        with pytest.raises(ValueError, match="must be non-negative"):
            aten.pca_lowrank(x, **wrong)


def test_lu() -> None:
    x = aten.tensor([[1.0, 2.0], [3.0, 4.0]])
    factors, pivots = aten.lu(x)
    expected = aten.linalg.lu_factor(x)
    assert aten.equal(factors, expected[0]) and aten.equal(pivots, expected[1])
    assert aten.equal(x.lu()[0], factors)
    assert aten.lu(aten.zeros(2, 2), get_infos=True)[2].item() == 1
    with pytest.raises(RuntimeError):
        aten.lu(aten.zeros(2, 2))
    out = (aten.empty(0), aten.empty(0, dtype=aten.int32))
    assert aten.lu(x, out=out)[0] is out[0] and aten.equal(out[0], factors)
