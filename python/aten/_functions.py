"""Small functions on tensors."""

from __future__ import annotations

from ._C import Tensor

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

_NAMESPACE = "aten"


def is_tensor(obj: object) -> bool:
    """Whether `obj` is a Tensor."""
    return isinstance(obj, Tensor)


def _tensor(input: object, function: str) -> Tensor:
    """Returns the argument 'input'; TypeError with the function's name if it is not a tensor."""
    if not isinstance(input, Tensor):
        got = type(input).__name__
        raise TypeError(f"{function}(): argument 'input' (position 1): expected Tensor, got {got}")
    return input


def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype is floating-point."""
    return _tensor(input, "is_floating_point").is_floating_point()


def is_complex(input: Tensor) -> bool:
    """Whether the dtype is complex."""
    return _tensor(input, "is_complex").is_complex()


def is_signed(input: Tensor) -> bool:
    """Whether the dtype has negative values."""
    return _tensor(input, "is_signed").is_signed()


def is_inference(input: Tensor) -> bool:
    """Whether it was created in inference mode."""
    return _tensor(input, "is_inference").is_inference()


def is_conj(input: Tensor) -> bool:
    """False: conjugation computes at once."""
    return _tensor(input, "is_conj").is_conj()


def is_neg(input: Tensor) -> bool:
    """False: negation computes at once."""
    return _tensor(input, "is_neg").is_neg()


def _is_zerotensor(input: Tensor) -> bool:
    return _tensor(input, "_is_zerotensor")._is_zerotensor()


def get_device(input: Tensor) -> int:
    """The index of the tensor's CUDA device; -1 on the CPU."""
    return _tensor(input, "get_device").get_device()


def is_nonzero(input: Tensor) -> bool:
    """Whether the single element is nonzero. Raises an error unless there is exactly one element."""
    return _tensor(input, "is_nonzero").is_nonzero()


def nonzero(input: Tensor, *, out: Tensor | None = None, as_tuple: bool = False) -> Any:
    """Indices of the nonzero elements, one row each; with `as_tuple`, one tensor for each
    dimension."""
    if out is None:
        return _tensor(input, "nonzero").nonzero(as_tuple=as_tuple)
    if as_tuple:
        raise ValueError("nonzero(): out= cannot be given with as_tuple")
    from ._ops import ops

    return getattr(ops, _NAMESPACE).nonzero.out(input, out=out)


def numel(input: Tensor) -> int:
    """The number of elements."""
    return _tensor(input, "numel").numel()


def typename(obj: object, /) -> str:
    """The name of a tensor's type, "aten.FloatTensor"; of another object, its class or its own name with the
    module."""
    if isinstance(obj, Tensor):
        from ._tensor_types import type_name

        return type_name(obj)
    named = obj if hasattr(obj, "__qualname__") else type(obj)
    module, name = getattr(named, "__module__", None), named.__qualname__
    return name if module in (None, "builtins") else f"{module}.{name}"


def is_distributed(input: Tensor) -> bool:
    """False: there are no distributed tensors."""
    _tensor(input, "is_distributed")
    return False


def unravel_index(indices: Tensor, shape: int | Sequence[int]) -> tuple[Tensor, ...]:
    """The coordinates, one tensor for each dimension of `shape`, of elements that are counted in order."""
    given = _tensor(indices, "unravel_index")
    if given.is_floating_point() or given.is_complex() or str(given.dtype).endswith("bool"):
        raise TypeError(f"unravel_index(): expected indices of an integer dtype, got {given.dtype}")
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    if any(size < 0 for size in sizes):
        raise ValueError(f"unravel_index(): the sizes must not be negative, got {sizes}")
    from . import _C

    step, coordinates = 1, []
    for size in reversed(sizes):
        coordinates.append(given.div(step, rounding_mode="floor") % size)
        step *= size
    if not coordinates:
        return ()
    return tuple(_C._VariableFunctions.stack(coordinates[::-1], -1).unbind(-1))


def compiled_with_cxx11_abi() -> bool:
    """True: std::string and std::list in the library's interface are those of C++11."""
    return True


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """The function that applies `func` to each example of a batch, and stacks the results: func.vmap, which
    help() describes."""
    from .func import vmap as mapped

    return mapped(func, in_dims, out_dims, randomness, chunk_size=chunk_size)
