"""L-BFGS."""

from __future__ import annotations

from .. import _C
from ..autograd.grad_mode import enable_grad, no_grad
from ._checks import check_not_negative, number
from ._line_search import strong_wolfe
from .optimizer import Optimizer

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .._C import Tensor
    from .optimizer import ParamsT

__all__ = ["LBFGS"]

_functions: Any = _C._VariableFunctions


class LBFGS(Optimizer):
    """The quasi-Newton method with limited memory (Liu and Nocedal, 1989). A step is `max_iter` iterations,
    with at most `max_eval` evaluations of the closure (None: 1.25 * max_iter); it ends before if the largest
    gradient is below `tolerance_grad`, or the change of the loss or of the parameters below
    `tolerance_change`. `history_size` updates are kept. `line_search_fn` is None or "strong_wolfe". There is
    one parameter group."""

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_not_negative(lr=lr)
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    def _gradient(self) -> Tensor:
        """The gradients of all parameters, in one vector; those of complex ones as real numbers."""
        parts = []
        for p in self.param_groups[0]["params"]:
            part = _functions.zeros_like(p) if p.grad is None else p.grad
            parts.append((_functions.view_as_real(part) if part.is_complex() else part).reshape(-1))
        return _functions.cat(parts)

    def _move(self, direction: Tensor, t: float) -> None:
        """Adds t * direction to the parameters."""
        start = 0
        for p in self.param_groups[0]["params"]:
            real = _functions.view_as_real(p) if p.is_complex() else p
            end = start + real.numel()
            real.add_(direction[start:end].view(real.shape), alpha=t)
            start = end

    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Updates the parameters. `closure` clears the gradients, computes loss and gradients, and returns
        the loss; the first one is returned."""
        with no_grad():
            return self._minimize(closure)

    def _minimize(self, closure: Callable[[], Any]) -> Any:
        group = self.param_groups[0]
        state = self.state[group["params"][0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)

        def evaluate() -> Any:
            with enable_grad():
                return closure()

        first_loss = evaluate()
        state["func_evals"] += 1
        loss, gradient, evaluations = float(first_loss), self._gradient(), 1
        if float(gradient.abs().max()) <= group["tolerance_grad"]:
            return first_loss
        lr = number("lr", group["lr"])
        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            direction = self._direction(state, gradient, group["history_size"])
            previous = state["prev_loss"] = loss
            first = state["n_iter"] == 1
            total = float(gradient.abs().sum()) if first else 0.0
            t = state["t"] = min(1.0, 1 / total) * lr if total else lr
            slope = float(gradient.dot(direction))
            if slope > -group["tolerance_change"]:
                break
            last = iteration == group["max_iter"]
            if group["line_search_fn"] is None:
                self._move(direction, t)
                if last:
                    break
                loss, gradient, count = float(evaluate()), self._gradient(), 1
            elif group["line_search_fn"] == "strong_wolfe":
                budget = group["max_eval"] - evaluations
                loss, gradient, t, count = strong_wolfe(
                    self._evaluation(evaluate, direction), t, direction, loss, gradient, slope, budget
                )
                state["t"] = t
                self._move(direction, t)
            else:
                raise RuntimeError("only 'strong_wolfe' is supported")
            evaluations += count
            state["func_evals"] += count
            if (
                last
                or evaluations >= group["max_eval"]
                or float(gradient.abs().max()) <= group["tolerance_grad"]
                or float(direction.abs().max()) * abs(t) <= group["tolerance_change"]
                or abs(loss - previous) < group["tolerance_change"]
            ):
                break
        return first_loss

    def _evaluation(
        self, evaluate: Callable[[], Any], direction: Tensor
    ) -> Callable[[float], tuple[float, Tensor]]:
        """The function of loss and gradient at a step from where the parameters are, and stay."""
        params = self.param_groups[0]["params"]
        start = [p.clone() for p in params]

        def at(t: float) -> tuple[float, Tensor]:
            self._move(direction, t)
            result = float(evaluate()), self._gradient()
            for p, value in zip(params, start, strict=True):
                p.copy_(value)
            return result

        return at

    @staticmethod
    def _direction(state: dict[str, Any], gradient: Tensor, history_size: int) -> Tensor:
        """The direction of the next iteration, from the history, to which the last iteration is added."""
        if state["n_iter"] == 1:
            direction = gradient.neg()
            state.update(d=direction, old_dirs=[], old_stps=[], ro=[], H_diag=1)
        else:
            change = gradient - state["prev_flat_grad"]
            move = state["d"] * state["t"]
            curvature = change.dot(move)
            histories = state["old_dirs"], state["old_stps"], state["ro"]
            if float(curvature) > 1e-10:
                for history, value in zip(histories, (change, move, 1 / curvature), strict=True):
                    if len(history) == history_size:
                        history.pop(0)
                    history.append(value)
                state["H_diag"] = curvature / change.dot(change)
            factors = state.setdefault("al", [None] * history_size)
            direction = gradient.neg()
            triples = list(enumerate(zip(*histories, strict=True)))
            for i, (change, move, ratio) in reversed(triples):
                factors[i] = move.dot(direction) * ratio
                direction -= change * factors[i]
            direction *= state["H_diag"]
            for i, (change, move, ratio) in triples:
                direction += move * (factors[i] - change.dot(direction) * ratio)
            state["d"] = direction
        state["prev_flat_grad"] = gradient.clone()
        return direction
