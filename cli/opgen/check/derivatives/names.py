"""Derivatives: the names in formulas. Variables must be known; functions may be hand-written ones, so only
those are reported that are one letter off a known one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from opgen.check.derivatives import formula_rules as rules
from opgen.check.derivatives.subject import OPTIONS, Subject, is_part, text_at, variables
from opgen.diagnostics import Diagnostic, did_you_mean
from opgen.expand.derivatives import FOREACH
from opgen.model import TENSOR, Base, BaseType, ListType, OptionalType, Program, Type, Variant
from opgen.model.derivatives import (
    AUTO_ELEMENT_WISE,
    AUTO_LINEAR,
    NON_DIFFERENTIABLE,
    NOT_IMPLEMENTED,
    Formula,
)
from opgen.parse.derivatives.text import Token, TokenKind, lambdas, tokens

BACKWARD_NAMES = ("grad", "grads", "grad_input_mask", "retain_variables")
_CONSTANTS = frozenset(
    "true false nullptr this M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_E M_LN2 M_LN10 M_LOG2E M_LOG10E"
    " M_SQRT2 M_SQRT1_2 INFINITY NAN".split()
)
_TYPES = frozenset(
    "Tensor TensorList TensorOptions Scalar ScalarType IntArrayRef SymIntArrayRef ArrayRef OptionalArrayRef"
    " Device Layout MemoryFormat Generator SymInt variable_list auto bool char const double float int int8_t"
    " int16_t int32_t int64_t long short size_t sizeof static_cast uint8_t unsigned and or not".split()
)
_KERNEL_CONSTANT = re.compile(r"k[A-Z]\w*\Z", re.ASCII)
HELPERS = (
    *NOT_IMPLEMENTED,
    *("wrap_opt_if", "zeros_like", "TensorGeometry", "to_args_sizes", "to_args_sizes_symint"),
    *("to_args_scalartypes", "handle_r_to_c", "maybe_multiply", "strides_or_error"),
)
# Members of tensors that are not operators.
TENSOR_METHODS = frozenset(
    "conj contiguous const_data_ptr data data_ptr defined device dim dtype element_size"
    " expect_contiguous get_device grad has_storage is_alias_of is_complex is_conj is_contiguous is_cpu"
    " is_cuda is_defined is_floating_point is_leaf is_meta is_mkldnn is_mps is_neg is_nested"
    " is_privateuseone is_quantized is_same is_signed is_sparse is_sparse_csr is_xla is_xpu item"
    " itemsize key_set layout mH mT mutable_data_ptr name nbytes ndimension numel options requires_grad"
    " reset scalar_type set_requires_grad size sizes storage storage_offset stride strides"
    " suggest_memory_format sym_blocksize sym_is_contiguous sym_numel sym_size sym_sizes"
    " sym_storage_offset sym_stride sym_strides to toType use_count value has_value value_or".split()
)
_NUMBERS = tuple(map(BaseType, (Base.int, Base.SymInt, Base.float)))
_ITEMS = (TENSOR, OptionalType(TENSOR), BaseType(Base.Scalar), BaseType(Base.bool))
_SHORTEST = 5
MAX_FAULTS = 10  # in one formula


def check(subject: Subject) -> Iterator[Diagnostic]:
    for formula in (f for f in subject.backward if not f.is_auto):
        known = {
            *subject.arguments,
            *subject.results,
            *BACKWARD_NAMES,
            *subject.named_gradients,
            *_index(subject),
        }
        yield from _variables(subject, formula, known | set(subject.silent_gradients), known)
        yield from _functions(subject, formula)
        yield from _saved_lists(subject, formula)
    for formula in subject.forward:
        known = forward_names(subject) | _index(subject)
        yield from _variables(subject, formula, known | _tangents(subject), known)
        yield from _functions(subject, formula)


def _saved_lists(subject: Subject, formula: Formula) -> Iterator[Diagnostic]:
    """What was saved of other lists would be the caller's, which are gone when the formula is computed."""
    for token in variables(formula):
        type = subject.arguments.get(token.text)
        if type is not None and not _can_be_saved(type):
            message = f"'{token}' is {type}, which cannot be saved for the backward formula"
            yield rules.SAVED_LIST.at(subject.at(formula, token), message)


def _can_be_saved(type: Type) -> bool:
    optional = isinstance(type, OptionalType)
    inner = type.elem if isinstance(type, OptionalType) else type
    if not isinstance(inner, ListType) or inner.elem in _NUMBERS:
        return True
    return inner.elem in _ITEMS and not optional


def forward_names(subject: Subject) -> set[str]:
    """Returns the names available to forward formulas, where tensor options are four arguments."""
    all = {a.name for a in subject.function.schema.arguments.all}
    scattered = {*subject.arguments, *all} - ({OPTIONS} - all)
    plain = {name for name in scattered if name not in subject.inputs or subject.is_list(name)}
    paired = {f"{name}{suffix}" for name in subject.inputs for suffix in ("_p", "_t")}
    original = {"original_self_p", "original_self_t"} if "self" in subject.inputs else set()
    return {*plain, *paired, *original, *subject.results, *subject.outputs, AUTO_LINEAR, AUTO_ELEMENT_WISE}


