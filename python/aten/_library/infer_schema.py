"""Schemas of operators from the annotations of Python functions."""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing
from typing import TYPE_CHECKING, Any, NoReturn

from .. import _C
from .._C import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# Type -> its name in schemas, and whether lists of it, lists of optional ones and optional lists are taken.
_PARAMETERS: dict[Any, tuple[str, bool, bool, bool]] = {
    Tensor: ("Tensor", True, True, False),
    int: ("SymInt", True, False, True),
    float: ("float", True, False, True),
    bool: ("bool", True, False, True),
    str: ("str", False, False, False),
    int | float | bool: ("Scalar", True, False, False),
    _C.dtype: ("ScalarType", False, False, False),
    _C.device: ("Device", False, False, False),
}
_RESULTS = {
    Tensor: "Tensor",
    list[Tensor]: "Tensor[]",
    int: "SymInt",
    float: "float",
    bool: "bool",
    int | float | bool: "Scalar",
}
_VALID = (
    "Tensor, int, float, bool, str, int | float | bool, dtype, device; list or Sequence of Tensor, of "
    "Tensor | None and of numbers; X | None of the types that are no lists, and of lists of int, float and "
    "bool"
)


def infer_schema(
    prototype_function: Callable[..., Any],
    /,
    *,
    mutates_args: str | Iterable[str],
    op_name: str | None = None,
) -> str:
    """Returns the schema of an operator, from the type annotations of a function:
    "(Tensor x, float y=2.0) -> Tensor".

    mutates_args: the names of the tensors that the function modifies, or "unknown": all.
    op_name: put before the schema.
    ValueError for parameters and results that no schema has.
    """
    signature = inspect.signature(prototype_function)
    return _Inference(prototype_function, signature, mutates_args).schema(op_name or "")


class _Inference:
    """One function's schema; the parts of its errors."""

    def __init__(
        self, fn: Callable[..., Any], signature: inspect.Signature, mutates: str | Iterable[str]
    ) -> None:
        self.signature, self.names = signature, getattr(fn, "__globals__", {})
        self.all_mutated = mutates == "unknown"
        if isinstance(mutates, str) and not self.all_mutated:
            raise ValueError(
                "mutates_args must either be a sequence of the names of the arguments that are mutated or "
                "the string 'unknown'. "
            )
        self.mutated = frozenset() if self.all_mutated else frozenset(mutates)

    def fail(self, what: str) -> NoReturn:
        raise ValueError(f"infer_schema(func): {what} Got func with signature {self.signature})")

    def schema(self, name: str) -> str:
        shown, keyword_only = [], False
        for position, parameter in enumerate(self.signature.parameters.values()):
            if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
                self.fail("We do not support positional-only args, varargs, or varkwargs.")
            if parameter.kind == parameter.KEYWORD_ONLY and not keyword_only:
                keyword_only = True
                shown.append("*")
            shown.append(self.parameter(position, parameter))
        unseen = set(self.mutated) - self.signature.parameters.keys()
        if unseen:
            self.fail(
                f"{unseen} in mutates_args were not found in the custom op's signature. mutates_args should "
                "contain the names of all args that the custom op mutates, or just the string 'unknown' if "
                "you don't know."
            )
        return f"{name}({', '.join(shown)}) -> {self.results()}"

    def parameter(self, position: int, parameter: inspect.Parameter) -> str:
        name = parameter.name
        if parameter.annotation is parameter.empty:
            self.fail(f"Parameter {name} must have a type annotation.")
        spelled = _spelled(self.evaluated(parameter.annotation), self.evaluated)
        if spelled is None:
            self.fail(self.unsupported(parameter))
        is_tensor = spelled.startswith("Tensor")
        if name in self.mutated and not is_tensor:
            self.fail(
                f"Parameter {name} is in mutable_args but only Tensors or collections of Tensors can be "
                "mutated"
            )
        if is_tensor and (self.all_mutated or name in self.mutated):
            spelled = f"Tensor(a{position}!){spelled.removeprefix('Tensor')}"
        if parameter.default is parameter.empty:
            return f"{spelled} {name}"
        return f"{spelled} {name}={self.default(parameter)}"

    def unsupported(self, parameter: inspect.Parameter) -> str:
        text = f"Parameter {parameter.name} has unsupported type {parameter.annotation}. "
        if typing.get_origin(self.evaluated(parameter.annotation)) is tuple:
            text += (
                "We do not support Tuple inputs in schema. As a workaround, please try to use List instead. "
            )
        return f"{text}The valid types are: {_VALID}."

    def default(self, parameter: inspect.Parameter) -> str:
        value = parameter.default
        if value is None or isinstance(value, (int, float)):
            return str(value)
        if isinstance(value, (str, _C.device)):
            return f'"{value}"'
        if isinstance(value, _C.dtype):
            return str(value).rpartition(".")[2]
        self.fail(f"Parameter {parameter.name} has an unsupported default value type {type(value)}.")

    def results(self) -> str:
        annotation = self.evaluated(self.signature.return_annotation)
        if annotation is None:
            return "()"
        if annotation is inspect.Signature.empty:
            self.fail("No return type annotation was provided. Please add one.")
        is_tuple = typing.get_origin(annotation) is tuple
        parts = typing.get_args(annotation) if is_tuple else (annotation,)
        spelled = [_result(self.evaluated(part), self.evaluated) for part in parts]
        if None in spelled:
            valid = ", ".join(getattr(t, "__name__", str(t)) for t in _RESULTS)
            self.fail(f"Return has unsupported type {annotation}. The valid types are: {valid}.")
        text = ", ".join(str(part) for part in spelled)
        if not is_tuple:
            return text
        return f"(({text}))" if len(parts) == 1 else f"({text})"

    def evaluated(self, annotation: Any) -> Any:
        """The annotation, or what its text stands for in the function's module."""
        if not isinstance(annotation, str):
            return annotation
        try:
            return eval(annotation, self.names)
        except NameError as error:
            self.fail(
                f"Unsupported type annotation {annotation}. It is not a type. ({error}). If you are using "
                "'from __future__ import annotations', note that annotations are evaluated lazily as "
                "strings; make sure all types referenced in annotations are importable at module scope, not "
                "only inside a local function."
            )
        except Exception as error:
            self.fail(
                f"Unsupported type annotation {annotation}. It is not a type. ({type(error).__name__}: "
                f"{error})"
            )


