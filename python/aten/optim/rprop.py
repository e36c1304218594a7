"""Rprop."""

from __future__ import annotations

from ._checks import check_not_negative, number
from ._lists import ListOptimizer, _functions, detached

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from .._C import Tensor
    from ._lists import Group, Tensors
    from .optimizer import ParamsT

__all__ = ["Rprop"]


class Rprop(ListOptimizer):
    """Resilient backpropagation (Riedmiller and Braun, 1993): each element has its own step size, which grows
    by etas[1] while the gradient keeps its sign, and shrinks by etas[0] where it changes; `step_sizes` are
    the smallest and the largest ones."""

    buffers = {"prev": None, "step_size": None}

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_not_negative(lr=lr)
        if not 0 < etas[0] < 1 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _first_buffer(self, name: str, p: Tensor, group: Group) -> Tensor:
        if name != "step_size":
            return super()._first_buffer(name, p, group)
        lr = number("lr", group["lr"])
        return _functions.full_like(p, complex(lr, lr) if p.is_complex() else lr)

    @staticmethod
    def _update(
        params: Tensors,
        gradients: Tensors,
        steps: Tensors,
        prevs: Tensors,
        sizes: Tensors,
        *,
        etas: tuple[float, float],
        step_sizes: tuple[float, float],
        **options: Any,
    ) -> None:
        signs = _functions._foreach_sign(_functions._foreach_mul(detached(gradients), detached(prevs)))
        same = _functions._foreach_clamp_min(signs, 0)  # 1 where the sign is the same, else 0
        changed = _functions._foreach_clamp_max(signs, 0)  # -1 where it changed, else 0
        factors = _functions._foreach_sub(changed, same)
        _functions._foreach_add_(factors, 1)
        _functions._foreach_add_(factors, same, alpha=etas[1])
        _functions._foreach_add_(factors, changed, alpha=-etas[0])
        _functions._foreach_mul_(sizes, factors)
        _functions._foreach_clamp_min_(sizes, step_sizes[0])
        _functions._foreach_clamp_max_(sizes, step_sizes[1])
        gradients = _functions._foreach_addcmul(gradients, gradients, changed)  # 0 where the sign changed
        _functions._foreach_addcmul_(params, _functions._foreach_sign(gradients), sizes, -1)
        _functions._foreach_copy_(prevs, gradients)