def _index(subject: Subject) -> set[str]:
    """Returns the index `i`, in formulas of operators on lists: these are computed for every tensor."""
    return {"i"} if subject.function.root_name.startswith(FOREACH) else set()


def _tangents(subject: Subject) -> set[str]:
    """Returns the names of arguments, primals and tangents, which rules about forward formulas cover."""
    return {f"{name}{suffix}" for name in subject.arguments for suffix in ("", "_p", "_t")}


def _variables(
    subject: Subject, formula: Formula, accepted: Iterable[str], known: Iterable[str]
) -> Iterator[Diagnostic]:
    accepted = {*accepted, *_CONSTANTS, *_TYPES}
    unknown = [t for t in variables(formula) if t.text not in accepted]
    if not unknown:
        return
    found = tokens(formula.text)
    inside = [(found[first].start, found[last].end) for first, last in lambdas(found)]
    for token in unknown[:MAX_FAULTS]:
        local = any(start <= token.start < end for start, end in inside)
        if not local and not _KERNEL_CONSTANT.match(token.text):
            message = f"'{token}' is not known in the formula for '{formula.key}'"
            yield rules.UNKNOWN_NAME.at(
                subject.at(formula, token), message, _meant(token.text, known, subject)
            )


def _meant(name: str, known: Iterable[str], subject: Subject) -> str:
    if name.rstrip("0123456789") == "result":
        return f"the results are {', '.join(subject.results) or 'none'}"
    if name == NON_DIFFERENTIABLE.replace("_", ""):
        return f"did you mean '{NON_DIFFERENTIABLE}'?"
    words = [*known, NON_DIFFERENTIABLE]
    return did_you_mean(name, words) or f"it may speak of {', '.join(sorted(known))}"


def _functions(subject: Subject, formula: Formula) -> Iterator[Diagnostic]:
    found = tokens(formula.text)
    functions, methods = _known(subject.program)
    for i, token in enumerate(found):
        if token.kind is not TokenKind.name or text_at(found, i + 1) != "(":
            continue
        before = text_at(found, i - 1)
        meant = None
        if before in (".", "->"):
            rule, what = rules.UNKNOWN_METHOD, "tensors have no method"
            if _is_of_tensor(subject, found, i):
                meant = methods.near(token.text)
        elif before != "::" or text_at(found, i - 2) == "at":
            rule, what = rules.UNKNOWN_FUNCTION, "no operator and no known function is called"
            meant = functions.near(token.text)
        if meant is not None:
            span = subject.at(formula, token)
            yield rule.at(span, f"{what} '{token}'", f"did you mean '{meant}'?")


def _is_of_tensor(subject: Subject, found: tuple[Token, ...], i: int) -> bool:
    owner = text_at(found, i - 2)
    return text_at(found, i - 1) == "." and owner in subject.tensors and not is_part(found, i - 2)


class _Names:
    """Known names, and suggestions for unknown ones."""

    def __init__(self, names: Iterable[str]):
        self._names = frozenset(names)
        self._by_end: dict[str, list[str]] = {}
        for name in self._names:
            for end in ("<" + name[:2], name[-2:] + ">"):
                self._by_end.setdefault(end, []).append(name)

    def near(self, name: str) -> str | None:
        """Returns the known name that is one letter off; None for a known name, and where there is none."""
        plain = name.removesuffix("_symint")
        if name in self._names or plain in self._names or len(plain) < _SHORTEST:
            return None
        ends = ("<" + plain[:2], plain[-2:] + ">")
        candidates = (c for end in ends for c in self._by_end.get(end, ()))
        return next((c for c in candidates if _one_off(plain, c)), None)


def _one_off(one: str, other: str) -> bool:
    """Whether they differ by one letter: another, one more, one less, or two swapped ones."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    begin = 0
    while begin < min(len(one), len(other)) and one[begin] == other[begin]:
        begin += 1
    rest, other_rest = one[begin:], other[begin:]
    return (
        rest[1:] == other_rest[1:]
        or rest[1:] == other_rest
        or rest == other_rest[1:]
        or (rest[1::-1] == other_rest[:2] and rest[2:] == other_rest[2:])
    )


@lru_cache(maxsize=1)
def _known(program: Program) -> tuple[_Names, _Names]:
    """Returns the names of functions and of methods that formulas can call without a hand-written one."""
    declared = program.by_name.values()  # including those with faults
    functions = {str(f.name.name) for f in declared if Variant.function in f.variants}
    methods = {str(f.name.name) for f in declared if Variant.method in f.variants}
    unread = program.faulty
    return _Names({*functions, *unread, *HELPERS}), _Names({*methods, *unread, *TENSOR_METHODS})
