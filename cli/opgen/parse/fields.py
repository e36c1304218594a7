"""The fields of an entry of a functions file: their names, and the kind of value of each.

The reader knows no other fields, and the JSON Schema for editors is made from this table.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Kind(enum.Enum):
    schema = enum.auto()
    flag = enum.auto()
    variants = enum.auto()
    identifier = enum.auto()
    dotted = enum.auto()  # identifiers joined by '.'
    operator = enum.auto()  # name or name.overload
    operators = enum.auto()  # several, separated by ', '
    names = enum.auto()  # a list of texts
    name_or_names = enum.auto()
    lines = enum.auto()  # a list of 'argument -> type name, ...'
    kernels = enum.auto()  # dispatch keys to kernels
    loops = enum.auto()  # a ufunc loop, or one for each key
    device_check = enum.auto()
    kernel_list = enum.auto()  # ExecuTorch's
    aliases = enum.auto()  # ExecuTorch's: names to lists


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    kind: Kind
    summary: str


FIELDS = (
    Field("func", Kind.schema, "The operator's schema: name[.overload](arguments) -> returns."),
    Field("variants", Kind.variants, "Whether there is a function, a method of Tensor, or both."),
    Field("python_module", Kind.dotted, "The Python module of the function, such as nn or linalg."),
    Field("dispatch", Kind.kernels, "The kernel for each dispatch key; keys may share one: 'CPU, CUDA'."),
    Field("tags", Kind.name_or_names, "Tags of the tags file."),
    Field("autogen", Kind.operators, "The forms that are generated from this one, such as add.out."),
    Field("structured", Kind.flag, "On an out form: its kernel is a structured one."),
    Field("structured_delegate", Kind.operator, "The structured out form whose kernel serves this one."),
    Field("structured_inherits", Kind.identifier, "The base class of the structured kernel."),
    Field("precomputed", Kind.lines, "What meta() hands to the kernel in an argument's place."),
    Field("ufunc_inner_loop", Kind.loops, "The functor that makes the CPU and CUDA kernels, and its dtypes."),
    Field("device_guard", Kind.flag, "Whether calls switch to the device of their tensors; True by default."),
    Field("device_check", Kind.device_check, "Whether all tensors must be on one device."),
    Field("category_override", Kind.identifier, "'factory' for operators that make tensors."),
    Field("cpp_no_default_args", Kind.names, "Arguments whose defaults C++ does not get."),
    Field("manual_cpp_binding", Kind.flag, "The C++ function is written by hand."),
    Field("manual_kernel_registration", Kind.flag, "The kernels are registered by hand."),
    Field("use_const_ref_for_mutable_tensors", Kind.flag, "Written tensors are passed as const references."),
)

# An ExecuTorch entry: kernels instead of a dispatch section, and perhaps an operator of another file.
EXECUTORCH_FIELDS = (
    Field("op", Kind.operator, "An operator whose schema is in another file."),
    Field("kernels", Kind.kernel_list, "Kernels, each with its name and what it serves."),
    Field("type_alias", Kind.aliases, "Names for lists of dtypes."),
    Field("dim_order_alias", Kind.aliases, "Names for lists of orders of dimensions."),
)
