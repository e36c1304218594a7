"""custom_op, and what belongs to an operator of it."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from .. import _C
from .._C import OpOverload, Tensor
from .._ops import ops
from .._tags import Tag
from ..autograd.graph import increment_version
from ..library import DispatchKeySet, Library
from .autograd import Formula, autograd_kernel, with_defaults
from .infer_schema import infer_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    DeviceTypes = str | Sequence[str] | None
    Function = Callable[..., Any]

_ALIASES = (
    "The output of this custom operator (1) must not also be an input to this custom operator and (2) may "
    "not alias any inputs to this custom operator or other returns. The most common way to trigger this "
    "error is if we have y = custom_op(x) and y and x are the same Tensor. Please instead return a clone of "
    "the offending output tensor(s) (e.g. return x.clone()) or refactor the custom operator to not return y."
)
# By qualified name: all custom operators, which a definition of the same name replaces.
DEFINED: dict[str, CustomOpDef] = {}


def custom_op(
    name: str,
    fn: Function | None = None,
    /,
    *,
    mutates_args: str | Iterable[str],
    device_types: DeviceTypes = None,
    schema: str | None = None,
    tags: Tag | Sequence[Tag] = (),
) -> Any:
    """Makes an operator of a Python function: a decorator, or with `fn` a call that returns the operator.

    name: "namespace::name".
    mutates_args: the names of the tensors that the function modifies, or "unknown": all.
    device_types: the devices whose tensors the function is for; all by default.
    schema: "(Tensor x, int n) -> Tensor"; by default, from the function's annotations (see infer_schema).
    tags: what else holds of the operator. NotImplementedError for Tag.inplace and Tag.out.

    The results must not share memory with the arguments or with one another.
    """
    given = (tags,) if isinstance(tags, Tag) else tuple(tags)
    for tag in given:
        if tag in (Tag.inplace, Tag.out):
            raise NotImplementedError(
                f"custom_op(): operators that return what they modify ({tag}) are not there"
            )

    def define(function: Function) -> CustomOpDef:
        text = infer_schema(function, mutates_args=mutates_args) if schema is None else schema
        namespace, _ = parsed(name)
        made = CustomOpDef(namespace, name.partition("::")[2], text, function, given)
        written = {a.name for a in made._arguments if a.is_write}
        if schema is not None and written != set(mutates_args):
            made._lib._destroy()
            raise ValueError(
                f"Attempted to create a custom op with `mutates_args={mutates_args}` and `schema={schema}`. "
                f"The schema suggests that the op mutates {written}, which is different from what was "
                "provided to us in `mutates_args`. Please make these consistent."
            )
        made.register_kernel(device_types)(function)
        return made

    return define if fn is None else define(fn)


class CustomOpDef(Formula):
    """An operator made of Python functions by custom_op."""

    def __init__(
        self, namespace: str, name: str, schema: str, fn: Function, tags: Sequence[Tag] = ()
    ) -> None:
        self._namespace, self._name, self._schema, self._init_fn = namespace, name, schema, fn
        self._backend_fns: dict[str | None, Function] = {}
        self._abstract_fn: Function | None = None
        before = DEFINED.pop(self._qualname, None)
        if before is not None:
            before._lib._destroy()
        self._lib: Library = Library(namespace, "FRAGMENT")
        self._lib.define(f"{name}{schema}", tags=(Tag.pt2_compliant_tag, *tags))
        self._opoverload: OpOverload = getattr(getattr(ops, namespace), name).default
        self._arguments = self._opoverload._schema.arguments
        refuse_keyword_tensors("custom_op", self._opoverload, f"{name}{schema}")
        self._lib.impl(name, self._fake, "Meta")
        self._lib.impl(name, autograd_kernel(self._opoverload, self), "Autograd", with_keyset=True)
        if self._opoverload._schema.is_mutable:
            self._lib.impl(name, self._bump_versions, "ADInplaceOrView", with_keyset=True)
        DEFINED[self._qualname] = self

    @property
    def _qualname(self) -> str:
        return f"{self._namespace}::{self._name}"

    def __repr__(self) -> str:
        return f"<CustomOpDef({self._qualname})>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._opoverload(*args, **kwargs)

    def register_kernel(self, device_types: DeviceTypes, fn: Function | None = None, /) -> Any:
        """Registers the function for tensors on the devices, "cpu" or ("cpu", "cuda"); a decorator without
        `fn`. For an operator without tensors, the argument `device` selects the kernel."""
        types = (
            [device_types] if device_types is None or isinstance(device_types, str) else list(device_types)
        )
        if device_types is not None and not any(map(_is_tensor, self._arguments)):
            self._select_by_device()

        def register(function: Function) -> Function:
            for device_type in types:
                is_new = device_type not in self._backend_fns
                self._backend_fns[device_type] = function
                if is_new:
                    key = key_of(device_type)
                    self._lib.impl(self._name, self._checked(device_type), key, allow_override=key == "Meta")
            return function

        return register if fn is None else register(fn)

    def register_fake(self, fn: Function, /) -> Function:
        """Registers the function for tensors without data, on the device "meta"."""
        self._abstract_fn = fn
        return fn

    def register_autograd(self, backward: Function, /, *, setup_context: Function | None = None) -> None:
        """Registers the gradient: `backward(ctx, *grads)` returns a gradient or None for each argument, those
        of a list in a list. `setup_context(ctx, inputs, output)` saves in ctx what it needs, and gets
        `keyword_only_inputs` too where there are such arguments."""
        refuse_mutation(self, self._opoverload)
        self._backward_fn, self._setup_context_fn = backward, setup_context

    def register_vmap(self, func: Function | None = None) -> Any:
        """NotImplementedError."""
        raise NotImplementedError(
            f"{self._qualname}: register_vmap(): operators have no batched kernels here"
        )

    def _checked(self, device_type: str | None) -> Function:
        def kernel(*args: Any, **kwargs: Any) -> Any:
            function = self._backend_fns[device_type]
            result = function(*args, **kwargs)
            if _any_alias((*args, *kwargs.values()), result):
                module = inspect.getmodule(function)
                raise RuntimeError(f"{self._name} (with implementation in {module}): {_ALIASES}")
            return result

        return kernel

    def _fake(self, *args: Any, **kwargs: Any) -> Any:
        if self._abstract_fn is not None:
            return self._abstract_fn(*args, **kwargs)
        schema = self._opoverload._schema
        if schema.is_mutable and not schema.returns:
            return None
        raise RuntimeError(
            f"There was no fake impl registered for {self}. This is necessary for calls with meta tensors to "
            f"work. Please use `{self._init_fn.__name__}.register_fake` to add an fake impl."
        )

    def _bump_versions(self, keys: DispatchKeySet, *args: Any, **kwargs: Any) -> Any:
        positional, keywords = with_defaults(self._arguments, args, kwargs)
        for argument, value in zip(self._arguments, (*positional, *keywords.values()), strict=True):
            if argument.is_write and value is not None:
                increment_version(value)
        return self._opoverload.redispatch(keys & DispatchKeySet.after("ADInplaceOrView"), *args, **kwargs)

    def _select_by_device(self) -> None:
        if not any(a.name == "device" and a.type == "Device" for a in self._arguments):
            raise ValueError(
                "Functions without tensor inputs are required to have a `device: torch.device` argument"
            )

        def select(keys: DispatchKeySet, *args: Any, **kwargs: Any) -> Any:
            positional, keywords = with_defaults(self._arguments, args, kwargs)
            names = [a.name for a in self._arguments]
            given = dict(zip(names, (*positional, *keywords.values()), strict=True))
            device = _C.device(given["device"]).type
            if device not in self._backend_fns:
                raise RuntimeError(
                    f"{self._name} does not have a kernel registered for {device}. Please use "
                    "register_kernel to do so."
                )
            return self._opoverload.redispatch(DispatchKeySet(key_of(device)), *args, **kwargs)

        if not self._backend_fns:
            self._lib.impl(self._name, select, "BackendSelect", with_keyset=True)


def parsed(qualname: str) -> tuple[str, str]:
    namespace, _, name = qualname.partition("::")
    if not name or "::" in name:
        raise ValueError(
            f'Expected `qualname` to be of the form "namespace::name", but got {qualname}. The qualname that '
            "is passed to the library APIs must consist of a namespace and a name, e.g. aten::sin"
        )
    return namespace, name


def key_of(device_type: str | None) -> str:
    if device_type is None or device_type == "default":
        return "CompositeExplicitAutograd"
    named = {"meta": "Meta", "privateuseone": "PrivateUse1"}
    kind = str(_C.device(device_type).type)
    return named.get(kind, kind.upper())


def _is_tensor(argument: Any) -> bool:
    return str(argument.type).startswith("Tensor")


def refuse_keyword_tensors(caller: str, op: OpOverload, schema: str) -> None:
    if any(a.kwarg_only and _is_tensor(a) for a in op._schema.arguments):
        raise NotImplementedError(
            f"{caller} with kwarg-only Tensor args. Please make your tensors not kwarg-only. Got: {schema}"
        )


def refuse_mutation(shown: object, op: OpOverload) -> None:
    schema = op._schema
    is_view = any(r.alias_info is not None for r in schema.returns)
    if schema.is_mutable or is_view or not schema.returns:
        raise RuntimeError(
            f"Cannot register autograd formula for non-functional operator {shown} with schema {schema}. "
            "Please create a functional operator and register an autograd formula for that."
        )


def _any_alias(args: tuple[Any, ...], result: Any) -> bool:
    """Whether a result shares memory with an argument or another result."""
    seen = {_memory(t) for t in _tensors(args)} - {0}
    for tensor in _tensors(result if isinstance(result, tuple) else (result,)):
        memory = _memory(tensor)
        if memory in seen:
            return True
        if memory:
            seen.add(memory)
    return False


def _tensors(values: Iterable[Any]) -> list[Tensor]:
    flat = [each for value in values for each in (value if isinstance(value, (list, tuple)) else [value])]
    return [each for each in flat if isinstance(each, Tensor)]


def _memory(tensor: Tensor) -> int:
    return int(tensor.untyped_storage().data_ptr())
