"""Names that mean something else in C++ or Python, or in the generated code."""

from __future__ import annotations

import re

CPP_KEYWORDS = frozenset(
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t"
    " char32_t class"
    " compl concept const consteval constexpr constinit const_cast continue co_await co_return"
    " co_yield decltype"
    " default delete do double dynamic_cast else enum explicit export extern false float for friend"
    " goto if inline"
    " int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public"
    " register reinterpret_cast requires return short signed sizeof static static_assert static_cast"
    " struct switch"
    " template this thread_local throw true try typedef typeid typename union unsigned using virtual"
    " void volatile"
    " wchar_t while xor xor_eq".split()
)

# Names that common C and POSIX headers define as macros.
MACROS = frozenset(
    "EOF NULL I NAN INFINITY HUGE_VAL RAND_MAX BUFSIZ CHAR_BIT INT_MAX INT_MIN LONG_MAX SIZE_MAX PAGE_SIZE"
    " assert errno offsetof setjmp stdin stdout stderr major minor makedev linux unix va_arg va_end"
    " va_start".split()
)
_MACROS_OF_ATEN = re.compile(r"(?:C10|TORCH|AT|ATEN|CUDA|DLPACK)_[A-Z0-9_]+|CPU_CAPABILITY\w*")

# Variables of generated functions, and what these use without a namespace, which an argument would hide.
GENERATED = frozenset(
    "_backend _below _devices _error _grad_inputs _gradient _gradients _guard _is_differentiable _kernel"
    " _keys _made _node _op _precomputed _requires_grad _result _view _viewed Node NodeGuard Tensor"
    " any_defined any_tangent bump_version check_inplace check_no_requires_grad check_out"
    " compute_requires_grad copy_range detach_in_place dispatchKeySet entry int64_t make_node"
    " make_not_implemented maybe_get_output meta_return_ty original_self original_self_p original_self_t"
    " primal_of release_list release_variables retain_variables self_t_raw set_history set_tangent"
    " set_view set_views surely_untracked tangent_of throw_no_forward unpack_list unpack_optional_list"
    " untracked variable_list".split()
)

# Types and namespaces of `at` that generated headers name, and members of an operator's struct.
IN_LIBRARY = frozenset(
    "ArrayRef Device DeviceIndex DimVector Generator IOptTensorListRef ITensorListRef IntArrayRef Layout"
    " MemoryFormat OptionalIntArrayRef OptionalScalarRef OptionalTensorRef Reduction Scalar ScalarType"
    " Storage Stream Tensor TensorBase TensorIterator TensorIteratorBase TensorIteratorConfig TensorList"
    " TensorOptions _ops at c10 call cuda detail entry impl indexing int64_t internal kernels meta name"
    " native overload_name python redispatch schema schema_str unsafeGetTensorImpl".split()
)

# Classes that annotations in the Python stubs name.
IN_STUBS = frozenset(
    "Any Generator NamedTuple Sequence Stream Tensor builtins contiguous_format device dtype layout list"
    " memory_format object overload str tuple".split()
)


def is_macro(name: str) -> bool:
    return name in MACROS or _MACROS_OF_ATEN.fullmatch(name) is not None
