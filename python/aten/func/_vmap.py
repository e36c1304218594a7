"""Maps over batches: a function of one example becomes one of many, by one call of it."""

from __future__ import annotations

import functools

from .. import _C
from .._C import Tensor
from ._trees import broadcast, leaves, like, structure

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

_functions = _C._VariableFunctions
_RANDOMNESS = ("error", "different", "same")


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """The function that applies `func` to each example of a batch, and stacks the results.

    `func` is called once, with tensors that look like one example; operators compute all examples at once
    where they can. `in_dims` is the dimension of the arguments along which the examples lie, None for an
    argument that is the same for all: one for all arguments, or a tree as the arguments. `out_dims`, likewise
    for the results, is where the batch dimension is put; None for a result that is the same for all.
    Keyword arguments are the same for all.

    `randomness` says what random operators do: "error" raises RuntimeError, "different" draws for each
    example, "same" draws once for all. With `chunk_size`, so many examples are computed at a time.

    Raises ValueError for dimensions that don't fit, and RuntimeError where the function takes a Python value
    from an example (.item(), `if`), or writes different values for the examples to a tensor that isn't
    batched.
    """
    if randomness not in _RANDOMNESS:
        raise RuntimeError(
            f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}"
        )
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        batch = _Batch(func, in_dims, out_dims, args, kwargs)
        if chunk_size is None or batch.size <= chunk_size:
            return batch.run(batch.given, batch.size, randomness)
        return batch.run_in_chunks(chunk_size, randomness)

    return mapped


def products(
    product: Callable[..., Sequence[Tensor | None]],
    vectors: Sequence[Tensor | None],
    in_dims: tuple[int | None, ...],
    randomness: str = "error",
) -> list[Tensor | None]:
    """The tensors that product(*vectors) returns, for all examples along the dimensions `in_dims` of the
    vectors, with the examples in front; None where it returns None."""
    is_given: list[bool] = []

    def without_none(*vectors: Any) -> tuple[Tensor, ...]:
        found = product(*vectors)
        is_given[:] = [t is not None for t in found]
        return tuple(t for t in found if t is not None)

    found = iter(vmap(without_none, in_dims, 0, randomness)(*vectors))
    return [next(found) if given else None for given in is_given]


class _Batch:
    """The arguments of a call: `given` are the leaves, `dims` where their examples lie."""

    def __init__(
        self,
        func: Callable[..., Any],
        in_dims: Any,
        out_dims: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> None:
        self.func, self.out_dims, self.args, self.kwargs = func, out_dims, args, kwargs
        self.name = getattr(func, "__name__", None) or repr(func)
        for dim in leaves(out_dims):
            if dim is not None and not isinstance(dim, int):
                raise ValueError(
                    f"vmap({self.name}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a tree "
                    f"of them, got {dim!r}"
                )
        self.call = f"vmap({self.name}, in_dims={in_dims}, ...)(<inputs>)"
        if not isinstance(in_dims, (int, tuple)):
            raise ValueError(
                f"{self.call}: expected `in_dims` to be int or a (potentially nested) tuple matching the "
                f"structure of inputs, got: {type(in_dims)}."
            )
        if not args:
            raise ValueError(f"{self.call}: got no inputs: there is nothing to map over")
        dims = broadcast(in_dims, args)
        if dims is None:
            raise ValueError(
                f"{self.call}: in_dims is not compatible with the structure of `inputs`: {structure(args)}"
            )
        self.given = leaves(args)
        self.dims = [self._checked(dim, t) for dim, t in zip(dims, self.given, strict=True)]
        self.size = self._size()

    def _checked(self, dim: Any, t: Any) -> int | None:
        """The dimension, not negative."""
        if dim is None:
            return None
        if not isinstance(dim, int):
            raise ValueError(
                f"{self.call}: Got in_dim={dim} for an input but in_dim must be either an integer "
                "dimension or None."
            )
        if not isinstance(t, Tensor):
            raise ValueError(
                f"{self.call}: Got in_dim={dim} for an input but the input is of type {type(t)}; only "
                "tensors can be mapped over, so its in_dim must be None"
            )
        if not -t.dim() <= dim < t.dim():
            raise ValueError(
                f"{self.call}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality "
                f"{t.dim()} so expected in_dim to satisfy -{t.dim()} <= in_dim < {t.dim()}."
            )
        return dim % t.dim()

    def _size(self) -> int:
        sizes = [t.shape[d] for d, t in zip(self.dims, self.given, strict=True) if d is not None]
        if not sizes:
            raise ValueError("vmap: Expected at least one Tensor to vmap over")
        if len(set(sizes)) > 1:
            raise ValueError(
                "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
                f"{sizes} for the mapped dimension"
            )
        return sizes[0]

    def run(self, given: list[Any], size: int, randomness: str) -> Any:
        """The results for these leaves."""
        level = _C._enter_batch_level(size, randomness)
        try:
            inside = [
                t if d is None else _C._make_batched(t.movedim(d, 0) if d else t, True)
                for d, t in zip(self.dims, given, strict=True)
            ]
            result = self.func(*like(self.args, inside), **self.kwargs)
            outputs = self._outputs(result)
            values = [self._value(t, d, level, size) for t, d in outputs]
        finally:
            _C._exit_batch_level()
        return like(result, [_placed(value, d) for value, (_, d) in zip(values, outputs, strict=True)])

    def run_in_chunks(self, chunk_size: int, randomness: str) -> Any:
        found = []
        for start in range(0, self.size, chunk_size):
            count = min(chunk_size, self.size - start)
            part = [
                t if d is None else t.narrow(d, start, count)
                for d, t in zip(self.dims, self.given, strict=True)
            ]
            found.append(self.run(part, count, randomness))
        parts = zip(*(leaves(result) for result in found), strict=True)
        dims = (d for _, d in self._outputs(found[0]))
        joined = [
            chunks[0] if d is None else _functions.cat(chunks, d)
            for chunks, d in zip(parts, dims, strict=True)
        ]
        return like(found[0], joined)

    def _outputs(self, result: Any) -> list[tuple[Any, int | None]]:
        """The result's leaves, with their dimensions."""
        dims = self.out_dims
        if isinstance(result, Tensor) and isinstance(dims, tuple) and len(dims) == 1:
            dims = dims[0]
        found = broadcast(dims, result)
        if found is None:
            raise ValueError(
                f"vmap({self.name}, ..., out_dims={dims})(<inputs>): out_dims is not compatible with the "
                f"structure of `outputs`: {structure(result)}"
            )
        return list(zip(leaves(result), found, strict=True))

    def _value(self, t: Any, dim: int | None, level: int, size: int) -> Any:
        """What is behind a result: a tensor with all examples along dimension 0."""
        inside = _C._batched_value(t)
        if inside is not None and inside[2] != level:
            inside = None
        if dim is None:
            if inside is not None and inside[1]:
                raise ValueError(
                    f"vmap({self.name}, ...): `{self.name}` can not return a value for each example when "
                    "out_dim is None"
                )
            return t if inside is None else inside[0]
        if not isinstance(t, Tensor):
            raise ValueError(
                f"vmap({self.name}, ...): `{self.name}` must only return Tensors, got type {type(t)}. "
                "Did you mean to set out_dims= to None for output?"
            )
        if inside is not None and inside[1]:
            return inside[0]
        value = t if inside is None else inside[0]
        return value.expand(size, *value.shape)


def _placed(value: Any, dim: int | None) -> Any:
    return value.movedim(0, dim) if dim else value
