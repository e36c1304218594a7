"""Tensor products with PyTorch's signatures, in which operands may be separate arguments."""

from __future__ import annotations

from . import _C
from ._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_functions: Any = _C._VariableFunctions
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def einsum(*args: Any, path: Sequence[int] | None = None) -> Tensor:
    """einsum(equation, *operands) multiplies the operands and sums over the labels that aren't in the output.
    The operands may be one list; in einsum(op1, labels1, op2, labels2, ..., [labels]) labels are integers.
    `path` has the pairs of operands to multiply next; by default they are multiplied from left to right."""
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one"
        )
    if isinstance(args[0], Tensor):
        equation, operands = _from_numbers(args)
    else:
        equation, operands = args[0], args[1:]
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    if _C._any_torch_function(*operands):
        return _C._handle_torch_function(einsum, tuple(operands), (equation, *operands), {})
    return _functions.einsum(equation, list(operands), path=path)


def _from_numbers(args: Sequence[Any]) -> tuple[str, Sequence[Any]]:
    def text(labels: Sequence[Any]) -> str:
        return "".join("..." if label is Ellipsis else _letter(label) for label in labels)

    pairs = len(args) // 2
    equation = ",".join(text(labels) for labels in args[1 : 2 * pairs : 2])
    if len(args) % 2:
        equation += "->" + text(args[-1])
    return equation, args[0 : 2 * pairs : 2]


def _letter(label: int) -> str:
    if not 0 <= label < len(_LETTERS):
        raise ValueError(f"einsum(): subscript {label} is not within [0, {len(_LETTERS)})")
    return _LETTERS[label]


def _is_pair(dims: Any) -> bool:
    is_sequence = isinstance(dims, (list, tuple)) and len(dims) == 2
    return is_sequence and all(isinstance(d, (int, list, tuple)) for d in dims)


def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """The sum of products over `dims`: the number of last dims of `a` and first dims of `b`, or two lists."""
    if _C._any_torch_function(a, b):
        return _C._handle_torch_function(tensordot, (a, b), (a, b), {"dims": dims, "out": out})
    for position, given in enumerate((a, b), 1):
        if not isinstance(given, Tensor):
            got = type(given).__name__
            raise TypeError(f"tensordot(): expected a Tensor at position {position}, got {got}")
    if isinstance(dims, Tensor):
        dims = dims.tolist() if dims.numel() > 1 else int(dims.item())
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        left, right = list(range(-dims, 0)), list(range(dims))
    elif _is_pair(dims):
        left, right = ([d] if isinstance(d, int) else list(d) for d in dims)
    else:
        raise RuntimeError(f"tensordot expects dims to be an int or a pair of lists, but got {dims!r}")
    if out is None:
        return _functions.tensordot(a, b, left, right)
    return _functions.tensordot(a, b, left, right, out=out)


def chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    """The product of several matrices, in the order with the fewest multiplications."""
    given = list(matrices)
    if _C._any_torch_function(*given):
        return _C._handle_torch_function(chain_matmul, matrices, matrices, {"out": out})
    return _functions.chain_matmul(given) if out is None else _functions.chain_matmul(given, out=out)
