"""Derivatives of functions, as functions. All of them nest, and can be differentiated."""

from __future__ import annotations

import functools

from .. import _C
from .._C import Tensor
from ._level import Level, check_structure
from ._trees import leaves, like

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_functions = _C._VariableFunctions


def grad(
    func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """The function that gives the gradient of `func`, whose result is a scalar tensor, with respect to the
    argument of the number `argnums`, or a tuple for several numbers. Arguments may be trees: tensors in
    tuples, lists and dictionaries.

    With `has_aux`, func returns (result, aux), and the gradients' function (gradient, aux). Functions mustn't
    modify their arguments.
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient


def grad_and_value(
    func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """As grad(); the function returns (gradient, result), or with `has_aux` (gradient, (result, aux))."""
    api = "grad_and_value(f)(*args)"

    @functools.wraps(func)
    def both(*args: Any, **kwargs: Any) -> Any:
        level = Level(api, func, args, argnums, has_aux, kwargs)
        output = level.result
        if not isinstance(output, Tensor):
            raise RuntimeError(f"{api}: Expected f(*args) to return a Tensor, got {type(output)}")
        if output.dim() != 0:
            raise RuntimeError(
                f"{api}: Expected f(*args) to return a scalar Tensor, got tensor with {output.dim()} dims. "
                "Maybe you wanted to use the vjp or jacrev APIs instead?"
            )
        found = level.pulled([output], [_functions.ones_like(output)], False, level.records)
        value = level.freed(output, level.records)
        return like(level.primals, found), (value, level.freed_tree(level.aux)) if has_aux else value

    return both


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The result of `func(*primals)`, and the function that multiplies cotangents, which are as the result,
    by the Jacobian: it returns a tuple with a gradient for each of the primals. With `has_aux` func returns
    (result, aux), and aux is returned too."""
    level = Level("vjp(f, *primals)", func, primals, None, has_aux)
    outputs = level.outputs()
    for t in outputs:
        if not (t.is_floating_point() or t.is_complex()):
            raise RuntimeError(
                "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with "
                f"dtype {t.dtype}"
            )

    def product(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        check_structure(
            cotangents,
            level.result,
            "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the "
            "function. cotangents: {}, primal output: {}",
        )
        records = _C.is_grad_enabled() if create_graph is None else create_graph
        return like(primals, level.pulled(outputs, leaves(cotangents), retain_graph, records))

    result = level.freed_tree(level.result)
    return (result, product, level.freed_tree(level.aux)) if has_aux else (result, product)


def jvp(
    func: Callable[..., Any], primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> Any:
    """The result of `func(*primals)`, and the product of its Jacobian with the tangents, which are as the
    primals, a tuple. With `strict`, a result that doesn't depend on the primals raises RuntimeError instead
    of giving zeros. With `has_aux` func returns (result, aux), and aux is returned too.

    It is computed by differentiating the backward pass, and so it nests; autograd.forward_ad needs one pass.
    """
    api = "jvp(f, primals, tangents)"
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"{api}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    check_structure(
        primals,
        tangents,
        f"{api}: Expected primals and tangents to have the same python structure. For example, if primals "
        "is a tuple of 3 tensors, tangents also must be. Got primals with structure {} and tangents with "
        "structure {}",
    )
    _check_tensors(api, primals, "primals")
    _check_tensors(api, tangents, "tangents")
    level = Level(api, func, primals, None, has_aux)
    outputs = level.outputs()
    _check_like(leaves(tangents), leaves(primals))
    found = level.push(outputs)(leaves(tangents))
    if strict and any(t is None for t in found):
        raise RuntimeError(
            "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This is "
            "not allowed with strict=True."
        )
    products = like(level.result, _filled(found, outputs))
    result = level.freed_tree(level.result)
    return (result, products, level.freed_tree(level.aux)) if has_aux else (result, products)


def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """The result of `func(*primals)`, and the function that multiplies its Jacobian by tangents, which are as
    the primals. `func` is called once, for any number of products."""
    level = Level("linearize(f, *primals)", func, primals)
    outputs = level.outputs()
    push = level.push(outputs)

    def product(*tangents: Any) -> Any:
        check_structure(
            tangents, primals, "Expected the tangents {} to have the same argspec as the primals {}"
        )
        _check_like(leaves(tangents), leaves(primals))
        return like(level.result, _filled(push(leaves(tangents)), outputs))

    return level.freed_tree(level.result), product


def _filled(found: list[Tensor | None], outputs: list[Tensor]) -> list[Tensor]:
    return [_functions.zeros_like(o) if t is None else t for t, o in zip(found, outputs, strict=True)]


def _check_tensors(api: str, tree: Any, name: str) -> None:
    found = leaves(tree)
    if not found:
        raise RuntimeError(f"{api}: Expected {name} to contain at least one Tensor.")
    for t in found:
        if not isinstance(t, Tensor):
            raise RuntimeError(f"{api}: Expected {name} to only contain Tensors, got {type(t)}")


def _check_like(tangents: list[Tensor], primals: list[Tensor]) -> None:
    for i, (tangent, primal) in enumerate(zip(tangents, primals, strict=True)):
        for aspect in ("shape", "device", "dtype"):
            got, expected = getattr(tangent, aspect), getattr(primal, aspect)
            if got != expected:
                raise RuntimeError(
                    f"tangent:{i} with {aspect} {got} in flattened pytree doesn't match the {aspect} "
                    f"{expected} of the corresponding primal."
                )
