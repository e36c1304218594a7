"""Module: the base class of layers and networks."""

from __future__ import annotations

from ..._C import Tensor, _ModuleBase, _own_attributes
from ..._functions import typename
from ..parameter import Buffer, Parameter
from . import _hooks
from ._conversion import ConvertibleModule
from ._hooks import (
    HookedModule,
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
)
from ._state import _EXTRA_STATE as _EXTRA_STATE_KEY_SUFFIX  # noqa: F401
from ._state import StatefulModule
from ._state import _IncompatibleKeys as _IncompatibleKeys
from ._tree import ModuleTree

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any, TypeVar

    T = TypeVar("T", bound="Module")

__all__ = [
    "Module",
    "register_module_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]
own = _own_attributes  # for the package's layers, whose calls are to be short


class _CallSignature:
    """inspect.signature() of a module, which finds none for a compiled __call__."""

    def __get__(self, module: Any, owner: type) -> Any:
        if module is None or owner.__call__ is not Module.__call__:
            raise AttributeError("__signature__")
        from inspect import Parameter, Signature

        kinds = {"args": Parameter.VAR_POSITIONAL, "kwargs": Parameter.VAR_KEYWORD}
        return Signature([Parameter(name, kind) for name, kind in kinds.items()])


class Module(ModuleTree, StatefulModule, ConvertibleModule, HookedModule, _ModuleBase):
    """The base class of layers and networks. A subclass calls `super().__init__()`, assigns parameters and
    submodules to attributes, which registers them, and defines `forward`; a call of the module calls it and
    the hooks."""

    training: bool
    call_super_init = False
    __signature__ = _CallSignature()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init and (args or kwargs):
            what = (
                f"got an unexpected keyword argument '{next(iter(kwargs))}'"
                if kwargs
                else f"takes 1 positional argument but {len(args) + 1} were given"
            )
            raise TypeError(f"{type(self).__name__}.__init__() {what}")
        self.__dict__.update(
            training=True,
            _parameters={},
            _buffers={},
            _non_persistent_buffers_set=set(),
            _modules={},
            **_hooks.new(),
        )
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def forward(self, *input: Any) -> Any:
        """Computes the result of a call; subclasses define it."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def _check_name(self, kind: str, name: Any, place: dict[str, Any]) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
        if name not in place and hasattr(self, name):
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."' + (f", got: {name}" if kind == "module" else ""))
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Adds a buffer: a tensor that isn't trained, but is moved with the module and, if persistent, part
        of its state_dict."""
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_name("buffer", name, self._buffers)
        if tensor is not None and not _is_tensor_like(tensor):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' (Tensor or None required)"
            )
        self._buffers[name] = _hooks.registered("buffer", self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Adds a parameter."""
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_name("parameter", name, self._parameters)
        if param is None:
            self._parameters[name] = None
            return
        if not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' (nn.Parameter or None "
                "required)"
            )
        if param.grad_fn:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created "
                f"explicitly. To express '{name}' as a function of another Tensor, compute the value in the "
                "forward() method."
            )
        self._parameters[name] = _hooks.registered("parameter", self, name, param)

    def add_module(self, name: str, module: Module | None) -> None:
        """Adds a submodule."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{typename(module)} is not a Module subclass")
        self._check_name("module", name, self._modules)
        self._modules[name] = _hooks.registered("module", self, name, module)

    register_module = add_module

    def __setattr__(self, name: str, value: Any) -> None:
        attributes = self.__dict__
        parameters = attributes.get("_parameters")
        if isinstance(value, Parameter):
            self._check_initialised("parameters")
            self._forget(name, "_parameters")
            self.register_parameter(name, value)
        elif parameters is not None and name in parameters:
            _check_kind(value, value is None, "parameter", name, "nn.Parameter or None")
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            self._check_initialised("module")
            self._forget(name, "_modules")
            self._modules[name] = _hooks.registered("module", self, name, value)
        elif parameters is None:
            object.__setattr__(self, name, value)
        elif name in self._modules:
            _check_kind(value, value is None, "child module", name, "nn.Module or None")
            self._modules[name] = _hooks.registered("module", self, name, value)
        elif name in self._buffers or isinstance(value, Buffer):
            ok = value is None or _is_tensor_like(value)
            _check_kind(value, ok, "buffer", name, "nn.Buffer, Tensor or None")
            kept = name not in self._non_persistent_buffers_set
            persistent = value.persistent if isinstance(value, Buffer) else kept
            self.register_buffer(name, value, persistent)
        else:
            object.__setattr__(self, name, value)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def _check_initialised(self, kind: str) -> None:
        if "_parameters" not in self.__dict__:
            raise AttributeError(f"cannot assign {kind} before Module.__init__() call")

    def _forget(self, name: str, kind: str) -> None:
        """Removes what has the name and is of another kind."""
        attributes = self.__dict__
        attributes.pop(name, None)
        for place in ("_parameters", "_buffers", "_modules"):
            if place != kind:
                attributes[place].pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def __delattr__(self, name: str) -> None:
        for place in (self._parameters, self._buffers, self._modules):
            if name in place:
                del place[name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def train(self: T, mode: bool = True) -> T:
        """Sets `training` of this module and its submodules; returns the module."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self: T) -> T:
        """The same as train(False)."""
        return self.train(False)

    def requires_grad_(self: T, requires_grad: bool = True) -> T:
        """Sets requires_grad of all parameters; returns the module."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Removes the gradients of all parameters, or fills them with zeros."""
        for parameter in self.parameters():
            if parameter.grad is None:
                continue
            if set_to_none:
                parameter.grad = None
            else:
                parameter.grad.detach_().zero_()

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Does nothing: modules run as they are."""

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What repr() shows of the module besides its submodules."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        children = [
            f"({name}): " + "\n".join(_indented(repr(module))) for name, module in self._modules.items()
        ]
        if not children and "\n" not in extra:
            return f"{self._get_name()}({extra})"
        lines = [*(extra.split("\n") if extra else ()), *children]
        return f"{self._get_name()}(\n  " + "\n  ".join(lines) + "\n)"

    def __dir__(self) -> list[str]:
        names = {*dir(type(self)), *self.__dict__, *self._parameters, *self._modules, *self._buffers}
        return sorted(name for name in names if not name[:1].isdigit())


def _indented(text: str) -> list[str]:
    first, *others = text.split("\n")
    return [first, *(f"  {line}" if line.strip() else "" for line in others)]


def _is_tensor_like(value: object) -> bool:
    return isinstance(value, Tensor) or hasattr(value, "__torch_function__")


def _check_kind(value: Any, ok: bool, kind: str, name: str, expected: str) -> None:
    if not ok:
        raise TypeError(f"cannot assign '{typename(value)}' as {kind} '{name}' ({expected} expected)")
