"""Parameters and buffers: tensors that a Module keeps when they are assigned to its attributes."""

from __future__ import annotations

from .. import _C
from .._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,misc,attr-defined,no-untyped-call"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_functions = _C._VariableFunctions
_plain_override: Any = _C._disabled_torch_function_impl


class _Marked(type(Tensor)):
    """Makes isinstance() also true for tensors of other classes that have the class's mark."""

    _mark: str | None

    def __instancecheck__(cls, instance: object) -> bool:
        if super().__instancecheck__(instance):
            return True
        mark = vars(cls).get("_mark")
        return mark is not None and isinstance(instance, Tensor) and getattr(instance, mark, False)


class Parameter(Tensor, metaclass=_Marked):
    """`Parameter(data, requires_grad=True)`: a tensor of the memory of `data` that a Module registers when it
    is assigned to an attribute. For data of a subclass of Tensor it is of this class."""

    _mark = "_is_param"
    __torch_function__ = _plain_override

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Parameter:
        if data is None:
            data = _functions.empty(0)
        if type(data) is Tensor or type(data) is Parameter:
            return Tensor._make_subclass(cls, data, requires_grad)
        made: Any = data.detach().requires_grad_(requires_grad)
        is_kept = type(made) is type(data)
        if not is_kept:
            raise RuntimeError(
                f"Creating a Parameter from an instance of type {type(data).__name__} requires that detach() "
                "returns an instance of the same type, but return type "
                f"{type(made).__name__} was found instead"
            )
        made._is_param = True
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.data.clone(), self.requires_grad)
        return memo[id(self)]

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return f"Parameter containing:\n{Tensor._make_subclass(Tensor, self, self.requires_grad)!r}"


class Buffer(Tensor, metaclass=_Marked):
    """`Buffer(data, *, persistent=True)`: a tensor that a Module registers as a buffer when it is assigned to
    an attribute; if persistent, it is part of the state_dict."""

    _mark = "_is_buffer"
    __torch_function__ = _plain_override
    persistent: bool

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Buffer:
        if data is None:
            data = _functions.empty(0)
        made: Any = data.detach().requires_grad_(data.requires_grad)
        made.persistent = persistent
        made._is_buffer = True
        return made


# What can be done with a tensor without a shape: conversions, and reading its attributes.
_ALLOWED = frozenset(
    "__hash__ size copy_ is_complex is_floating_point half float double bfloat16 char short int long cuda "
    "cpu to get_device".split()
)


def _without_shape(name: str) -> Any:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise ValueError(_message(f"{type(self).__name__}.{name}()", type(self)))

    method.__name__ = name
    return method


def _message(function: Any, cls: type) -> str:
    return (
        f"Attempted to use an uninitialized parameter in {function}. This happens for a lazy module, or if "
        f"{cls.__name__} objects are used directly. Call `forward` of the module with a dummy batch to "
        "initialize its parameters before calling functions of them"
    )


class UninitializedTensorMixin:
    """A parameter or buffer whose shape isn't known yet. Functions of it raise ValueError."""

    cls_to_become: type[Tensor]
    if TYPE_CHECKING:  # typing.get_type_hints() can't resolve Any
        data: Any

    def materialize(self, shape: Sequence[int], device: Any = None, dtype: Any = None) -> None:
        """Makes this an uninitialised tensor of the shape, of the class `cls_to_become`."""
        data = self.data
        self.data = _functions.empty(shape, device=device or data.device, dtype=dtype or data.dtype)
        self.__class__ = self.cls_to_become  # type: ignore[assignment]

    @property
    def shape(self) -> Any:
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
            "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call "
            "`forward` to initialize the parameters before accessing their attributes."
        )

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return f"<{type(self).__name__}>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self), (self.requires_grad, self.device, self.dtype)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            cls: Any = type(self)
            memo[id(self)] = cls(self.requires_grad, self.device, self.dtype)
        return memo[id(self)]

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func.__name__ in _ALLOWED or type(func).__name__ == "method-wrapper":
            return _plain_override(func, types, args, kwargs or {})
        raise ValueError(_message(func, cls))

    def share_memory_(self) -> Any:
        raise RuntimeError(
            "Can't share memory on an uninitialized parameter or buffer. Call `forward` to initialize the "
            "parameters before calling `module.share_memory()`."
        )

    # Methods that no override of functions sees.
    __len__ = _without_shape("__len__")
    data_ptr = _without_shape("data_ptr")
    dim = _without_shape("dim")
    element_size = _without_shape("element_size")
    is_shared = _without_shape("is_shared")
    item = _without_shape("item")
    ndimension = _without_shape("ndimension")
    nelement = _without_shape("nelement")
    numel = _without_shape("numel")
    storage_offset = _without_shape("storage_offset")
    tolist = _without_shape("tolist")
    type = _without_shape("type")
    untyped_storage = _without_shape("untyped_storage")


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    """A Parameter whose shape isn't known yet; `materialize(shape)` makes it one."""

    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> Any:
        return Tensor._make_subclass(cls, _functions.empty(0, device=device, dtype=dtype), requires_grad)


class UninitializedBuffer(UninitializedTensorMixin, Tensor):
    """A buffer whose shape isn't known yet; `materialize(shape)` makes it a Tensor."""

    cls_to_become = Tensor
    persistent: bool

    def __new__(
        cls, requires_grad: bool = False, device: Any = None, dtype: Any = None, persistent: bool = True
    ) -> Any:
        made = Tensor._make_subclass(cls, _functions.empty(0, device=device, dtype=dtype), requires_grad)
        made.persistent = persistent
        made._is_buffer = True
        return made


def is_lazy(param: Any) -> bool:
    """Whether the tensor is an UninitializedParameter or UninitializedBuffer."""
    return isinstance(param, UninitializedTensorMixin)
