"""Gradients for batches of cotangents, and custom functions in vmap()."""

from __future__ import annotations

from collections import namedtuple

from .. import _C
from .._C import Tensor, _autograd
from ..func._trees import broadcast, leaves, like, mapped
from ..func._vmap import products
from .function import Function

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """autograd.grad() with is_grads_batched. What is zero by materialize_grads has no batch dimension."""
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
            "allow_unused=False."
        )
    given = list(grad_outputs) if isinstance(grad_outputs, (tuple, list)) else [grad_outputs]
    if all(g is None for g in given):
        raise ValueError("autograd.grad(): is_grads_batched=True needs grad_outputs with a batch dimension")

    def product(*cotangents: Any) -> Any:
        return _autograd.grad(
            outputs,
            inputs,
            cotangents,
            retain_graph,
            create_graph,
            allow_unused=bool(allow_unused) or materialize_grads,
        )

    found = products(product, given, tuple(None if g is None else 0 for g in given))
    if not materialize_grads:
        return tuple(found)
    wanted = [inputs] if isinstance(inputs, Tensor) else inputs
    zeros = _C._VariableFunctions.zeros_like
    return tuple(zeros(i) if t is None else t for t, i in zip(found, wanted, strict=True))


# ---- custom functions

VmapInfo = namedtuple("VmapInfo", ("batch_size", "randomness"))


def has_rule(function: type[Function]) -> bool:
    """Whether the class defines vmap(). RuntimeError if that can't be used."""
    if function.vmap is Function.vmap:
        return False
    if function.generate_vmap_rule:
        raise RuntimeError(
            f"{function.__name__} has both generate_vmap_rule=True and a vmap staticmethod: remove one"
        )
    if not function._has_setup_context:
        raise RuntimeError(
            f"{function.__name__} has a vmap staticmethod, so it must override the setup_context "
            "staticmethod, and its forward takes no ctx"
        )
    return True


def run_rule(function: type[Function], args: tuple[Any, ...]) -> Any:
    """The results of vmap() for arguments of which one is a tensor in a map: those of the innermost map are
    batched for it."""
    inside = [v for v in map(_C._batched_value, leaves(args)) if v is not None]
    if any(ended for *_, ended in inside):
        raise RuntimeError(f"{function.__name__}: an argument is a tensor of a vmap that has ended")
    number = max(n for _, _, n, _ in inside)
    return _C._call_below(number + 1, _run_rule_at, (number, function, args))


def _run_rule_at(number: int, function: type[Function], args: tuple[Any, ...]) -> Any:
    info = VmapInfo(*_C._batch_level_options())

    def split(t: Any) -> tuple[Any, int | None]:
        inside = _C._batched_value(t)
        if inside is None or inside[2] != number:
            return t, None
        return inside[0], 0 if inside[1] else None

    parts = [split(t) for t in leaves(args)]
    values, dims = (like(args, column) for column in zip(*parts, strict=True))
    if all(dim is None for _, dim in parts):
        result = _C._call_below(number, function.apply, values)
        return mapped(lambda t: _C._make_batched(t, False) if isinstance(t, Tensor) else t, result)
    result = _C._call_below(number, function.vmap, (info, dims, *values))
    if not isinstance(result, tuple) or len(result) != 2:
        raise RuntimeError(
            f"{function.__name__}: Expected the vmap staticmethod to have two returns, an output and "
            f"out_dims with pytree structure compatible with the output. Got a {type(result)}"
        )
    output, out_dims = result
    given = broadcast(out_dims, output)
    if given is None:
        raise RuntimeError(f"{function.__name__}.vmap: out_dims={out_dims} don't fit the outputs")
    return like(output, [_wrapped(t, d) for t, d in zip(leaves(output), given, strict=True)])


def _wrapped(value: Any, dim: int | None) -> Any:
    if dim is None:
        return _C._make_batched(value, False) if isinstance(value, Tensor) else value
    return _C._make_batched(value.movedim(dim, 0) if dim else value, True)
