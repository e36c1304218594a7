"""Scaling of losses, so that small gradients in float16 don't become 0."""

from __future__ import annotations

import enum
import warnings
from collections import defaultdict

from .. import _C, cuda
from .._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined,no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..optim import Optimizer

__all__ = ["GradScaler", "OptState"]

_functions: Any = _C._VariableFunctions
_SETTINGS = ("growth_factor", "backoff_factor", "growth_interval")


class OptState(enum.Enum):
    """What was done for an optimizer since the last update()."""

    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _new_state() -> dict[str, Any]:
    return {"stage": OptState.READY, "found_inf_per_device": {}}


def _access(place: str, what: str) -> tuple[Callable[[GradScaler], Any], Callable[[GradScaler, Any], None]]:
    """Returns the methods that get and set a setting."""

    def getter(self: GradScaler) -> Any:
        return getattr(self, place)

    def setter(self: GradScaler, new: Any) -> None:
        setattr(self, place, new)

    getter.__doc__, setter.__doc__ = f"Returns {what}.", f"Sets {what}."
    return getter, setter


class GradScaler:
    """Multiplies losses by a scale, and divides gradients by it before the optimizer's step, which it skips
    if one of them is infinite or NaN.

        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()

    device: "cuda" or "cpu"; "cuda" is disabled, with a warning, where there is no such device.
    growth_factor, growth_interval: after that many steps in a row that were not skipped, update() multiplies
        the scale by the factor, which is greater than 1.
    backoff_factor: update() multiplies by it after a skipped step; it is less than 1.
    enabled: if False, step() calls the optimizer's step(), and nothing else has an effect.
    """

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device = device
        if enabled and device == "cuda" and not cuda.is_available():
            warnings.warn("GradScaler is enabled, but CUDA is not available. Disabling.", stacklevel=2)
            enabled = False
        self._enabled = enabled
        if not enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError(f"The growth factor must be > 1.0, but it is {growth_factor}")
        if backoff_factor >= 1.0:
            raise AssertionError(f"The backoff factor must be < 1.0, but it is {backoff_factor}")
        self._init_scale = init_scale
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._init_growth_tracker = 0
        # Made on the device of what is scaled first.
        self._scale: Tensor | None = None
        self._growth_tracker: Tensor | None = None
        self._per_optimizer_states: defaultdict[int, dict[str, Any]] = defaultdict(_new_state)

    def _started(self, name: str) -> tuple[Tensor, Tensor]:
        """The scale and the number of steps since it changed. AssertionError if nothing was scaled yet."""
        if self._scale is None or self._growth_tracker is None:
            raise AssertionError(f"Attempted {name} but _scale is None: no loss was scaled by scale() before")
        return self._scale, self._growth_tracker

    def _scale_on(self, device: _C.device, copies: dict[_C.device, Tensor]) -> Tensor:
        if self._scale is None:
            tracked = self._init_growth_tracker
            self._scale = _functions.full((), self._init_scale, dtype=_C.float32, device=device)
            self._growth_tracker = _functions.full((), tracked, dtype=_C.int32, device=device)
        if device not in copies:
            copies[device] = self._scale.to(device, non_blocking=True)
        return copies[device]

    def scale(self, outputs: Any) -> Any:
        """Returns the tensor, or the tensors of an iterable, times the scale."""
        return self._scaled(outputs, {}) if self._enabled else outputs

    def _scaled(self, outputs: Any, copies: dict[_C.device, Tensor]) -> Any:
        if isinstance(outputs, Tensor):
            return outputs * self._scale_on(outputs.device, copies)
        if not hasattr(outputs, "__iter__"):
            raise ValueError(
                f"outputs must be a Tensor or an iterable of Tensors, but got {type(outputs).__name__}"
            )
        scaled = (self._scaled(item, copies) for item in outputs)
        return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else scaled

    def _unscale_grads_(
        self, optimizer: Optimizer, inv_scale: Tensor, allow_fp16: bool
    ) -> dict[_C.device, Tensor]:
        """Multiplies the gradients by `inv_scale`. Returns 1 for devices where one was not finite, else 0."""
        gradients: defaultdict[tuple[_C.device, _C.dtype], list[Tensor]] = defaultdict(list)
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                if p.grad.dtype == _C.float16 and not allow_fp16:
                    raise ValueError("Attempting to unscale FP16 gradients.")
                gradients[p.grad.device, p.grad.dtype].append(p.grad.detach())
        found: dict[_C.device, Tensor] = {}
        for (device, _), same in gradients.items():
            if device not in found:
                found[device] = _functions.zeros((), dtype=_C.float32, device=device)
            _functions._amp_foreach_non_finite_check_and_unscale_(
                same, found[device], inv_scale.to(device, non_blocking=True)
            )
        return found

    def unscale_(self, optimizer: Optimizer) -> None:
        """Divides the gradients of the optimizer's parameters by the scale; step() does so unless it was
        done. It is for what uses gradients before the step, such as clipping. RuntimeError if they are
        divided already."""
        if not self._enabled:
            return
        scale, _ = self._started("unscale_")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.UNSCALED:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update()."
            )
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        inverse = scale.double().reciprocal().float()
        state["found_inf_per_device"] = self._unscale_grads_(optimizer, inverse, False)
        state["stage"] = OptState.UNSCALED

    def step(self, optimizer: Optimizer, *args: Any, **kwargs: Any) -> Any:
        """Calls optimizer.step(*args, **kwargs), with gradients divided by the scale, unless one of them is
        infinite or NaN. Returns what that returns, or None."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._started("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if getattr(optimizer, "_step_supports_amp_scaling", False):
            result = self._fused_step(optimizer, state, *args, **kwargs)
        else:
            if state["stage"] is OptState.READY:
                self.unscale_(optimizer)
            found = state["found_inf_per_device"]
            if not found:
                raise AssertionError("No inf checks were recorded for this optimizer.")
            skipped = any(t.item() for t in found.values())
            result = None if skipped else optimizer.step(*args, **kwargs)
        state["stage"] = OptState.STEPPED
        return result

    def _fused_step(self, optimizer: Any, state: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """A step of an optimizer that divides gradients itself, and does nothing where one is not finite: no
        value is read from the device."""
        scale, _ = self._started("step")
        is_scaled = state["stage"] is OptState.READY
        if is_scaled:
            self._check_inf_per_device(optimizer)
        own = getattr(optimizer, "grad_scale", None)
        optimizer.grad_scale = (scale if own is None else scale * own) if is_scaled else own
        found = [t.to(scale.device, non_blocking=True) for t in state["found_inf_per_device"].values()]
        optimizer.found_inf = sum(found[1:], start=found[0]) if found else _functions.zeros_like(scale)
        try:
            return optimizer.step(*args, **kwargs)
        finally:
            del optimizer.grad_scale, optimizer.found_inf

    def update(self, new_scale: float | Tensor | None = None) -> None:
        """Sets the scale after the steps of all optimizers: to `new_scale`, else by the factors for growth
        and backoff."""
        if not self._enabled:
            return
        scale, tracker = self._started("update")
        if isinstance(new_scale, Tensor):
            is_there = new_scale.device.type == self._device
            if not is_there or new_scale.numel() != 1 or new_scale.requires_grad:
                raise AssertionError(
                    f"new_scale should be a float, or a tensor on {self._device} of one element with "
                    "requires_grad=False"
                )
            scale.copy_(new_scale.reshape(()))
        elif new_scale is not None:
            scale.fill_(new_scale)
        else:
            states = self._per_optimizer_states.values()
            found = [t.to(scale.device) for s in states for t in s["found_inf_per_device"].values()]
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            _functions._amp_update_scale_(
                scale,
                tracker,
                sum(found[1:], start=found[0]),
                self._growth_factor,
                self._backoff_factor,
                self._growth_interval,
            )
        self._per_optimizer_states = defaultdict(_new_state)

    def get_scale(self) -> float:
        """The scale; 1.0 if it is not enabled."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()

    get_growth_factor, set_growth_factor = _access("_growth_factor", "the factor by which the scale grows")
    get_backoff_factor, set_backoff_factor = _access("_backoff_factor", "the factor after a skipped step")
    get_growth_interval, set_growth_interval = _access("_growth_interval", "after how many steps it grows")

    def _get_growth_tracker(self) -> int:
        if not self._enabled:
            return 0
        tracker = self._growth_tracker
        return self._init_growth_tracker if tracker is None else tracker.item()

    def is_enabled(self) -> bool:
        """Whether losses are scaled."""
        return self._enabled

    def state_dict(self) -> dict[str, Any]:
        """The scale, the settings and the number of steps since the scale changed; empty if not enabled."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            **{name: getattr(self, f"_{name}") for name in _SETTINGS},
            "_growth_tracker": self._get_growth_tracker(),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Sets what state_dict() returned. RuntimeError if that is empty."""
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError("The source state dict is empty: it is of a GradScaler that was not enabled")
        self._init_scale = state_dict["scale"]
        vars(self).update({f"_{name}": state_dict[name] for name in _SETTINGS})
        self._init_growth_tracker = state_dict["_growth_tracker"]
        if self._scale is not None and self._growth_tracker is not None:
            self._scale.fill_(self._init_scale)
            self._growth_tracker.fill_(self._init_growth_tracker)

    def __getstate__(self) -> dict[str, Any]:
        state = vars(self).copy()
        if self._enabled:
            if self._per_optimizer_states:
                raise AssertionError(
                    "A GradScaler can only be pickled before the first unscale_() or step() of an iteration, "
                    "or after its update()"
                )
            state |= {
                "_init_scale": self.get_scale(),
                "_init_growth_tracker": self._get_growth_tracker(),
                "_scale": None,
                "_growth_tracker": None,
            }
        return state

    def _check_inf_per_device(self, optimizer: Optimizer) -> dict[_C.device, Tensor]:
        scale, _ = self._started("_check_inf_per_device")
        found = self._unscale_grads_(optimizer, _functions.ones_like(scale), True)
        self._per_optimizer_states[id(optimizer)]["found_inf_per_device"] = found
        return found
