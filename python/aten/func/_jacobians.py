"""Jacobians and Hessians, by rows or by columns."""

from __future__ import annotations

import functools

from .. import _C
from .._C import Tensor
from ._level import Level
from ._trees import leaves, like
from ._vmap import products

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

_functions = _C._VariableFunctions


def jacrev(
    func: Callable[..., Any],
    argnums: int | tuple[int, ...] = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """The function that gives the Jacobian of `func` with respect to the argument of the number `argnums`, or
    a tuple for several numbers: tensors with the result's shape followed by the argument's. Results and
    arguments may be trees. With `has_aux` func returns (result, aux), and aux is returned too.

    There is a backward pass for each element of the result: all of one tensor at once by vmap(), or as many
    as `chunk_size` at a time. With chunk_size=1 vmap() isn't used, whose restrictions apply otherwise.
    """
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")
    return _jacobian("jacrev", func, argnums, has_aux, functools.partial(_by_rows, chunk_size=chunk_size))


def jacfwd(
    func: Callable[..., Any],
    argnums: int | tuple[int, ...] = 0,
    has_aux: bool = False,
    *,
    randomness: str = "error",
) -> Callable[..., Any]:
    """As jacrev(), with a pass for each element of the arguments, which is faster if they have fewer elements
    than the result: all elements of one tensor at once by vmap(), to which `randomness` is passed. `func` is
    called once, outside of it."""
    return _jacobian("jacfwd", func, argnums, has_aux, functools.partial(_by_columns, randomness=randomness))


def hessian(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0) -> Callable[..., Any]:
    """The function that gives the second derivatives of `func`: the Jacobian of the Jacobian."""
    return jacrev(jacrev(func, argnums), argnums)


def _jacobian(
    name: str,
    func: Callable[..., Any],
    argnums: Any,
    has_aux: bool,
    blocks: Callable[[Level, list[Tensor]], list[list[Tensor]]],
) -> Callable[..., Any]:
    @functools.wraps(func)
    def jacobian(*args: Any) -> Any:
        _check_real(name, "inputs", leaves(args))
        level = Level(f"{name}(f)(*args)", func, args, argnums, has_aux)
        outputs = level.outputs()
        _check_real(name, "outputs", outputs)
        found = like(level.result, [like(level.primals, row) for row in blocks(level, outputs)])
        return (found, level.freed_tree(level.aux)) if has_aux else found

    return jacobian


def _by_rows(level: Level, outputs: list[Tensor], chunk_size: int | None) -> list[list[Tensor]]:
    """The Jacobian of each output, with respect to each input."""
    return [_rows(level, output, chunk_size) for output in outputs]


def _rows(level: Level, output: Tensor, chunk_size: int | None) -> list[Tensor]:
    units = _units(output)
    chunks = list(units.split(chunk_size or max(len(units), 1))) if len(units) else []
    parts: list[Sequence[Tensor | None]]
    if chunk_size == 1:
        parts = [[t[None] for t in level.pulled([output], [u[0]], True, level.records)] for u in chunks]
    else:
        parts = [level.pulled_batch(output, chunk) for chunk in chunks]
    by_input = zip(*parts, strict=True) if parts else [()] * len(level.inputs)
    return [_joined(rows, output, t) for rows, t in zip(by_input, level.inputs, strict=True)]


def _joined(rows: Sequence[Tensor | None], output: Tensor, given: Tensor) -> Tensor:
    """One tensor of the rows; zeros where they are None."""
    shape = tuple(output.shape) + tuple(given.shape)
    found = [row for row in rows if row is not None]
    return _functions.cat(found).reshape(shape) if found else given.new_zeros(shape)


def _by_columns(level: Level, outputs: list[Tensor], randomness: str) -> list[list[Tensor]]:
    """The same."""
    push = level.push(outputs)
    zeros = [_functions.zeros_like(t) for t in level.inputs]
    by_input = []
    for i, t in enumerate(level.inputs):
        dims = tuple(0 if k == i else None for k in range(len(zeros)))
        vectors = [*zeros[:i], _units(t), *zeros[i + 1 :]]
        found = products(lambda *tangents: push(tangents), vectors, dims, randomness)
        by_input.append([_columns(c, o, t, level) for c, o in zip(found, outputs, strict=True)])
    return [list(row) for row in zip(*by_input, strict=True)]


def _columns(columns: Tensor | None, output: Tensor, given: Tensor, level: Level) -> Tensor:
    shape = tuple(output.shape) + tuple(given.shape)
    if columns is None:
        return _functions.zeros(shape, dtype=output.dtype, device=output.device)
    return level.freed(columns.movedim(0, -1).reshape(shape), level.records)


def _units(like: Tensor) -> Tensor:
    """The tensors of the shape with one element 1 and others 0, along a dimension in front."""
    count = like.numel()
    return _functions.eye(count, dtype=like.dtype, device=like.device).reshape(count, *like.shape)


def _check_real(name: str, what: str, tensors: list[Any]) -> None:
    for i, t in enumerate(tensors):
        if isinstance(t, Tensor) and t.is_complex():
            raise RuntimeError(
                f"{name}: Expected all {what} to be real but received complex tensor at flattened input "
                f"idx: {i}"
            )
