"""Derivatives of functions: Jacobians, Hessians, and their products with vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._C import Tensor, _autograd
from .._C import _VariableFunctions as functions
from .grad_mode import enable_grad

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

Tensors = tuple[Tensor, ...]


def vjp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The results of `func`, and the vector-Jacobian product with `v`, one tensor for each input.

    `v` has the shapes of the results; it can be omitted for a one-element result. With `strict`, a result
    that doesn't depend on an input raises RuntimeError instead of giving zeros.
    """
    with enable_grad():
        run = _Run("vjp", func, inputs, create_graph, strict)
        vectors = run.vectors(v, run.outputs, "v")
        products = run.gradients(run.outputs, run.inputs, vectors, create_graph)
    return run.result_outputs(), run.like_inputs(products)


def jvp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The results of `func`, and the Jacobian-vector product with `v`, one tensor for each result.

    `v` has the shapes of the inputs; it can be omitted for a one-element input. It is computed by
    differentiating the backward pass; `forward_ad` needs only one pass.
    """
    with enable_grad():
        run = _Run("jvp", func, inputs, create_graph, strict)
        vectors = run.vectors(v, run.inputs, "v")
        # The backward pass is linear in its gradients, so its derivative with respect to them is the product.
        zeros = tuple(functions.zeros_like(o).requires_grad_() for o in run.outputs)
        transposed = run.gradients(run.outputs, run.inputs, zeros, True)
        products = run.gradients(transposed, zeros, vectors, create_graph)
    return run.result_outputs(), run.like_outputs(products)


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The derivatives of all elements of the results with respect to all elements of the inputs: tensors with
    the result's shape followed by the input's. They are in a tuple for several inputs, and in an outer tuple
    for several results.

    NotImplementedError for `vectorize` and for the strategy "forward-mode", which needs it.
    """
    if vectorize or strategy != "reverse-mode":
        raise NotImplementedError("jacobian(): only strategy='reverse-mode' without vectorize is supported")
    with enable_grad():
        run = _Run("jacobian", func, inputs, create_graph, strict)
        rows = tuple(_jacobian_of(run, output, create_graph) for output in run.outputs)
    return run.like_outputs(tuple(run.like_inputs(row) for row in rows))


def _jacobian_of(run: _Run, output: Tensor, create_graph: bool) -> Tensors:
    rows: list[list[Tensor]] = [[] for _ in run.inputs]
    for element in output.reshape(-1).unbind() if output.numel() else ():
        for row, gradient in zip(
            rows, run.gradients((element,), run.inputs, None, create_graph), strict=True
        ):
            row.append(gradient)
    return tuple(
        functions.stack(row).reshape(tuple(output.shape) + tuple(i.shape))
        if row
        else i.new_zeros(tuple(output.shape) + tuple(i.shape))
        for row, i in zip(rows, run.inputs, strict=True)
    )


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The second derivatives of a function with a one-element result: a tensor with the input's shape twice;
    for several inputs a tuple of tuples. NotImplementedError as for jacobian()."""
    several = isinstance(inputs, tuple)

    def first(*args: Tensor) -> Any:
        derivatives = jacobian(_scalar("hessian", func), args, create_graph=True, strict=strict)
        return derivatives if several else derivatives[0]

    return jacobian(first, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)


def vhp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The one-element result of a function, and the product of `v`, which has the inputs' shapes, with its
    Hessian."""
    with enable_grad():
        run = _Run("vhp", _scalar("vhp", func), inputs, create_graph, strict)
        vectors = run.vectors(v, run.inputs, "v")
        first = run.gradients(run.outputs, run.inputs, None, True)
        products = run.gradients(first, run.inputs, vectors, create_graph)
    return run.result_outputs(), run.like_inputs(products)


