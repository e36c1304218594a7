"""Backward hooks of modules: nodes at a module's inputs and outputs whose gradients the hooks get."""

from __future__ import annotations

import warnings
from functools import partial

from ..._C import Tensor, is_grad_enabled
from ...autograd.function import Function

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,misc,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


class _Boundary(Function):
    """The identity; the hooks of its node see the gradients of all tensors together."""

    @staticmethod
    def forward(ctx: Any, *tensors: Tensor) -> tuple[Tensor, ...]:
        ctx.mark_non_differentiable(*[t for t in tensors if not t.requires_grad])
        return tensors

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        return gradients


def _through_node(
    values: tuple[Any, ...], register: Callable[[Any], None]
) -> tuple[tuple[Any, ...], list[int] | None]:
    """Passes the tensors among the values through one node. Returns the values and the tensors' positions;
    None for these if no gradients are recorded."""
    places = [i for i, v in enumerate(values) if isinstance(v, Tensor)]
    if not is_grad_enabled() or not any(values[i].requires_grad for i in places):
        return values, None
    passed = _Boundary.apply(*(values[i] for i in places))
    register(next(t.grad_fn for t in passed if t.grad_fn is not None))
    result = list(values)
    for place, tensor in zip(places, passed, strict=True):
        result[place] = tensor
    kind: Any = type(values)
    return (tuple(result) if kind is tuple else kind(*result)), places


def _spread(places: Sequence[int], gradients: Sequence[Any], size: int) -> tuple[Any, ...]:
    spread = [None] * size
    for place, gradient in zip(places, gradients, strict=True):
        spread[place] = gradient
    return tuple(spread)


class BackwardHook:
    """The hooks of one call of a module."""

    def __init__(self, module: Any, hooks: Sequence[Any], pre_hooks: Sequence[Any]) -> None:
        self.module, self.hooks, self.pre_hooks = module, hooks, pre_hooks
        self.grad_outputs: tuple[Any, ...] | None = None

    def setup_input_hook(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Returns the arguments, through the node whose gradients are grad_input."""
        self.n_inputs = len(args)
        args, self.inputs = _through_node(args, lambda node: node.register_hook(self._at_inputs))
        return args

    def setup_output_hook(self, result: Any) -> Any:
        """Returns the result, through the node whose gradients are grad_output."""
        values = result if isinstance(result, tuple) else (result,)
        self.n_outputs = len(values)
        values, self.outputs = _through_node(values, lambda node: node.register_hook(self._at_outputs))
        return values if isinstance(result, tuple) else values[0]

    def _at_inputs(self, gradients: Sequence[Any], _: Any) -> Any:
        if self.grad_outputs is None:
            return None  # the gradient came here without passing the outputs
        assert self.inputs is not None
        grad_inputs = _spread(self.inputs, gradients, self.n_inputs)
        for hook in self.hooks:
            changed = hook(self.module, grad_inputs, self.grad_outputs)
            if changed is not None:
                _check_length("Backward hook", "grad_input", changed, grad_inputs)
                grad_inputs = changed
        self.grad_outputs = None
        return tuple(grad_inputs[i] for i in self.inputs)

    def _at_outputs(self, _: Any, gradients: Sequence[Any]) -> Any:
        assert self.outputs is not None
        grad_outputs = _spread(self.outputs, gradients, self.n_outputs)
        for hook in self.pre_hooks:
            changed = hook(self.module, grad_outputs)
            if changed is not None:
                _check_length("Backward pre hook", "grad_output", changed, grad_outputs)
                grad_outputs = changed
        self.grad_outputs = grad_outputs
        if self.inputs is None:
            self._without_inputs(grad_outputs)
        return tuple(grad_outputs[i] for i in self.outputs)

    def _without_inputs(self, grad_outputs: tuple[Any, ...]) -> None:
        """Calls the hooks at the outputs, as no input requires grad."""
        warnings.warn(
            "Full backward hook is firing when gradients are computed with respect to module outputs since "
            "no inputs require gradients.",
            stacklevel=5,
        )
        for hook in self.hooks:
            changed = hook(self.module, (None,) * self.n_inputs, grad_outputs)
            if changed is not None and not (isinstance(changed, tuple) and all(g is None for g in changed)):
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should always return None or "
                    "None for all gradients."
                )
        self.grad_outputs = None


def _check_length(hook: str, what: str, got: Sequence[Any], expected: Sequence[Any]) -> None:
    if len(got) != len(expected):
        raise RuntimeError(
            f"{hook} returned an invalid number of {what}, got {len(got)}, but expected {len(expected)}"
        )


def register_on_last_node(module: Any, hooks: Sequence[Any], args: Any, result: Any) -> None:
    """Registers hooks for the gradients of the node that made the (first) output. Warns if these are not the
    gradients of the module's inputs and outputs."""
    first = result
    while not isinstance(first, Tensor):
        first = next(iter(first.values())) if isinstance(first, dict) else first[0]
    node = first.grad_fn
    if node is None:
        return
    outputs = result if isinstance(result, tuple) else (result,)
    made = {t.grad_fn for t in outputs if isinstance(t, Tensor)}
    inputs = {t.grad_fn for t in args if isinstance(t, Tensor) and t.grad_fn is not None}
    inner = {before for before, _ in node.next_functions if before is not None}
    if made != {node} or inner != inputs:
        warnings.warn(
            f"register_backward_hook(): {type(module).__name__} consists of several operators; the hook has "
            "the gradients of the last one. Please use register_full_backward_hook()",
            FutureWarning,
            stacklevel=3,
        )
    for hook in hooks:
        node.register_hook(partial(hook, module))
