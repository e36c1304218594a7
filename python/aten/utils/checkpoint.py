"""Checkpointing: a function's intermediate results are not kept for backward, but computed again by it.

    y = checkpoint(block, x, use_reentrant=False)

This takes less memory and more time. The function must do the same when it is called again.
"""

from __future__ import annotations

import warnings
from contextlib import contextmanager, nullcontext

from .. import _C
from .._C import Tensor
from .._devices import wanted_device
from ..autograd import Function, backward
from ..autograd.grad_mode import enable_grad
from ..autograd.graph import saved_tensors_hooks
from ._recomputation import _CHECKS, CheckpointError, _Frame, _Inputs, _RandomStates

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from typing import Any

    Contexts = tuple[AbstractContextManager[Any], AbstractContextManager[Any]]

__all__ = [
    "CheckpointError",
    "CheckpointFunction",
    "checkpoint",
    "checkpoint_sequential",
    "noop_context_fn",
    "set_checkpoint_early_stop",
]


def noop_context_fn() -> Contexts:
    """Two contexts that do nothing."""
    return nullcontext(), nullcontext()


_early_stop: bool | None = None  # overrides the argument


@contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """Sets, in its scope, whether recomputations of functions that are checkpointed there stop once they have
    all tensors, whatever their argument `early_stop`."""
    global _early_stop
    previous, _early_stop = _early_stop, enable
    try:
        yield
    finally:
        _early_stop = previous


def _without_reentrance(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    states: _RandomStates,
    contexts: Contexts,
    describe: Callable[[Tensor], Any],
    early_stop: bool,
) -> Any:
    forward_context, recompute_context = contexts
    if not _C.is_grad_enabled():
        return function(*args, **kwargs)
    inputs = _Inputs.keep(args)
    device = wanted_device() or nullcontext()

    def again() -> None:
        arguments = inputs()
        with states.again(), recompute_context, device:
            function(*arguments, **kwargs)

    frame = _Frame(again, describe, early_stop if _early_stop is None else _early_stop)
    with saved_tensors_hooks(frame.pack, frame.unpack), forward_context:
        result = function(*args, **kwargs)
        frame.is_complete = True
    if not frame.is_complete:
        raise RuntimeError(
            "checkpoint(): the forward context of context_fn suppressed an exception of the function, which "
            "therefore has no result"
        )
    return result


class CheckpointFunction(Function):
    """The function as one node of the graph, whose backward calls it again and runs backward through it."""

    @staticmethod
    def forward(ctx: Any, function: Callable[..., Any], preserve_rng_state: bool, *args: Any) -> Any:
        tensors = [a for a in args if isinstance(a, Tensor)]
        if not any(t.requires_grad for t in tensors):
            warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=3)
        ctx.function = function
        ctx.states = _RandomStates(tensors, preserve_rng_state)
        ctx.others = [None if isinstance(a, Tensor) else a for a in args]
        ctx.places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        ctx.save_for_backward(*tensors)
        return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        inputs = list(ctx.others)
        for i, saved in zip(ctx.places, ctx.saved_tensors, strict=True):
            inputs[i] = saved.detach().requires_grad_(saved.requires_grad)
        with ctx.states.again(), enable_grad():
            outputs = ctx.function(*inputs)
        outputs = (outputs,) if isinstance(outputs, Tensor) else outputs
        pairs = [
            (o, g) for o, g in zip(outputs, grads, strict=True) if isinstance(o, Tensor) and o.requires_grad
        ]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        backward([o for o, _ in pairs], [g for _, g in pairs])
        return None, None, *(i.grad if isinstance(i, Tensor) else None for i in inputs)


def _chosen(use_reentrant: bool | None, name: str) -> bool:
    if use_reentrant is not None:
        return use_reentrant
    warnings.warn(
        f"{name}(): the use_reentrant parameter should be passed explicitly; use_reentrant=False is "
        "recommended. Without it, it is True.",
        stacklevel=3,
    )
    return True


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], Contexts] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """function(*args, **kwargs), of which only the arguments are kept for backward, which calls it again.

    With `preserve_rng_state` the second call gets the same random numbers. `context_fn` gives two context
    managers, for the call and for the second one. The second call's tensors must have the same shapes, dtypes
    and devices, unless `determinism_check` is "none", and it ends once it has all tensors if `early_stop`.

    With `use_reentrant` the call is one node of the graph, whose backward runs another one. It takes no
    keyword arguments and no contexts, needs an argument that requires grad, and is for `backward()` without
    `inputs` only: parameters that the function uses get their `grad`, and autograd.grad() doesn't return it.

    CheckpointError in backward if the second call does something else. NotImplementedError for `debug`.
    """
    if debug:
        raise NotImplementedError("checkpoint(): argument 'debug': operators are not recorded here")
    if _chosen(use_reentrant, "checkpoint"):
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn is not noop_context_fn:
            raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    if determinism_check not in _CHECKS:
        raise ValueError(f"determinism_check should be one of {list(_CHECKS)}, but got {determinism_check}")
    states = _RandomStates([*args, *kwargs.values()], preserve_rng_state)
    check = _CHECKS[determinism_check]
    return _without_reentrance(function, args, kwargs, states, context_fn(), check, early_stop)


def checkpoint_sequential(
    functions: Any,
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,
    *,
    preserve_rng_state: bool = True,
) -> Any:
    """The functions, or the modules of a Sequential, one after the other, in `segments` parts, of which all
    but the last are checkpointed."""
    use_reentrant = _chosen(use_reentrant, "checkpoint_sequential")
    steps = list(functions)
    size = len(steps) // segments

    def run(part: list[Any]) -> Callable[[Any], Any]:
        def forward(value: Any) -> Any:
            for step in part:
                value = step(value)
            return value

        return forward

    cut = size * (segments - 1)
    for start in range(0, cut, size):
        part = run(steps[start : start + size])
        input = checkpoint(part, input, use_reentrant=use_reentrant, preserve_rng_state=preserve_rng_state)
    return run(steps[cut:])(input)