def _row(annotation: Any) -> tuple[str, bool, bool, bool] | None:
    try:
        return _PARAMETERS.get(annotation)
    except TypeError:  # not hashable
        return None


def _without_none(annotation: Any) -> Any:
    """X for `X | None`; None for what isn't optional."""
    if typing.get_origin(annotation) not in (typing.Union, types.UnionType):
        return None
    args = typing.get_args(annotation)
    if type(None) not in args:
        return None
    return typing.Union[tuple(a for a in args if a is not type(None))]  # noqa: UP007


def _element(annotation: Any, evaluated: Callable[[Any], Any]) -> Any:
    """X for lists and sequences of X; None for others."""
    args = typing.get_args(annotation)
    is_list = typing.get_origin(annotation) in (list, collections.abc.Sequence) and len(args) == 1
    return evaluated(args[0]) if is_list else None


def _spelled(annotation: Any, evaluated: Callable[[Any], Any]) -> str | None:
    """The type in a schema; None if there is none."""
    if row := _row(annotation):
        return row[0]
    inner = _without_none(annotation)
    if inner is not None:
        if row := _row(inner):
            return f"{row[0]}?"
        row = _row(_element(inner, evaluated))
        return f"{row[0]}[]?" if row and row[3] else None
    element = _element(annotation, evaluated)
    if row := _row(element):
        return f"{row[0]}[]" if row[1] else None
    row = _row(_without_none(element))
    return f"{row[0]}?[]" if row and row[2] else None


def _result(annotation: Any, evaluated: Callable[[Any], Any]) -> str | None:
    if typing.get_origin(annotation) is list:
        return "Tensor[]" if _element(annotation, evaluated) is Tensor else None
    try:
        return _RESULTS.get(annotation)
    except TypeError:  # not hashable
        return None
