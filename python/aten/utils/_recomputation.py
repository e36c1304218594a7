"""What checkpointing keeps of a call, and how it fills the places of tensors by calling again."""

from __future__ import annotations

import weakref
from contextlib import contextmanager

from .. import _C, random
from .._C import Tensor
from ..autograd import Function
from ..autograd.grad_mode import enable_grad, no_grad
from ..autograd.graph import saved_tensors_hooks

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

_functions: Any = _C._VariableFunctions


class CheckpointError(RuntimeError):
    """The function did something else when it was called again."""


class _Stop(Exception):
    """Ends a recomputation that has all tensors."""


class _RandomStates:
    """The states of the CPU's generator, and of those of the tensors' CUDA devices, if `enabled`."""

    def __init__(self, tensors: Sequence[Any], enabled: bool) -> None:
        self.enabled = enabled
        self.devices = sorted({t.get_device() for t in tensors if isinstance(t, Tensor) and t.is_cuda})
        self.states = self._now()

    def _now(self) -> list[Tensor]:
        if not self.enabled:
            return []
        from ..cuda import get_rng_state

        return [random.get_rng_state(), *map(get_rng_state, self.devices)]

    def _set(self, states: list[Tensor]) -> None:
        if not states:
            return
        from ..cuda import set_rng_state

        random.set_rng_state(states[0])
        for device, state in zip(self.devices, states[1:], strict=True):
            set_rng_state(state, device)

    @contextmanager
    def again(self) -> Iterator[None]:
        """In its scope, random numbers are those that followed the states."""
        outside = self._now()
        self._set(self.states)
        try:
            yield
        finally:
            self._set(outside)


class _Inputs(Function):
    """Saves tensors for backward, so that outer hooks pack them and changes of them are noticed."""

    @staticmethod
    def forward(ctx: Any, leaf: Tensor, *tensors: Tensor) -> Tensor:
        ctx.save_for_backward(*tensors)
        return leaf.clone()

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        raise RuntimeError("checkpoint(): the node that keeps the inputs has no derivative")

    @classmethod
    def keep(cls, args: Sequence[Any]) -> Callable[[], list[Any]]:
        """Returns a function that gives the arguments again."""
        tensors = {i: a for i, a in enumerate(args) if isinstance(a, Tensor)}
        others = [None if i in tensors else a for i, a in enumerate(args)]
        with enable_grad():
            kept = cls.apply(_functions.empty((0,), requires_grad=True), *tensors.values())

        def arguments() -> list[Any]:
            found = dict(zip(tensors, kept.grad_fn.saved_tensors, strict=True))
            return [found.get(i, other) for i, other in enumerate(others)]

        return arguments


class _Place:
    """What a graph keeps instead of a tensor; `tensor` is there from a recomputation until it is used."""

    def __init__(self) -> None:
        self.tensor: Tensor | None = None


def _shape_dtype_device(tensor: Tensor) -> Any:
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


class _Frame:
    """One checkpointed call: places for the tensors that it saved, and how to compute them again."""

    def __init__(
        self, again: Callable[[], None], describe: Callable[[Tensor], Any], early_stop: bool
    ) -> None:
        self.again, self.describe, self.early_stop = again, describe, early_stop
        self.places: list[weakref.ref[_Place]] = []
        self.descriptions: list[Any] = []
        self.is_complete = False  # whether the call has returned

    def pack(self, tensor: Tensor) -> _Place:
        place = _Place()
        self.places.append(weakref.ref(place))
        with no_grad():
            self.descriptions.append(self.describe(tensor))
        return place

    def unpack(self, place: _Place) -> Tensor:
        if place.tensor is None:
            self.recompute()
        tensor, place.tensor = place.tensor, None
        if tensor is None:
            raise CheckpointError("checkpoint(): a tensor was not saved again during recomputation")
        return tensor

    def recompute(self) -> None:
        """Calls the function again, and fills the places that are still there."""
        count = 0
        different: list[str] = []
        ignores = not self.is_complete  # backward within the function: it has not saved all tensors yet

        def fill(tensor: Tensor) -> Tensor:
            nonlocal count
            tensor = tensor.detach()
            index, count = count, count + 1
            if index >= len(self.places):
                if ignores:
                    return tensor
                raise CheckpointError(
                    "checkpoint(): trying to save more tensors during recomputation than during the original "
                    f"forward pass, which saved {len(self.places)}"
                )
            place = self.places[index]()
            if place is not None:
                place.tensor = tensor
                now = self.describe(tensor)
                if now != self.descriptions[index]:
                    saved = self.descriptions[index]
                    different.append(
                        f"tensor at position {index}:\nsaved metadata: {saved}\nrecomputed metadata: {now}"
                    )
            if self.early_stop and count == len(self.places):
                raise _Stop
            return tensor

        try:
            with saved_tensors_hooks(fill, lambda tensor: tensor), enable_grad():
                self.again()
        except _Stop:
            pass
        if count != len(self.places) and not ignores:
            raise CheckpointError(
                "checkpoint(): A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {len(self.places)}\n"
                f"Number of tensors saved during recomputation: {count}."
            )
        if different:
            raise CheckpointError(
                "checkpoint(): Recomputed values for the following tensors have different metadata than "
                "during the forward pass.\n" + "\n".join(different)
            )


_CHECKS: dict[str, Callable[[Tensor], Any]] = {"default": _shape_dtype_device, "none": lambda tensor: None}
