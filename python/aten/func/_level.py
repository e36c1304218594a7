"""One differentiation of a function: its arguments as tensors of its own, its results, and products with the
Jacobian.

Differentiations nest. Each takes derivatives with respect to its own tensors only, and what it returns is
part of the graphs around it; of what depends on its own tensors alone, no graph is kept.
"""

from __future__ import annotations

from _thread import _local

from .. import _C
from .._C import Tensor, _autograd
from ..autograd.forward_ad import make_dual, unpack_dual
from ..autograd.grad_mode import enable_grad
from ..autograd.graph import get_gradient_edge
from ._trees import leaves, like, mapped, structure
from ._vmap import products

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

_functions = _C._VariableFunctions
_running = _local()  # level: the one whose function this thread runs


class Level:
    """A call of `func(*args, **kwargs)` for derivatives with respect to the arguments of the numbers
    `argnums`, or to all. `api` names the caller in errors. `result` and `aux` are what func returned."""

    def __init__(
        self,
        api: str,
        func: Callable[..., Any],
        args: tuple[Any, ...],
        argnums: Any = None,
        has_aux: bool = False,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        if _C.is_inference_mode_enabled():
            raise RuntimeError(f"{api}: there are no derivatives in inference mode")
        self.api, self.records = api, _C.is_grad_enabled()
        numbers = tuple(range(len(args))) if argnums is None else _numbers(argnums, len(args))
        chosen = tuple(args[i] for i in numbers)
        self.primals = chosen[0] if isinstance(argnums, int) else chosen
        self.inputs = [_alias(t) for t in leaves(chosen)]
        self._own: set[Any] = set()
        self._enclosing: Level | None = getattr(_running, "level", None)
        self._add_own(self.inputs)
        given = list(args)
        for i, part in zip(numbers, like(chosen, self.inputs), strict=True):
            given[i] = part
        versions = [t._version for t in self.inputs]
        _running.level = self
        try:
            with enable_grad():
                result = func(*given, **(kwargs or {}))
        finally:
            _running.level = self._enclosing
        if [t._version for t in self.inputs] != versions:
            raise RuntimeError(f"{api}: the function modified an argument in place")
        self.aux: Any = None
        if has_aux:
            if not isinstance(result, tuple) or len(result) != 2:
                raise RuntimeError(
                    f"{api}: output of function f should be a tuple: (output, aux) if has_aux is True"
                )
            result, self.aux = result
        self.result = result

    def outputs(self) -> list[Tensor]:
        """The tensors of the result. RuntimeError if there are none, or others."""
        found = leaves(self.result)
        if not found or found == [None]:
            raise RuntimeError(
                f"{self.api}: Expected f to be a function that has non-empty output (got output = {found})"
            )
        for t in found:
            if not isinstance(t, Tensor):
                raise RuntimeError(
                    f"{self.api}: expected f(*primals) to return only tensors, got unsupported type {type(t)}"
                )
        return found

    def pulled(
        self, outputs: Sequence[Tensor], cotangents: Sequence[Tensor], retain: bool, records: bool
    ) -> list[Tensor]:
        """The products of the cotangents of outputs with the Jacobian, for each input. With `records` they
        are part of the graphs around this differentiation."""
        keeps = records and any(self._is_kept(t) for t in (*outputs, *cotangents))
        found = _gradients(outputs, self.inputs, cotangents, retain or keeps, keeps)
        return [
            _functions.zeros_like(i) if t is None else self.freed(t, records)
            for t, i in zip(found, self.inputs, strict=True)
        ]

    def pulled_batch(self, output: Tensor, cotangents: Tensor) -> list[Tensor | None]:
        """The same for a batch of cotangents of one output, which are constants, at once; the examples are in
        front. None for inputs that the output doesn't depend on."""
        keeps = self.records and self._is_kept(output)

        def product(cotangent: Tensor) -> Sequence[Tensor | None]:
            return _gradients([output], self.inputs, [cotangent], True, keeps)

        return [
            None if t is None else self.freed(t, self.records) for t in products(product, [cotangents], (0,))
        ]

    def push(self, outputs: Sequence[Tensor]) -> Callable[[Sequence[Tensor]], list[Tensor | None]]:
        """The function that multiplies the Jacobian by tangents of the inputs; None for outputs that don't
        depend on the inputs. A backward pass is linear in its cotangents, and its derivative with respect to
        them is the product; their values don't matter."""
        cotangents = [_functions.ones_like(t).requires_grad_(t.requires_grad) for t in outputs]
        self._add_own(cotangents)
        rows = _gradients(outputs, self.inputs, cotangents, True, True)
        for row in rows:
            if row is not None and not row.requires_grad and bool((_behind(row) != 0).any()):
                raise RuntimeError(f"{self.api}: a backward() of the function can't be differentiated")
        used = [i for i, row in enumerate(rows) if row is not None and row.requires_grad]
        depends = [i for i, t in enumerate(cotangents) if t.requires_grad]
        is_outer = any(self._is_kept(t) for t in outputs)

        def product(tangents: Sequence[Tensor]) -> list[Tensor | None]:
            records = _C.is_grad_enabled()
            keeps = records and (is_outer or any(self._is_kept(t) for t in tangents))
            found = _gradients(
                [rows[i] for i in used],
                [cotangents[i] for i in depends],
                [tangents[i] for i in used],
                True,
                keeps,
            )
            products = dict(zip(depends, found, strict=True))
            given = [products.get(i) for i in range(len(outputs))]
            return [None if t is None else self.freed(t, records) for t in given]

        return product

    def freed(self, t: Tensor, records: bool) -> Tensor:
        """A tensor to return: it requires grad only if it depends on tensors of the graphs around."""
        if not t.requires_grad or (records and self._is_outer(t)):
            return t
        return _unrecorded(t)

    def freed_tree(self, tree: Any) -> Any:
        """The same for the tensors of a tree."""
        return mapped(lambda t: self.freed(t, self.records) if isinstance(t, Tensor) else t, tree)

    def _add_own(self, tensors: Sequence[Tensor]) -> None:
        """Adds the leaves among the tensors: they are of this differentiation, and of those around it once it
        has ended."""
        nodes = {get_gradient_edge(t).node for t in tensors if t.requires_grad and t.is_leaf}
        level: Level | None = self
        while level is not None:
            level._own |= nodes
            level = level._enclosing

    def _is_kept(self, t: Tensor) -> bool:
        """Whether a graph around this differentiation goes on at the tensor: its own, or that of the value
        behind a tensor in vmap."""
        if self._is_outer(t):
            return True
        inside = _C._batched_value(t)
        while inside is not None:
            if inside[0].requires_grad:
                return True
            inside = _C._batched_value(inside[0])
        return False

    def _is_outer(self, t: Tensor) -> bool:
        """Whether the tensor's graph has a leaf that isn't of this differentiation, or of one within it."""
        if not t.requires_grad:
            return False
        first = get_gradient_edge(t).node
        nodes, seen = [first], {first}
        while nodes:
            node = nodes.pop()
            if node not in self._own and node.name() == "torch::autograd::AccumulateGrad":
                return True
            for further, _ in node.next_functions:
                if further is not None and further not in seen:
                    seen.add(further)
                    nodes.append(further)
        return False


def _alias(t: Any) -> Tensor:
    """A tensor for derivatives with respect to `t`; it is part of the graph that t is recorded in."""
    if not isinstance(t, Tensor):
        raise ValueError(f"Thing passed to transform API must be Tensor, got {type(t)}")
    level = _C._batch_level()
    if level:
        # In vmap every tensor to differentiate by belongs to the map: its graph is not that of the value.
        inside = _C._batched_value(t)
        if inside is None or inside[2] != level:
            t = _C._make_batched(t, False)
    is_recorded = t.requires_grad and _C.is_grad_enabled()
    return t.view_as(t) if is_recorded else _unrecorded(t).requires_grad_()


def _unrecorded(t: Tensor) -> Tensor:
    """The tensor without its graph; unlike detach(), this keeps its tangent."""
    primal, tangent = unpack_dual(t)
    bare = primal.detach() if _C._batched_value(primal) is None else _C._batched_alias(primal)
    return bare if tangent is None else make_dual(bare, tangent)


def _behind(t: Tensor) -> Tensor:
    """The tensor of all examples that a tensor in vmap stands for; others as they are."""
    inside = _C._batched_value(t)
    return t if inside is None else _behind(inside[0])


def _gradients(
    outputs: Sequence[Any], inputs: Sequence[Any], cotangents: Sequence[Any], retain: bool, create: bool
) -> Sequence[Tensor | None]:
    """autograd.grad of the outputs that require grad; None where there is no dependence."""
    used = [(o, c) for o, c in zip(outputs, cotangents, strict=True) if o.requires_grad]
    if not used or not inputs:
        return [None] * len(inputs)
    with enable_grad():
        return _autograd.grad(
            [o for o, _ in used],
            inputs,
            [c for _, c in used],
            retain_graph=retain,
            create_graph=create,
            allow_unused=True,
        )


def _numbers(argnums: Any, count: int) -> tuple[int, ...]:
    """The numbers as a tuple of non-negative ones."""
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    numbers = argnums if isinstance(argnums, tuple) else (argnums,)
    for number in numbers:
        if not isinstance(number, int):
            raise RuntimeError(f"argnum must be int, got: {type(number)}")
        if not -count <= number < count:
            raise RuntimeError(f"Got argnum={number}, but only {count} positional inputs")
    if not numbers:
        raise RuntimeError("argnums must be non-empty")
    if len(set(numbers)) != len(numbers):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    return tuple(number % count for number in numbers)


def check_structure(tree: Any, expected: Any, message: str) -> None:
    """RuntimeError unless both trees differ in leaves only; the message has places for both structures."""
    got, wanted = structure(tree), structure(expected)
    if got != wanted:
        raise RuntimeError(message.format(got, wanted))
