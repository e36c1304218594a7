"""Template views of a checks file's conditions: guards in front of kernels, and lines of docstrings."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping

from opgen.model.checks import IN, MAY_BE, Check, Subject
from opgen.model.function import Function
from opgen.template_views.atoms import Cpp, c_literal
from opgen.template_views.atoms_of import join

_LOOKED_AT = {
    Subject.value: "{}",
    Subject.length: "at::impl::length_of({})",
    Subject.rank: "at::impl::rank_of({})",
    Subject.dtype: "at::impl::dtype_of({})",
}
_PYTHON_DTYPES = {
    **{"Byte": "uint8", "Char": "int8", "Short": "int16", "Int": "int32", "Long": "int64", "Bool": "bool"},
    **{"Half": "float16", "BFloat16": "bfloat16", "Float": "float32", "Double": "float64"},
    **{"ComplexHalf": "complex32", "ComplexFloat": "complex64", "ComplexDouble": "complex128"},
}


@dataclasses.dataclass(frozen=True, slots=True)
class GuardView:
    """A guard. It tests `value`, or each element of a list: the comparison with `bound`, or whether it is one
    of those `allowed`.
    """

    value: Cpp
    text: Cpp
    compares: Cpp | None = None
    bound: int = 0
    allowed: Cpp | None = None


def guards(checks: Iterable[Check]) -> Iterator[GuardView]:
    for check in checks:
        if not check.is_guarded:
            continue
        value, text = Cpp(_LOOKED_AT[check.subject].format(check.argument)), c_literal(str(check))
        if check.relation == IN:
            numbers = [f"int64_t{{{n}}}" for n in check.numbers]
            dtypes = [f"at::ScalarType::{word}" for word in check.words]
            yield GuardView(value, text, allowed=join([*numbers, *dtypes]))
        else:
            yield GuardView(value, text, Cpp(check.relation), check.numbers[0])


def raised(checks: Iterable[Check], rename: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yields the error, and the condition whose violation raises it, with Python names of dtypes and
    arguments.
    """
    for check in checks:
        if check.relation == MAY_BE:
            continue
        yield _error(check), str(_renamed(check, rename))


def _error(check: Check) -> str:
    if check.range is None:
        return "RuntimeError"
    return "IndexError" if check.subject is Subject.value else "IndexError or RuntimeError"


def one_device(function: Function, checks: Iterable[Check], rename: Mapping[str, str]) -> str | None:
    """Returns the condition on the devices of the operator's tensors; None for a single tensor."""
    elsewhere = {c.argument for c in checks if c.subject is Subject.device}
    tensors = [a for a in function.schema.arguments.all if a.type.is_tensor_like()]
    if len(tensors) == 1 and tensors[0].type.as_list() is None:
        return None
    left_out = " and ".join(rename.get(a.name, a.name) for a in tensors if a.name in elsewhere)
    return f"all tensors{' but ' + left_out if left_out else ''} are on one device" if tensors else None


def _renamed(check: Check, rename: Mapping[str, str]) -> Check:
    found = check.range
    if found is not None:
        dim = rename.get(found.dim, found.dim) if isinstance(found.dim, str) else found.dim
        found = dataclasses.replace(found, of=rename.get(found.of, found.of), dim=dim)
    words = tuple(_PYTHON_DTYPES.get(word, word) for word in check.words)
    argument = rename.get(check.argument, check.argument)
    return dataclasses.replace(check, argument=argument, words=words, range=found)
