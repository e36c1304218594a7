"""Modules whose parameters get their shapes from the first input."""

from __future__ import annotations

from ...autograd.grad_mode import no_grad
from ..parameter import is_lazy

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


class LazyModuleMixin:
    """The first base of a module with uninitialised parameters. The first call, or load_state_dict, makes
    them, and the module becomes one of `cls_to_become`."""

    cls_to_become: type | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own: Any = self
        self._load_hook = own._register_load_state_dict_pre_hook(_load_shapes, with_module=True)
        self._initialize_hook = own.register_forward_pre_hook(_initialize, with_kwargs=True)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Makes the parameters for the arguments of forward(); subclasses define it."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self) -> bool:
        """Whether a parameter or buffer has no shape yet."""
        own: Any = self
        return any(is_lazy(t) for t in (*own._parameters.values(), *own._buffers.values()))


def _initialize(module: Any, args: Any, kwargs: Any) -> None:
    """The hook before the first forward()."""
    with no_grad():
        module.initialize_parameters(*args, **kwargs)
    if module.has_uninitialized_params():
        raise RuntimeError(f"module {module._get_name()} has not been fully initialized")
    module._initialize_hook.remove()
    module._load_hook.remove()
    del module._initialize_hook, module._load_hook
    if module.cls_to_become is not None:
        module.__class__ = module.cls_to_become


def _load_shapes(module: Any, state_dict: Any, prefix: str, *unused: Any) -> None:
    """The hook before loading: gives parameters the shapes of what is loaded."""
    for name, own in (*module._parameters.items(), *module._buffers.items()):
        loaded = state_dict.get(prefix + name)
        if is_lazy(own) and loaded is not None and not is_lazy(loaded):
            with no_grad():
                own.materialize(loaded.shape)
