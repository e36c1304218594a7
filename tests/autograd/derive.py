"""Derivatives of a call of an operator, in this library or PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import aten
import numpy as np
from calls import Call, DType, Seeded
from gauge import fixed
from tensors import Operand, same_strides, to_array

DOUBLE = ("float64", "complex128")


def replace(value: Any, change: Callable[[Operand], Any]) -> Any:
    """Returns an argument with its operands replaced by `change` of them."""
    if isinstance(value, Operand):
        return change(value)
    if isinstance(value, (list, tuple)):
        return type(value)(replace(v, change) for v in value)
    return value


def tensor(T: Any, o: Operand) -> Any:
    if T is aten:
        return o.tensor()
    t = T.from_numpy(same_strides(o.stored))
    return t.view(T.bfloat16) if o.dtype == "bfloat16" else t


def name_of(T: Any, t: Any) -> str:
    return str(t.dtype).rpartition(".")[2]


def is_floating(t: Any) -> bool:
    return t.is_floating_point() or t.is_complex()


def listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def random_like(T: Any, like: Any, seed: int) -> Any:
    """Returns random values like those of a tensor, the same in both libraries."""
    rng = np.random.default_rng([seed, *like.shape])
    values = rng.standard_normal(like.shape)
    if like.is_complex():
        values = values + 1j * rng.standard_normal(like.shape)
    return T.from_numpy(np.asarray(values)).to(like.dtype).to(like.device)


@dataclass(frozen=True)
class Problem:
    """A call of `overload` ("add.Tensor") in the library T."""

    T: Any
    overload: str
    call: Call

    @property
    def op(self) -> Any:
        packet, _, name = self.overload.partition(".")
        return getattr(getattr(self.T.ops.aten, packet), name or "default")

    @property
    def in_place(self) -> bool:
        arguments = self.op._schema.arguments
        return bool(arguments) and self.overload.partition(".")[0].endswith("_")

    def tensors(self) -> dict[int, Any]:
        """Returns the tensors, keyed by id() of their operand."""
        return {id(o): tensor(self.T, o) for o in {id(o): o for o in self.call.operands}.values()}

    def outputs(self, at: dict[int, Any]) -> list[Any]:
        """Returns the floating results of the call with these tensors, vectors without their phase."""
        found = listed(fixed(self.overload, self.results(at)))
        return [o for o in found if isinstance(o, self.T.Tensor) and is_floating(o)]

    def results(self, at: dict[int, Any]) -> Any:
        """Returns the results of the call. Random operators draw the same numbers each time."""
        self.T.manual_seed(7)
        args = [self.argument(a, at) for a in self.call.args]
        kwargs = {k: self.argument(v, at) for k, v in self.call.kwargs.items()}
        if self.in_place:
            is_list = isinstance(args[0], list)
            written = [t * 1 if t.requires_grad else t.clone() for t in listed(args[0])]
            args[0] = written if is_list else written[0]
        result = self.op(*args, **kwargs)
        return args[0] if result is None and self.in_place else result

    def argument(self, value: Any, at: dict[int, Any]) -> Any:
        if isinstance(value, Operand):
            return at[id(value)]
        if isinstance(value, DType):
            return getattr(self.T, value.name)
        if isinstance(value, Seeded):
            generator = self.T.Generator()
            generator.manual_seed(value.seed)
            return generator
        if isinstance(value, (list, tuple)):
            return type(value)(self.argument(v, at) for v in value)
        return value

    def is_allowed(self) -> bool:
        """Whether the operator takes the arguments at all (an in-place one may not)."""
        try:
            self.outputs(self.tensors())
        except (RuntimeError, TypeError, ValueError, IndexError):
            return False
        return True

    def requiring(self, at: dict[int, Any]) -> list[int]:
        """Makes the floating operands that may require a gradient require one, and returns their keys."""
        floating = [k for k, t in at.items() if is_floating(t)]
        if self.refuses(floating):
            floating = [k for k in floating if not self.refuses([k])]
        for k in floating:
            at[k].requires_grad_()
        return floating

    def refuses(self, keys: list[int]) -> bool:
        """Whether the operator raises an error because it has no formula for one of these operands."""
        at = self.tensors()
        for k in keys:
            at[k].requires_grad_()
        try:
            self.outputs(at)
        except (RuntimeError, NotImplementedError) as error:
            return "not implemented" in str(error)
        return False

    def derivatives(self) -> tuple[list[Any], list[Any]]:
        """Returns the gradients of the floating operands, and gradients of these, for operands and output
        gradients.
        """
        at = self.tensors()
        floating = [k for k, t in at.items() if is_floating(t)]
        keys = self.requiring(at)
        leaves = [at[k] for k in keys]
        outputs = [o for o in self.outputs(at) if o.requires_grad]
        if not outputs:
            return [], []
        given = [random_like(self.T, o, 1).requires_grad_() for o in outputs]
        grad = self.T.autograd.grad
        found = dict(
            zip(keys, grad(outputs, leaves, given, create_graph=True, allow_unused=True), strict=True)
        )
        first = [found.get(k) for k in floating]
        again = [g for g in first if g is not None and g.requires_grad]
        if not again:
            return first, []
        weights = [random_like(self.T, g, 2) for g in again]
        of_leaves = grad(again, [*leaves, *given], weights, allow_unused=True)
        found = dict(zip(keys, of_leaves, strict=False))
        return first, [*(found.get(k) for k in floating), *of_leaves[len(leaves) :]]

    def tangents(self) -> list[Any]:
        """Returns the tangents of the outputs for random tangents of the leaves."""
        forward_ad = self.T.autograd.forward_ad
        with forward_ad.dual_level():
            at = {
                k: forward_ad.make_dual(t, random_like(self.T, t, 3)) if is_floating(t) else t
                for k, t in self.tensors().items()
            }
            return [forward_ad.unpack_dual(o).tangent for o in self.outputs(at)]

    def differentiable(self) -> tuple[Callable[..., tuple[Any, ...]], list[Any]] | None:
        """Returns the outputs as a function of the leaves of double precision, for finite differences; None
        where finite differences prove nothing.
        """
        at = self.tensors()
        movable = {k: t for k, t in at.items() if self.can_be_moved(t)}
        chosen = {k: at[k] for k in self.requiring(movable)}

        def function(*leaves: Any) -> tuple[Any, ...]:
            return tuple(self.outputs({**at, **dict(zip(chosen, leaves, strict=True))}))

        outputs = function(*chosen.values())
        if not any(o.requires_grad for o in outputs) or not all(self.is_exact(o) for o in outputs):
            return None
        return function, list(chosen.values())

    def can_be_moved(self, t: Any) -> bool:
        shared = any(n > 1 and step == 0 for n, step in zip(t.shape, t.stride(), strict=True))
        return name_of(self.T, t) in DOUBLE and not shared

    def is_exact(self, t: Any) -> bool:
        return name_of(self.T, t) in DOUBLE and bool(np.isfinite(values(self.T, t)).all())


def values(T: Any, t: Any) -> np.ndarray:
    t = t.detach()
    if T is aten:
        return to_array(t)
    held = {T.bfloat16: T.float32, T.complex32: T.complex64}.get(t.dtype, t.dtype)  # NumPy lacks bfloat16
    return t.to(held).numpy(force=True)


def outcome(function: Any) -> Any:
    """Returns what the function returns, or the exception that it raises."""
    try:
        return function()
    except (RuntimeError, NotImplementedError, TypeError, ValueError, IndexError) as error:
        return error
