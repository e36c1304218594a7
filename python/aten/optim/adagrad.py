"""Adagrad."""

from __future__ import annotations

from ._checks import check_implementation, check_not_negative
from ._lists import ListOptimizer, _functions, denominators, values

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from .._C import Tensor
    from ._lists import Group, Tensors
    from .optimizer import ParamsT

__all__ = ["Adagrad"]


class Adagrad(ListOptimizer):
    """Adagrad (Duchi, Hazan and Singer, 2011): the gradient is divided by sqrt(sum) + eps, where `sum` is
    that of its squares so far, which starts at `initial_accumulator_value`. After n steps the learning rate
    is lr / (1 + n * lr_decay)."""

    buffers = {"sum": None}

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_not_negative(
            lr=lr,
            lr_decay=lr_decay,
            weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value,
            eps=eps,
        )
        check_implementation(fused, foreach, differentiable)
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        for group in self.param_groups:
            for p in group["params"]:
                self._fill_state(self.state[p], self.buffers, p, group)

    def _first_buffer(self, name: str, p: Tensor, group: Group) -> Tensor:
        value = self.defaults["initial_accumulator_value"]
        return _functions.full_like(p, complex(value, value) if p.is_complex() else value)

    @staticmethod
    def _update(
        params: Tensors,
        gradients: Tensors,
        steps: Tensors,
        sums: Tensors,
        *,
        lr: float,
        lr_decay: float,
        eps: float,
        **options: Any,
    ) -> None:
        _functions._foreach_addcmul_(sums, gradients, gradients, 1)
        rates = [-lr / (1 + (n - 1) * lr_decay) for n in values(steps)]
        _functions._foreach_addcdiv_(params, gradients, denominators(sums, eps), rates)

    @staticmethod
    def _fused(
        params: Tensors,
        gradients: Tensors,
        steps: Tensors,
        sums: Tensors,
        *,
        lr: float,
        lr_decay: float,
        weight_decay: float,
        eps: float,
        maximize: bool,
        grad_scale: Tensor | None = None,
        found_inf: Tensor | None = None,
        **options: Any,
    ) -> None:
        _functions._fused_adagrad_(
            params,
            gradients,
            sums,
            steps,
            lr=lr,
            lr_decay=lr_decay,
            weight_decay=weight_decay,
            eps=eps,
            maximize=maximize,
            grad_scale=grad_scale,
            found_inf=found_inf,
        )
