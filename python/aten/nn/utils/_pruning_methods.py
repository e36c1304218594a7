"""Methods of pruning: which elements or channels of a tensor become zero."""

from __future__ import annotations

from ... import _C
from ..._C import Tensor
from ._pruning import BasePruningMethod

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_functions = _C._VariableFunctions


def _check_amount(amount: Any) -> None:
    """Raises unless it is a fraction in [0, 1], or a number of elements."""
    from numbers import Integral, Real

    if not isinstance(amount, Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if float(amount) < 0 or (float(amount) > 1 and not isinstance(amount, Integral)):
        raise ValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer"
        )


def _number(amount: float, size: int) -> int:
    """How many of `size` elements or channels to prune."""
    from numbers import Integral

    if not isinstance(amount, Integral):
        return round(amount * size)
    if amount > size:
        raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")
    return int(amount)


class Identity(BasePruningMethod):
    """Prunes nothing; the tensor gets a mask."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        return default_mask


class CustomFromMask(BasePruningMethod):
    """Prunes the elements that are zero in a mask."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Tensor) -> None:
        self.mask = mask

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape {self.mask.shape}"
            )
        return default_mask * self.mask.to(default_mask.dtype)


class _Unstructured(BasePruningMethod):
    """Prunes single elements: an amount that is a fraction of them, or their number."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount: float) -> None:
        _check_amount(amount)
        self.amount = amount

    def _scores(self, t: Tensor) -> Tensor:
        """The elements with the lowest are pruned."""
        raise NotImplementedError(f"{type(self).__name__} doesn't define _scores()")

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        number = _number(self.amount, t.numel())
        mask = default_mask.clone(memory_format=_C.contiguous_format)
        if number:
            chosen = _functions.topk(self._scores(t).reshape(-1), number, largest=False)
            mask.view(-1)[chosen.indices] = 0
        return mask


class RandomUnstructured(_Unstructured):
    """Prunes random elements: `amount` is a fraction of them, or their number."""

    def _scores(self, t: Tensor) -> Tensor:
        return -_functions.rand_like(t)


class L1Unstructured(_Unstructured):
    """Prunes the elements of the smallest magnitude: `amount` is a fraction of them, or their number."""

    def _scores(self, t: Tensor) -> Tensor:
        return t.abs()


class _Structured(BasePruningMethod):
    """Prunes channels, the slices along the dimension `dim`."""

    PRUNING_TYPE = "structured"
    amount: float
    dim: int

    def _kept(self, t: Tensor, number: int) -> Tensor:
        """The channels to keep, as an index along `dim`; `number` are pruned."""
        raise NotImplementedError(f"{type(self).__name__} doesn't define _kept()")

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        if t.dim() <= 1:
            raise ValueError(
                "Structured pruning can only be applied to multidimensional tensors. Found tensor of shape "
                f"{t.shape} with {t.dim()} dims"
            )
        if self.dim >= t.dim():
            raise IndexError(f"Invalid index {self.dim} for tensor of size {t.shape}")
        number = _number(self.amount, t.shape[self.dim])
        if number == 0:
            return default_mask
        mask = _functions.zeros_like(t)
        mask.transpose(self.dim, 0)[self._kept(t, number)] = 1
        return mask.mul_(default_mask.to(mask.dtype))


class RandomStructured(_Structured):
    """Prunes random channels: `amount` is a fraction of them, or their number."""

    def __init__(self, amount: float, dim: int = -1) -> None:
        _check_amount(amount)
        self.amount, self.dim = amount, dim

    def _kept(self, t: Tensor, number: int) -> Tensor:
        chances = _functions.rand(t.shape[self.dim])
        return chances > _functions.kthvalue(chances, number).values


class LnStructured(_Structured):
    """Prunes the channels with the smallest norm of order `n`: `amount` is a fraction, or their number."""

    def __init__(self, amount: float, n: Any, dim: int = -1) -> None:
        _check_amount(amount)
        self.amount, self.n, self.dim = amount, n, dim

    def _kept(self, t: Tensor, number: int) -> Tensor:
        from ..._distances import norm

        dims = list(range(t.dim()))
        del dims[self.dim]
        return _functions.topk(norm(t, self.n, dims), t.shape[self.dim] - number).indices