def hvp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The one-element result of a function, and the product of its Hessian with `v`, which has the inputs'
    shapes. vhp() gives the same for twice continuously differentiable functions, and is faster."""
    with enable_grad():
        run = _Run("hvp", _scalar("hvp", func), inputs, create_graph, strict)
        vectors = run.vectors(v, run.inputs, "v")
        first = run.gradients(run.outputs, run.inputs, None, True)
        zeros = tuple(functions.zeros_like(i).requires_grad_() for i in run.inputs)
        transposed = run.gradients(first, run.inputs, zeros, True)
        products = run.gradients(transposed, zeros, vectors, create_graph)
    return run.result_outputs(), run.like_inputs(products)


def _scalar(caller: str, func: Callable[..., Any]) -> Callable[..., Any]:
    def checked(*args: Tensor) -> Any:
        result = func(*args)
        if not isinstance(result, Tensor):
            raise RuntimeError(f"{caller}(): the function has to return a single Tensor")
        if result.numel() != 1:
            raise RuntimeError(
                f"{caller}(): the Tensor returned by the function should contain a single element, got "
                f"{tuple(result.shape)}"
            )
        return result.reshape(())

    return checked


class _Run:
    """A call of the function with inputs that require grad."""

    def __init__(
        self, caller: str, func: Callable[..., Any], inputs: Any, create_graph: bool, strict: bool
    ) -> None:
        self.caller, self.create_graph, self.strict = caller, create_graph, strict
        given, self.several_inputs = self._tensors(inputs, "inputs")
        self.inputs = tuple(
            t.view_as(t) if create_graph and t.requires_grad else t.detach().requires_grad_() for t in given
        )
        self.outputs, self.several_outputs = self._tensors(func(*self.inputs), "outputs of the function")
        for number, output in enumerate(self.outputs):
            if strict and not output.requires_grad:
                raise RuntimeError(f"{caller}(): output {number} is independent of all inputs (strict)")

    def _tensors(self, values: Any, what: str) -> tuple[Tensors, bool]:
        several = isinstance(values, tuple)
        tensors = values if several else (values,)
        for number, t in enumerate(tensors):
            if not isinstance(t, Tensor):
                raise TypeError(
                    f"{self.caller}(): the {what} must be a Tensor or a tuple of them, got "
                    f"{type(t).__name__} as number {number}"
                )
        return tensors, several

    def vectors(self, v: Any, like: Tensors, name: str) -> Tensors:
        if v is None:
            if len(like) != 1 or like[0].numel() != 1:
                raise RuntimeError(f"{self.caller}(): '{name}' can only be left out for a single element")
            return (functions.ones_like(like[0]),)
        vectors, _ = self._tensors(v, name)
        if len(vectors) != len(like):
            raise RuntimeError(f"{self.caller}(): '{name}' has {len(vectors)} tensors, expected {len(like)}")
        for number, (vector, t) in enumerate(zip(vectors, like, strict=True)):
            if vector.shape != t.shape:
                raise RuntimeError(
                    f"{self.caller}(): '{name}' has a tensor of {tuple(vector.shape)} as number {number}, "
                    f"expected {tuple(t.shape)}"
                )
        return vectors if self.create_graph else tuple(vector.detach() for vector in vectors)

    def gradients(
        self, outputs: Tensors, inputs: Tensors, vectors: Tensors | None, create_graph: bool
    ) -> Tensors:
        """Gradients of `outputs`, zeros if they don't depend on an input; an error in strict mode."""
        recorded = [i for i, output in enumerate(outputs) if output.requires_grad]
        found: tuple[Tensor | None, ...] = (None,) * len(inputs)
        if recorded:
            found = _autograd.grad(
                [outputs[i] for i in recorded],
                inputs,
                None if vectors is None else [vectors[i] for i in recorded],
                retain_graph=True,
                create_graph=create_graph,
                allow_unused=True,
            )
        for number, gradient in enumerate(found):
            self._check_strict(gradient, number, create_graph)
        return tuple(functions.zeros_like(i) if g is None else g for g, i in zip(found, inputs, strict=True))

    def _check_strict(self, gradient: Tensor | None, number: int, create_graph: bool) -> None:
        if not self.strict:
            return
        if gradient is None:
            raise RuntimeError(f"{self.caller}(): the function is independent of input {number} (strict)")
        if create_graph and not gradient.requires_grad:
            raise RuntimeError(
                f"{self.caller}(): the derivative in input {number} is independent of the inputs (strict)"
            )

    def result_outputs(self) -> Any:
        kept = self.outputs if self.create_graph else tuple(o.detach() for o in self.outputs)
        return kept if self.several_outputs else kept[0]

    def like_inputs(self, tensors: Tensors) -> Any:
        return tensors if self.several_inputs else tensors[0]

    def like_outputs(self, values: tuple[Any, ...]) -> Any:
        return values if self.several_outputs else values[0]
