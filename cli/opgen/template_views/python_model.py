"""Python functions and methods as the bindings see them: parameters in the parser's order, and for each
overload the operators that run without and with `out=`.
"""

from __future__ import annotations

import dataclasses

from opgen.api.python import PythonParam
from opgen.api.python_bound import is_made
from opgen.api.python_groups import FUNCTIONS, METHODS, PythonGroup, groups
from opgen.model.function import DEFAULT_NAMESPACE, Function
from opgen.model.program import Program
from opgen.model.schema import Argument
from opgen.model.types import TENSOR, OptionalType, Type

# Tensor parameters of these accept a scalar, too: PyTorch's list.
NUMBERS_AS_TENSORS = frozenset(
    "add add_ div div_ divide divide_ mul mul_ multiply multiply_ sub sub_ subtract subtract_"
    " true_divide true_divide_ floor_divide floor_divide_ to _to_copy copy_ copy".split()
)


@dataclasses.dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter. `default` is a schema literal, None where the argument is required. `outputs` > 1: a
    tuple of so many tensors.
    """

    name: str
    type: Type
    default: str | None
    keyword_only: bool
    number_as_tensor: bool = False
    outputs: int = 0

    @property
    def takes_none(self) -> bool:
        may_be_left_out = bool(self.outputs) and self.default is not None
        return isinstance(self.type, OptionalType) or may_be_left_out or self.default == "[]"


@dataclasses.dataclass(frozen=True, slots=True)
class Overload:
    """An overload: `base` runs when `out` is not given, `out` when it is; at least one exists."""

    base: Function | None
    out: Function | None
    method: bool
    parameters: tuple[Parameter, ...]

    @property
    def function(self) -> Function:
        return self.base or self.out  # type: ignore[return-value]

    def index(self, name: str) -> int | None:
        return next((i for i, p in enumerate(self.parameters) if p.name == name), None)

    def index_of(self, argument: Argument, function: Function) -> int:
        """Returns the index of the parameter for an argument of `base` or `out`."""
        found = self.index(_input_name(argument.name, argument.type, self.method))
        assert found is not None, f"{function.name}: no parameter {argument.name}"
        return found

    @property
    def output_index(self) -> int | None:
        return next((i for i, p in enumerate(self.parameters) if p.outputs), None)


@dataclasses.dataclass(frozen=True, slots=True)
class Binding:
    """A function of a module ("" is the top one) or, with module None, a method of Tensor."""

    name: str
    module: str | None
    overloads: tuple[Overload, ...]

    @property
    def is_method(self) -> bool:
        return self.module is None


def bindings(program: Program, namespace: str = DEFAULT_NAMESPACE) -> list[Binding]:
    """Returns all functions and methods of a namespace that get a binding. A library has those of aten's;
    its operators of other namespaces are only reached through `ops`.
    """
    bound = [f for f in program.functions if f.namespace == namespace and is_made(f)]
    found = []
    for module, names in groups(bound).items():
        place = {METHODS: None, FUNCTIONS: ""}.get(module, module)
        for name, signatures in names.items():
            found.append(Binding(name, place, tuple(_overload(g) for g in signatures)))
    return found


def numbers_as_tensors_ops(program: Program) -> list[str]:
    """Returns those of NUMBERS_AS_TENSORS that the program has, "aten::add"."""
    names = {str(f.name.name) for f in program.functions if f.namespace == DEFAULT_NAMESPACE}
    return [f"{DEFAULT_NAMESPACE}::{name}" for name in sorted(names & NUMBERS_AS_TENSORS)]


def _overload(group: PythonGroup) -> Overload:
    signature = group.signature
    positional = {p.name for p in signature.positional}
    number_as_tensor = signature.name in NUMBERS_AS_TENSORS
    parameters = tuple(
        _parameter(p, p.name not in positional, number_as_tensor, signature.method)
        if p is not signature.out
        else _out_parameter(p, required=group.base is None)
        for p in signature.params()
    )
    return Overload(group.base, group.out, signature.method, parameters)


def _out_parameter(p: PythonParam, required: bool) -> Parameter:
    """Returns the parameter `out`, which is required where no operator runs without it."""
    return Parameter(p.name, p.type, None if required else "None", True, False, len(p.arguments))


def _parameter(p: PythonParam, keyword_only: bool, number_as_tensor: bool, method: bool) -> Parameter:
    name = _input_name(p.name, p.type, method)
    default = p.arguments[0].default if p.arguments else p.default
    return Parameter(name, p.type, default, keyword_only, number_as_tensor and p.type == TENSOR)


def _input_name(name: str, type: Type, method: bool) -> str:
    return "input" if name == "self" and type == TENSOR and not method else name
