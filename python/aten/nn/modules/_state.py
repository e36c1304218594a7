"""state_dict and load_state_dict."""

from __future__ import annotations

import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Mapping

from ... import __future__ as switches
from ..._C import Tensor
from ...autograd.grad_mode import no_grad
from ...utils._swapping import swap_tensors
from ...utils.hooks import RemovableHandle
from ...utils.hooks import add as register
from ..parameter import Parameter, is_lazy
from ._hooks import WithModule

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_EXTRA_STATE = "_extra_state"


class _IncompatibleKeys(namedtuple("_IncompatibleKeys", ("missing_keys", "unexpected_keys"))):
    """What load_state_dict returns: keys that the dictionary hadn't, and those that the module hasn't."""

    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if any(self) else "<All keys matched successfully>"


class StatefulModule:
    """The part of Module that saves and loads its state."""

    _version = 1
    if TYPE_CHECKING:  # typing.get_type_hints() can't resolve Any
        _parameters: dict[str, Parameter | None]
        _buffers: dict[str, Tensor | None]
        _modules: dict[str, Any]
        _non_persistent_buffers_set: set[str]
        _state_dict_hooks: dict[int, Any]
        _state_dict_pre_hooks: dict[int, Any]
        _load_state_dict_pre_hooks: dict[int, Any]
        _load_state_dict_post_hooks: dict[int, Any]

    def get_extra_state(self) -> Any:
        """What state_dict also keeps of this module; for classes that have such a state to define, together
        with set_extra_state."""
        raise RuntimeError(f"{type(self).__name__} doesn't define get_extra_state()")

    def set_extra_state(self, state: Any) -> None:
        """Called by load_state_dict with what get_extra_state returned."""
        raise RuntimeError(f"{type(self).__name__} doesn't define set_extra_state()")

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls hook(module, prefix, keep_vars) before state_dict() saves this module."""
        return register(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls hook(module, state_dict, prefix, local_metadata) after state_dict() saved this module and its
        submodules; it may change state_dict, and must return None."""
        hook._from_public_api = True
        return register(self._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(
                "Cannot register the same function as the state dict post hook that was previously "
                "registered via register_state_dict_post_hook"
            )
        return register(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
        error_msgs) before this module's state is loaded."""
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def _register_load_state_dict_pre_hook(
        self, hook: Callable[..., Any], with_module: bool = False
    ) -> RemovableHandle:
        return register(self._load_state_dict_pre_hooks, WithModule(hook, self) if with_module else hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls hook(module, incompatible_keys) after this module's state was loaded; it may change the lists
        of keys, and must return None."""
        return register(self._load_state_dict_post_hooks, hook)

    def _own_state(self) -> dict[str, Tensor]:
        """The module's own parameters and persistent buffers."""
        skipped = self._non_persistent_buffers_set
        buffers = ((name, b) for name, b in self._buffers.items() if name not in skipped)
        return {name: t for name, t in (*self._parameters.items(), *buffers) if t is not None}

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        for name, value in self._own_state().items():
            destination[prefix + name] = value if keep_vars or is_lazy(value) else value.detach()
        if type(self).get_extra_state is not StatefulModule.get_extra_state:
            destination[prefix + _EXTRA_STATE] = self.get_extra_state()

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> dict[str, Any]:
        """All parameters and persistent buffers, by name: detached tensors of the same memory, or with
        `keep_vars` the tensors themselves. Its attribute `_metadata` has each module's version."""
        if args:
            warnings.warn(
                "Positional args are being deprecated, use kwargs instead.", FutureWarning, stacklevel=2
            )
            given: Any = (*args, *(destination, prefix, keep_vars)[len(args) :])
            destination, prefix, keep_vars = given
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            changed = hook(self, destination, prefix, metadata)
            if changed is None:
                continue
            if getattr(hook, "_from_public_api", False):
                raise RuntimeError("state_dict post-hook must return None")
            destination = changed
        return destination

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Loads the module's own state, without submodules. Errors are appended to the lists."""
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        assign = local_metadata.get("assign_to_params_buffers", False)
        own = self._own_state()
        for name, value in own.items():
            key = prefix + name
            if key in state_dict:
                error = _load_tensor(self, name, key, value, state_dict[key], assign)
                if error:
                    error_msgs.append(error)
            elif strict:
                missing_keys.append(key)
        extra = prefix + _EXTRA_STATE
        if type(self).set_extra_state is not StatefulModule.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra:
                    name, dot, _ = key[len(prefix) :].partition(".")
                    if name not in (self._modules if dot else own):
                        unexpected_keys.append(key)

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> _IncompatibleKeys:
        """Copies the values of a state_dict into the module; with `assign`, its tensors become the
        parameters and buffers. RuntimeError for other shapes and, if strict, for other keys."""
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        metadata = getattr(state_dict, "_metadata", None)
        copied: Any = OrderedDict(state_dict)
        if metadata is not None:
            copied._metadata = metadata
        keys, errors = _IncompatibleKeys([], []), list[str]()
        _load(self, copied, "", metadata or {}, assign, keys, errors)
        if strict:
            for kind, names in (("Unexpected", keys.unexpected_keys), ("Missing", keys.missing_keys)):
                if names:
                    listed = ", ".join(f'"{name}"' for name in names)
                    errors.insert(0, f"{kind} key(s) in state_dict: {listed}. ")
        if errors:
            what = "\n\t".join(errors)
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{what}")
        return keys


def _load(
    module: Any, state: Any, prefix: str, metadata: Any, assign: bool, keys: Any, errors: list[str]
) -> None:
    """Loads a module and its submodules."""
    local_metadata = dict(metadata.get(prefix[:-1], {}))
    if assign:
        local_metadata["assign_to_params_buffers"] = True
    module._load_from_state_dict(state, prefix, local_metadata, True, *keys, errors)
    for name, child in module._modules.items():
        if child is not None:
            inner = f"{prefix}{name}."
            part = {k: v for k, v in state.items() if k.startswith(inner)}
            _load(child, part, inner, metadata, assign, keys, errors)
    for hook in module._load_state_dict_post_hooks.values():
        if hook(module, keys) is not None:
            raise AssertionError(
                "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new "
                "values, if incompatible_keys need to be modified, it should be done inplace."
            )


def _load_tensor(module: Any, name: str, key: str, own: Any, loaded: Any, assign: bool) -> str | None:
    """Loads one parameter or buffer; returns what went wrong."""
    if not isinstance(loaded, Tensor):
        return (
            f'While copying the parameter named "{key}", expected Tensor or Tensor-like object from '
            f"checkpoint but received {type(loaded)}"
        )
    if not is_lazy(own):
        if own.dim() == 0 and tuple(loaded.shape) == (1,):
            loaded = loaded[0]  # scalars were once saved so
        if loaded.shape != own.shape:
            return (
                f"size mismatch for {key}: copying a param with shape {loaded.shape} from checkpoint, the "
                f"shape in current model is {own.shape}."
            )
    if own.is_meta and not loaded.is_meta and not assign:
        warnings.warn(
            f"for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in the "
            "current model, which is a no-op. (Did you mean to pass `assign=True` to assign items in the "
            "state dictionary to their corresponding key in the module instead of copying them in place?)",
            stacklevel=2,
        )
    swaps = switches.get_swap_module_params_on_conversion()
    try:
        with no_grad():
            if swaps:
                _swap_in(own, loaded, assign)
            elif assign:
                setattr(module, name, _made_parameter(loaded, own))
            else:
                own.copy_(loaded)
    except Exception as error:
        return (
            f'While {"swapping" if swaps else "copying"} the parameter named "{key}", whose dimensions in '
            f"the model are {own.size()} and whose dimensions in the checkpoint are {loaded.size()}, an "
            f"exception occurred : {error.args}."
        )
    return None


def _made_parameter(made: Any, own: Any) -> Any:
    """The tensor in place of `own`: if that is a parameter, as one that requires grad as it does."""
    if not isinstance(own, Parameter):
        return made
    return (
        made.requires_grad_(own.requires_grad)
        if isinstance(made, Parameter)
        else Parameter(made, own.requires_grad)
    )


def _swap_in(own: Any, loaded: Any, assign: bool) -> None:
    made = own.module_load(loaded, assign=assign)
    if made is loaded or made is own:
        raise RuntimeError(
            "module_load returned one of self or other, please .detach() the result if returning one of the "
            "inputs in module_load"
        )
    made = _made_parameter(made, own)
    swap_tensors(own, made)
