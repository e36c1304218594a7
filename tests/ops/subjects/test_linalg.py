"""Factorizations and solvers: LAPACK's errors, and where LAPACK is looked for."""

from __future__ import annotations

import os
import subprocess
import sys

import aten
import numpy as np
import pytest
from aten.linalg import LinAlgError

GOOD, BAD = [[4.0, 1.0], [1.0, 3.0]], [[1.0, 2.0], [2.0, 1.0]]


def test_a_fault_is_a_linalg_error() -> None:
    assert issubclass(LinAlgError, RuntimeError)
    with pytest.raises(LinAlgError, match=r"linalg\.cholesky: .*leading minor of order 2"):
        aten.linalg.cholesky(aten.tensor(BAD))
    with pytest.raises(LinAlgError, match=r"\(Batch element 1\): .*minor of order 2"):
        aten.linalg.cholesky(aten.tensor([GOOD, BAD, GOOD, BAD]))


def test_the_checked_form_throws_only_if_asked() -> None:
    batch = aten.tensor([GOOD, BAD])
    assert aten.linalg.cholesky_ex(batch).info.tolist() == [0, 2]
    with pytest.raises(LinAlgError, match="Batch element 1"):
        aten.linalg.cholesky_ex(batch, check_errors=True)


def test_not_a_number_is_not_positive() -> None:
    with pytest.raises(LinAlgError, match="order 1"):
        aten.linalg.cholesky(aten.full((3, 3), float("nan")))


def test_reports_of_any_integer_are_taken() -> None:
    check = aten.ops.aten._linalg_check_errors.default
    aten.ops.aten._linalg_check_errors.default(aten.tensor([0, 0]), "linalg.solve", is_matrix=False)
    for name, text in {
        "linalg.inv": "element 3 is zero",
        "linalg.solve": "singular",
        "linalg.lu_factor": r"U\[3,3\] is zero",
        "linalg.ldl_factor": r"D\[3,3\] is zero",
        "linalg.lstsq": "full rank",
        "linalg.svd": "singular values",
        "linalg.eigh": "eigenvalues",
    }.items():
        with pytest.raises(LinAlgError, match=rf"{name}: .*{text}"):
            check(aten.tensor(3), name, is_matrix=True)
    with pytest.raises(RuntimeError, match="Argument 2 has an illegal value"):
        check(aten.tensor([0, -2], dtype=aten.int32), "linalg.inv", is_matrix=False)
    with pytest.raises(RuntimeError, match="integers"):
        check(aten.tensor([0.5]), "linalg.inv", is_matrix=False)


def test_norms_by_name() -> None:
    x = aten.arange(24.0, dtype=aten.float64).reshape(2, 3, 4)
    for matrix in (x[0], x[1].T):
        total = aten.linalg.svdvals(matrix).sum().item()
        assert matrix.norm("nuc").item() == pytest.approx(total)
        assert aten.norm(matrix, "nuc", dim=(0, 1), keepdim=True).shape == (1, 1)
    assert x.norm("nuc", dim=(1, 2)).tolist() == aten.linalg.matrix_norm(x, "nuc").tolist()
    for name in ("1", "inf", ""):
        with pytest.raises(RuntimeError, match=f"Order {name} not supported"):
            x[0].norm(name)
    with pytest.raises(RuntimeError, match="2-tuple"):
        x.norm("nuc")
    with pytest.raises(TypeError, match="vector_norm"):  # compared with a name, it would be an array
        x.norm(np.zeros(3))


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", f"import aten\n{code}"]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)


def test_a_folder_without_lapack_is_passed_over(tmp_path) -> None:
    done = run(
        "print(aten.linalg.cholesky(aten.tensor([[1.0, 0.0], [0.0, 1.0]])).tolist())",
        ATEN_LAPACK_PATH=str(tmp_path),
    )
    assert done.stdout == "[[1.0, 0.0], [0.0, 1.0]]\n", done.stderr


def test_lapack_runs_in_a_forked_child_with_other_threads() -> None:
    code = """
import numpy, os
aten.set_num_threads(2)
a = aten.from_numpy(numpy.eye(300) * 4)
def works(): return bool((aten.linalg.cholesky(a) == a / 2).all())
assert works()
child = os.fork()
if child == 0: os._exit(0 if works() else 1)
assert os.waitpid(child, 0)[1] == 0
aten.set_num_threads(1)
assert works()
"""
    done = run(code)
    assert done.returncode == 0, done.stderr


# ---- arguments that would be memory errors in LAPACK


def ints(*values: int) -> aten.Tensor:
    return aten.tensor(list(values), dtype=aten.int32)


@pytest.mark.parametrize("pivots", [(0, 2), (1, 3), (-1, 2), (2**31 - 1, 1), (1, -(2**31))])
def test_pivots_are_rows(pivots: tuple[int, int]) -> None:
    a, b = aten.tensor(GOOD), aten.tensor([[1.0], [2.0]])
    with pytest.raises(RuntimeError, match="pivots must be between 1 and"):
        aten.linalg.lu_solve(a, ints(*pivots), b)
    with pytest.raises(RuntimeError, match="pivots must be between 1 and"):
        aten.lu_unpack(a, ints(*pivots))


@pytest.mark.parametrize("pivots", [(0, 2), (3, 1), (1, -1), (1, -2), (-1, 2), (-3, -3), (-(2**31), -1)])
def test_pivots_of_ldl_are_rows_or_pairs(pivots: tuple[int, int]) -> None:
    with pytest.raises(RuntimeError, match=r"expected pivots as linalg\.ldl_factor gives them"):
        aten.linalg.ldl_solve(aten.tensor(GOOD), ints(*pivots), aten.tensor([[1.0], [2.0]]))


