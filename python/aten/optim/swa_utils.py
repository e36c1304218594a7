"""Averages of a model's parameters over the training: stochastic weight averaging (SWA), and exponential
moving averages (EMA)."""

from __future__ import annotations

import math

from .. import _C
from ..autograd.grad_mode import no_grad
from .lr_scheduler._base import LRScheduler, per_group

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Literal

    from .._C import Tensor
    from .lr_scheduler._base import Rates
    from .optimizer import Optimizer

    AverageFunction = Callable[[Tensor, Tensor, Tensor | int], Tensor]
    ListAverageFunction = Callable[[list[Tensor], list[Tensor], Tensor | int], None]

__all__ = [
    "SWALR",
    "AveragedModel",  # noqa: F822 (see __getattr__)
    "get_ema_avg_fn",
    "get_ema_multi_avg_fn",
    "get_swa_avg_fn",
    "get_swa_multi_avg_fn",
    "update_bn",
]

_functions: Any = _C._VariableFunctions


def __getattr__(name: str) -> Any:
    if name == "AveragedModel":  # its base class, nn.Module, is imported only when it's used
        from ._averaged_model import AveragedModel

        globals()[name] = AveragedModel
        return AveragedModel
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


def _check_decay(decay: float) -> None:
    if not 0 <= decay <= 1:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def get_ema_avg_fn(decay: float = 0.999) -> AverageFunction:
    """The function (average, parameter, number of averaged ones) -> decay * average + (1 - decay) *
    parameter."""
    _check_decay(decay)

    def ema_update(ema_param: Tensor, current_param: Tensor, num_averaged: Tensor | int) -> Tensor:
        with no_grad():
            return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_ema_multi_avg_fn(decay: float = 0.999) -> ListAverageFunction:
    """get_ema_avg_fn's function for lists of one dtype, in place."""
    _check_decay(decay)

    def ema_update(averages: list[Tensor], params: list[Tensor], num_averaged: Tensor | int) -> None:
        with no_grad():
            _average(averages, params, 1 - decay)

    return ema_update


def get_swa_avg_fn() -> AverageFunction:
    """The function (average, parameter, number of averaged ones) -> their mean with the parameter."""

    def swa_update(averaged_param: Tensor, current_param: Tensor, num_averaged: Tensor | int) -> Tensor:
        with no_grad():
            return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_swa_multi_avg_fn() -> ListAverageFunction:
    """get_swa_avg_fn's function for lists of one dtype, in place."""

    def swa_update(averages: list[Tensor], params: list[Tensor], num_averaged: Tensor | int) -> None:
        with no_grad():
            _average(averages, params, 1 / (int(num_averaged) + 1))

    return swa_update


def _average(averages: list[Tensor], params: list[Tensor], weight: float) -> None:
    """Moves the averages to the parameters, by the part `weight` of their differences."""
    if averages[0].is_floating_point() or averages[0].is_complex():
        _functions._foreach_lerp_(averages, params, weight)
    else:
        for average, p in zip(averages, params, strict=True):
            average.copy_(average * (1 - weight) + p * weight)


def update_bn(loader: Iterable[Any], model: Any, device: Any = None) -> None:
    """Computes the running statistics of the model's batch normalisations anew, from the batches of `loader`,
    which are moved to `device`; of a list or tuple, the first item is the batch."""
    from ..nn.modules.batchnorm import _BatchNorm

    momenta = {module: module.momentum for module in model.modules() if isinstance(module, _BatchNorm)}
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.reset_running_stats()
        module.momentum = None  # the mean over all batches
    with no_grad():
        for batch in loader:
            first = batch[0] if isinstance(batch, (list, tuple)) else batch
            model(first if device is None else first.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Goes to the learning rate `swa_lr` in `anneal_epochs` epochs, along a cosine or a line, and stays
    there."""

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: float | list[float],
        anneal_epochs: int = 10,
        anneal_strategy: Literal["cos", "linear"] = "cos",
        last_epoch: int = -1,
    ) -> None:
        for lr, group in zip(per_group("swa_lr", optimizer, swa_lr), optimizer.param_groups, strict=True):
            group["swa_lr"] = lr
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self._anneal_strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _part(self, step: int) -> float:
        """The part of the way that is done after `step` steps."""
        t = max(0, min(1, step / max(1, self.anneal_epochs)))
        return t if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * t)) / 2

    def get_lr(self) -> Rates:
        self._warn_outside_step()
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._part(step - 1), self._part(step)
        rates = []
        for group in self.optimizer.param_groups:
            lr, end = group["lr"], group["swa_lr"]
            first = end if before == 1 else (lr - before * end) / (1 - before)
            rates.append(end * now + first * (1 - now))
        return rates
