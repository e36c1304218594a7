"""Parameters as one vector."""

from __future__ import annotations

from ... import _C
from ..._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def _check_device(device: object, first: object) -> None:
    if device != first:
        raise TypeError(
            f"Found two parameters on different devices, {first} and {device}, this is currently not "
            "supported."
        )


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """The elements of all parameters as one vector."""
    given = list(parameters)
    for parameter in given:
        _check_device(parameter.device, given[0].device)
    return _C._VariableFunctions.cat([parameter.reshape(-1) for parameter in given])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Makes the parameters parts of the vector, in their order."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected Tensor, but got: {type(vec).__name__}")
    place = 0
    for parameter in parameters:
        _check_device(parameter.device, vec.device)
        parameter.data = vec[place : place + parameter.numel()].view_as(parameter).data
        place += parameter.numel()
