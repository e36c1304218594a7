"""LBFGS, compared with PyTorch's."""

from __future__ import annotations

import aten
import aten.optim
import numpy as np
import pytest

torch = pytest.importorskip("torch")
from optimizer_pairs import INFOS, assert_same, closure, converted, parameters, to_torch  # noqa: E402


@pytest.mark.parametrize(
    "options",
    [info.kwargs for info in INFOS["LBFGS"].optim_inputs_func("cpu")]
    + [
        {"history_size": 2, "max_iter": 7},
        {"line_search_fn": "strong_wolfe", "max_eval": 6},
        {"line_search_fn": "strong_wolfe", "lr": 5.0, "max_iter": 30},
    ],
)
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_lbfgs(options, dtype):
    """Minimises Rosenbrock's function, in several steps."""
    found = []
    for T in (aten, torch):
        (p,) = parameters(T, [(4,)], dtype)
        if T is aten:
            options = converted(options)
        optimizer = T.optim.LBFGS([p], **(options if T is aten else to_torch(options)))
        evaluations = []

        def evaluate(T=T, p=p, optimizer=optimizer, evaluations=evaluations):
            optimizer.zero_grad()
            x = T.view_as_real(p).reshape(-1) if dtype.startswith("complex") else p
            loss = (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()
            loss.backward()
            evaluations.append(loss.item())
            return loss

        losses = [optimizer.step(evaluate).item() for _ in range(3)]
        state = optimizer.state_dict()["state"][0]
        found.append((losses, state["n_iter"], state["func_evals"], len(evaluations), p))
    np.testing.assert_allclose(found[0][0], found[1][0], rtol=1e-4, atol=1e-8)
    assert found[0][1:4] == found[1][1:4]
    assert_same(found[0][4], found[1][4], 1e-4, 1e-6)


def test_lbfgs_refuses_other_searches():
    p = aten.zeros(2, requires_grad=True)
    optimizer = aten.optim.LBFGS([p], line_search_fn="newton")
    with pytest.raises(RuntimeError, match="only 'strong_wolfe' is supported"):
        optimizer.step(closure(aten, optimizer, [p]))


def test_lbfgs_goes_on_without_a_gradient():
    """PyTorch does so too, if the tolerances let it."""
    for T in (aten, torch):
        p = T.zeros(2, requires_grad=True)
        optimizer = T.optim.LBFGS([p], tolerance_grad=-1.0, tolerance_change=-1.0)

        def evaluate(p=p, optimizer=optimizer):
            optimizer.zero_grad()
            loss = (p * 0).sum()
            loss.backward()
            return loss

        assert optimizer.step(evaluate).item() == 0.0
        assert p.tolist() == [0.0, 0.0]