def test_pivots_have_the_size_of_the_factors() -> None:
    a, b = aten.tensor(GOOD), aten.tensor([[1.0], [2.0]])
    for pivots in (ints(1), ints(1, 2, 2), ints(1, 2).expand(3, 2), aten.tensor([1, 2])):
        for call in (
            lambda p=pivots: aten.linalg.lu_solve(a, p, b),
            lambda p=pivots: aten.linalg.ldl_solve(a, p, b),
            lambda p=pivots: aten.lu_unpack(a, p),
        ):
            with pytest.raises(RuntimeError, match="pivots"):
                call()


def test_there_are_no_more_reflectors_than_columns() -> None:
    a, tau = aten.ones(4, 2), aten.ones(3)
    with pytest.raises(RuntimeError, match="greater than or equal to tau"):
        aten.linalg.householder_product(a, tau)
    with pytest.raises(RuntimeError, match="greater than or equal to tau"):
        aten.ormqr(a, tau, aten.ones(4, 1))
    with pytest.raises(RuntimeError, match="must be equal to input"):
        aten.ormqr(a, aten.ones(2), aten.ones(5, 1))


NAN = float("nan")


@pytest.mark.parametrize("dtype", [aten.float32, aten.complex128])
@pytest.mark.parametrize("value", [NAN, float("inf"), 0.0])
def test_numbers_that_mean_nothing_end(value: float, dtype: aten.dtype) -> None:
    """Factorizations of such matrices end, in an error or in other such numbers."""
    a, b = aten.full((5, 5), value, dtype=dtype), aten.ones(5, 2, dtype=dtype)
    pivots = aten.linalg.lu_factor_ex(a).pivots
    assert pivots.min().item() >= 1 and pivots.max().item() <= 5
    ld = aten.linalg.ldl_factor_ex(a)
    for call in (
        lambda: aten.linalg.lu_solve(a, pivots, b),
        lambda: aten.linalg.ldl_solve(ld.LD, ld.pivots, b),
        lambda: aten.linalg.inv_ex(a),
        lambda: aten.linalg.solve(a, b),
        lambda: aten.linalg.det(a),
        lambda: aten.linalg.qr(a),
        *(lambda d=d: aten.linalg.lstsq(a, b, driver=d) for d in ("gels", "gelsy", "gelsd", "gelss")),
    ):
        try:
            call()
        except RuntimeError as error:
            assert "INTERNAL" not in str(error)


def test_singular_matrices() -> None:
    zero = aten.zeros(2, 3, 3)
    with pytest.raises(LinAlgError, match=r"solve: \(Batch element 0\): .*singular"):
        aten.linalg.solve(zero, aten.ones(3, 1))
    with pytest.raises(LinAlgError, match=r"inv: \(Batch element 0\): The diagonal element 1 is zero"):
        aten.linalg.inv(zero)
    with pytest.raises(LinAlgError, match=r"lu_factor: \(Batch element 0\): U\[1,1\] is zero"):
        aten.linalg.lu_factor(zero)
    with pytest.raises(LinAlgError, match=r"lstsq: .*full rank"):
        aten.linalg.lstsq(aten.tensor([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]), aten.ones(3, 1), driver="gels")
    assert aten.linalg.det(zero).tolist() == [0.0, 0.0]
    assert aten.linalg.slogdet(zero[0]).logabsdet.item() == float("-inf")
    assert aten.linalg.inv_ex(zero).info.tolist() == [1, 1]


def test_ranks_and_residuals_of_least_squares() -> None:
    a = aten.tensor([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    b = aten.tensor([[1.0], [2.0], [4.0]])
    for driver in ("gelsy", "gelsd", "gelss"):
        found = aten.linalg.lstsq(a, b, driver=driver)
        assert found.rank.item() == 1 and found.residuals.numel() == 0
        assert found.solution[0].item() == pytest.approx(found.solution[1].item(), rel=1e-5)
    with pytest.raises(RuntimeError, match="should be one of"):
        aten.linalg.lstsq(a, b, driver="gelsx")


def test_outputs_that_are_operands() -> None:
    a = aten.tensor(GOOD)
    expected = aten.linalg.inv(a)
    assert aten.linalg.inv(a, out=a) is a and (a == expected).all().item()
    b = aten.tensor([[1.0, 0.0], [0.0, 1.0]])
    aten.linalg.solve(aten.tensor(GOOD), b, out=b)
    assert aten.allclose(b, expected)
    t = aten.tensor(GOOD)
    expected = aten.linalg.solve_triangular(t, aten.tensor(BAD), upper=True)
    aten.linalg.solve_triangular(t, aten.tensor(BAD), upper=True, out=t)
    assert (t == expected).all().item()


def test_large_batches_run_on_several_threads() -> None:
    before = aten.get_num_threads()
    aten.manual_seed(1)
    a = aten.randn(300, 20, 20, dtype=aten.float64)
    try:
        aten.set_num_threads(1)
        one = aten.linalg.inv(a)
        aten.set_num_threads(4)
        assert (aten.linalg.inv(a) == one).all().item()
    finally:
        aten.set_num_threads(before)


def test_inverse_of_ldl_blocks() -> None:
    """Matrices without large diagonals need blocks of 2 x 2, whose pivots are negative."""
    a = aten.tensor([[0.0, 1.0, 0.0], [1.0, 0.0, 2.0], [0.0, 2.0, 1.0]])
    ld, pivots = aten.linalg.ldl_factor(a)
    assert pivots.min().item() < 0
    b = aten.tensor([[1.0], [2.0], [3.0]])
    assert aten.allclose(a @ aten.linalg.ldl_solve(ld, pivots, b), b, atol=1e-5)
