"""Schedulers of learning rate and momentum in cycles."""

from __future__ import annotations

import math

from ._base import LRScheduler, callable_state, check_optimizer, per_group, set_value

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

    from ..optimizer import Optimizer
    from ._base import Rates


class _MomentumScheduler(LRScheduler):
    """A scheduler that may also change the momentum: the option "momentum", or the first of "betas"."""

    def _start_momentum(
        self, base_momentum: Any, max_momentum: Any, last_epoch: int
    ) -> tuple[list[float], list[float]]:
        """Sets the momentum to its largest value, unless the schedule is resumed. Returns the smallest and
        the largest values of the groups."""
        defaults = self.optimizer.defaults
        if "momentum" not in defaults and "betas" not in defaults:
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.use_beta1 = "betas" in defaults
        smallest = per_group("base_momentum", self.optimizer, base_momentum)
        largest = per_group("max_momentum", self.optimizer, max_momentum)
        if last_epoch == -1:
            for group, low, high in zip(self.optimizer.param_groups, smallest, largest, strict=True):
                self._set_momentum(group, high)
                group["max_momentum"], group["base_momentum"] = high, low
        return smallest, largest

    def _set_momentum(self, group: dict[str, Any], value: float) -> None:
        if self.use_beta1:
            group["betas"] = (value, *group["betas"][1:])
        else:
            group["momentum"] = value


# By mode: the factor of the cycle's height, and what it is a function of.
_SCALES: dict[str, tuple[Callable[[float, float], float], str]] = {
    "triangular": (lambda x, gamma: 1.0, "cycle"),
    "triangular2": (lambda x, gamma: 1 / 2 ** (x - 1), "cycle"),
    "exp_range": (lambda x, gamma: gamma**x, "iterations"),
}


class CyclicLR(_MomentumScheduler):
    """The learning rate rises linearly from `base_lr` to `max_lr` in `step_size_up` steps and falls back in
    `step_size_down`; the momentum changes the other way. In mode "triangular2" the height halves with each
    cycle, in "exp_range" it is scaled by gamma ** steps; `scale_fn` scales it instead, as a function of the
    number of the cycle or of the step, by `scale_mode` "cycle" or "iterations"."""

    _not_saved = ("optimizer", "_scale_fn_custom")

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: Literal["triangular", "triangular2", "exp_range"] = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: Literal["cycle", "iterations"] = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float = 0.8,
        max_momentum: float = 0.9,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        base_lrs = per_group("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for lr, group in zip(base_lrs, optimizer.param_groups, strict=True):
                set_value(group, "lr", lr)
        self.max_lrs = per_group("max_lr", optimizer, max_lr)
        down = float(step_size_up if step_size_down is None else step_size_down)
        self.total_size = step_size_up + down
        self.step_ratio = step_size_up / self.total_size
        if mode not in _SCALES and scale_fn is None:
            raise ValueError(f"mode is invalid and scale_fn is None: got {mode!r}")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode: str = scale_mode if scale_fn is not None else _SCALES[mode][1]
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            bounds = self._start_momentum(base_momentum, max_momentum, last_epoch)
            self.base_momentums, self.max_momentums = bounds
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def scale_fn(self, x: float) -> float:
        """The factor of the height, of the number of the cycle or of the step."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        return _SCALES[self.mode][0](x, self.gamma)

    def get_lr(self) -> Rates:
        self._warn_outside_step()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1 + self.last_epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        height *= self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            groups = self.optimizer.param_groups
            for group, base, largest in zip(groups, self.base_momentums, self.max_momentums, strict=True):
                self._set_momentum(group, largest - (largest - base) * height)
        return [base + (top - base) * height for base, top in zip(self.base_lrs, self.max_lrs, strict=True)]

    def state_dict(self) -> dict[str, Any]:
        """The scheduler's attributes; of `scale_fn`, its attributes if it is an object."""
        function = self._scale_fn_custom
        return {
            **super().state_dict(),
            "_scale_fn_custom": None if function is None else callable_state(function),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Loads what state_dict() returned; a `scale_fn` has to be passed to the constructor again."""
        rest = dict(state_dict)
        state = rest.pop("_scale_fn_custom")
        if state is not None:
            self._scale_fn_custom.__dict__.update(state)
        super().load_state_dict(rest)


def _phase(end_step: float, lrs: str, momentums: str) -> dict[str, Any]:
    """A phase of OneCycleLR, between the groups' options of these names."""
    (start_lr, end_lr), (start_momentum, end_momentum) = lrs.split(), momentums.split()
    return {
        "end_step": end_step,
        "start_lr": start_lr,
        "end_lr": end_lr,
        "start_momentum": start_momentum,
        "end_momentum": end_momentum,
    }


class OneCycleLR(_MomentumScheduler):
    """The learning rate rises from max_lr / div_factor to `max_lr` in the part `pct_start` of the steps, and
    falls to the first one divided by `final_div_factor` in the others; if `three_phase`, to the first one as
    fast as it rose, and then to the last. The momentum changes the other way. There are `total_steps`, or
    epochs * steps_per_epoch."""

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: Literal["cos", "linear"] = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        self.total_steps = _number_of_steps(total_steps, epochs, steps_per_epoch)
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        rise = pct_start * self.total_steps
        last = self.total_steps - 1
        self._schedule_phases = [_phase(rise - 1, "initial_lr max_lr", "max_momentum base_momentum")]
        if three_phase:
            self._schedule_phases += [
                _phase(2 * rise - 2, "max_lr initial_lr", "base_momentum max_momentum"),
                _phase(last, "initial_lr min_lr", "max_momentum max_momentum"),
            ]
        else:
            self._schedule_phases += [_phase(last, "max_lr min_lr", "base_momentum max_momentum")]
        self._anneal_func_type = anneal_strategy
        max_lrs = per_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, lr in zip(optimizer.param_groups, max_lrs, strict=True):
                first = lr / div_factor
                group.update(initial_lr=first, max_lr=lr, min_lr=first / final_div_factor)
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._start_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def _between(self, start: Any, end: Any, part: float) -> Any:
        if self._anneal_func_type == "cos":
            return end + (start - end) / 2 * (math.cos(math.pi * part) + 1)
        return (end - start) * part + start

    def get_lr(self) -> Rates:
        self._warn_outside_step()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(
                f"Tried to step {step} times. The specified number of total steps is {self.total_steps}"
            )
        start = 0.0
        for phase in self._schedule_phases:
            if step <= phase["end_step"] or phase is self._schedule_phases[-1]:
                break
            start = phase["end_step"]
        part = (step - start) / (phase["end_step"] - start)
        groups = self.optimizer.param_groups
        if self.cycle_momentum:
            for group in groups:
                momenta = group[phase["start_momentum"]], group[phase["end_momentum"]]
                self._set_momentum(group, self._between(*momenta, part))
        return [self._between(group[phase["start_lr"]], group[phase["end_lr"]], part) for group in groups]


def _number_of_steps(total_steps: int | None, epochs: int | None, steps_per_epoch: int | None) -> int:
    if total_steps is None and (epochs is None or steps_per_epoch is None):
        raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
    if total_steps is None:
        values = {"epochs": epochs, "steps_per_epoch": steps_per_epoch}
    else:
        values = {"total_steps": total_steps}
    product = 1
    for name, value in values.items():
        if not isinstance(value, int) or value <= 0:
            raise ValueError(f"Expected positive integer {name}, but got {value}")
        product *= value
    return product
