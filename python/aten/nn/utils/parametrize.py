"""Parametrizations: parameters and buffers of a module that are computed from others.

class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).mT

register_parametrization(layer, "weight", Symmetric())
layer.weight                              # is symmetric
layer.parametrizations.weight.original    # is what an optimizer trains
"""

from __future__ import annotations

from ..._C import Tensor
from ...autograd.grad_mode import _Mode, no_grad
from ..modules.container import ModuleDict
from ..parameter import Parameter
from ._parametrization_list import ParametrizationList, aspects, check_kept, register

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from ..modules.module import Module

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "transfer_parametrizations_and_params",
    "type_before_parametrizations",
]

_cache_enabled = 0  # how many `cached` blocks are open
_cache: dict[tuple[Any, str], Tensor] = {}  # by module and name


class cached(_Mode):
    """In its scope, the value of a parametrized tensor is computed once, when it is first used: for modules
    that use a tensor several times. Also a decorator."""

    def __enter__(self) -> None:
        global _cache_enabled
        _cache_enabled += 1

    def __exit__(self, *error: object) -> None:
        global _cache_enabled
        _cache_enabled -= 1
        if not _cache_enabled:
            _cache.clear()


def _property(name: str) -> property:
    """The attribute of a class whose modules have a parametrized tensor."""

    def get(self: Any) -> Any:
        parametrizations = self.parametrizations[name]
        if not _cache_enabled:
            return parametrizations()
        if (self, name) not in _cache:
            _cache[self, name] = parametrizations()
        return _cache[self, name]

    def set_original(self: Any, value: Tensor) -> None:
        self.parametrizations[name].right_inverse(value)

    return property(get, set_original)


def _refuse_pickling(self: Any) -> Any:
    raise RuntimeError("Serialization of parametrized modules is only supported through state_dict().")


def _deepcopied(self: Any, memo: dict[int, Any]) -> Any:
    """The copy of a module; it has a class of its own, as parametrizations may be added to or removed from
    each module alone."""
    if id(self) in memo:
        return memo[id(self)]
    import copyreg
    from copy import deepcopy

    copied = memo[id(self)] = self.__new__(_parametrized(type(self).__bases__[0], self.parametrizations))
    vars(copied).update(deepcopy(vars(self), memo))
    for slot in copyreg._slotnames(type(self)):
        if hasattr(self, slot):
            setattr(copied, slot, deepcopy(getattr(self, slot), memo))
    return copied


def _parametrized(cls: type, names: Any = ()) -> type:
    """A new subclass for one module."""
    members: dict[str, Any] = {"__getstate__": _refuse_pickling, **{name: _property(name) for name in names}}
    if not hasattr(cls, "__deepcopy__"):
        members["__deepcopy__"] = _deepcopied
    return type(f"Parametrized{cls.__name__}", (cls,), members)


def register_parametrization(
    module: Any, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Any:
    """Makes a parameter or buffer the result of `parametrization`, a module: `module.weight` becomes
    parametrization(original). If the tensor has parametrizations, this one is applied to their result.
    Returns the module.

    If the parametrization has a method right_inverse(), the original is what it returns for the tensor, and
    assignments to the tensor set the original by it; otherwise the original is the tensor. If
    right_inverse() returns several tensors, they are all arguments of the first parametrization, and are new
    parameters. Parametrizations mustn't change dtype and shape, which isn't checked if `unsafe`. ValueError
    for this and other faults.
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_further(module, tensor_name, parametrization)
        module.parametrizations[tensor_name].append(parametrization)
        module.parametrizations[tensor_name].unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        made = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            module.__class__ = _parametrized(type(module))
            module.parametrizations = ModuleDict()
        setattr(type(module), tensor_name, _property(tensor_name))
        module.parametrizations[tensor_name] = made
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name "
            f"'{tensor_name}'"
        )
    return module


def _check_further(module: Any, name: str, parametrization: Any) -> None:
    """ValueError unless the results of the parametrization and of its right_inverse() are as the tensor."""
    before = getattr(module, name)
    value = parametrization(before)
    check_kept(aspects(before), value, f"module.{name}.", f"parametrization(module.{name}).")
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        inverse = parametrization.right_inverse(value)
    except NotImplementedError:
        return
    if not isinstance(inverse, Tensor):
        raise ValueError(f"parametrization.right_inverse must return a tensor. Got: {type(inverse).__name__}")
    for aspect, kept in aspects(before).items():
        if getattr(inverse, aspect) != kept:
            raise ValueError(
                f"The tensor returned by parametrization.right_inverse must have the same {aspect} as "
                f"module.{name}, unless the `unsafe` flag is enabled.\nmodule.{name}.{aspect}: {kept}\n"
                f"returned {aspect}: {getattr(inverse, aspect)}"
            )


def is_parametrized(module: Any, tensor_name: str | None = None) -> bool:
    """Whether the tensor, or without a name any tensor, of the module is parametrized."""
    parametrizations = getattr(module, "parametrizations", None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    return len(parametrizations) > 0 if tensor_name is None else tensor_name in parametrizations


def remove_parametrizations(module: Any, tensor_name: str, leave_parametrized: bool = True) -> Any:
    """Makes the tensor a parameter or buffer again: with its present value or, unless `leave_parametrized`,
    the original, which mustn't be several tensors. Returns the module. ValueError if the tensor isn't
    parametrized."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    parametrizations = module.parametrizations[tensor_name]
    if parametrizations.is_tensor:
        original = parametrizations.original
        if leave_parametrized:
            with no_grad():  # the object stays the same, as optimizers may know it
                original.set_(getattr(module, tensor_name))
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value) if value.requires_grad else value
    else:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms "
            "of a sequence of tensors."
        )
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    register(module, tensor_name, original)
    if not is_parametrized(module):
        del module.parametrizations
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module: Module) -> type:
    """The module's class without parametrizations."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(
    from_module: Any, to_module: Any, tensor_name: str | None = None
) -> Any:
    """Registers the parametrizations of the tensor, or of all tensors, of one module with another, which then
    shares the original tensors. A tensor that `to_module` doesn't have is added. Returns `to_module`."""
    if not is_parametrized(from_module):
        return to_module
    for name in [tensor_name] if tensor_name is not None else list(from_module.parametrizations):
        given = from_module.parametrizations[name]
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name)))
        for parametrization in given:
            register_parametrization(to_module, name, parametrization)
        for original, tensor in {**given._parameters, **given._buffers}.items():
            setattr(to_module.parametrizations[name], original, tensor)
    return to_module
