"""torch.autograd.Variable of programs that were written before tensors had gradients."""

from __future__ import annotations

from .._C import Tensor

# Tensor's metaclass is only in the compiled module.
# mypy: disable-error-code="misc,no-any-return"


class _IsTensor(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor)


class Variable(metaclass=_IsTensor):
    """`Variable(data, requires_grad=False)`: a tensor of the memory of `data`. All tensors are instances."""

    def __new__(cls, data: Tensor, requires_grad: bool = False) -> Tensor:
        return data.detach().requires_grad_(requires_grad)
