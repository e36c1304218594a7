"""What the inputs and outputs of a graph stand for, with PyTorch's names."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any

from ._graph import Graph, Input, Output, Ref, ScalarMeta


class InputKind(enum.Enum):
    """Where the value of an input is from."""

    USER_INPUT = 1
    PARAMETER = 2
    BUFFER = 3
    CONSTANT_TENSOR = 4


class OutputKind(enum.Enum):
    """What an output is for."""

    USER_OUTPUT = 1
    BUFFER_MUTATION = 3
    PARAMETER_MUTATION = 4
    USER_INPUT_MUTATION = 7


@dataclasses.dataclass(frozen=True)
class TensorArgument:
    """The tensor of this name in the graph."""

    name: str


@dataclasses.dataclass(frozen=True)
class SymIntArgument:
    """The integer of this name in the graph."""

    name: str


@dataclasses.dataclass(frozen=True)
class SymFloatArgument:
    """The float of this name in the graph."""

    name: str


@dataclasses.dataclass(frozen=True)
class SymBoolArgument:
    """The bool of this name in the graph."""

    name: str


@dataclasses.dataclass(frozen=True)
class ConstantArgument:
    """A number, string or None that was fixed at export."""

    name: str
    value: Any


ArgumentSpec = TensorArgument | SymIntArgument | SymFloatArgument | SymBoolArgument | ConstantArgument
_NUMBERS: dict[str, type[SymIntArgument | SymFloatArgument | SymBoolArgument]] = {
    "int": SymIntArgument,
    "float": SymFloatArgument,
    "bool": SymBoolArgument,
}
_INPUTS = {
    **{"user_input": InputKind.USER_INPUT, "parameter": InputKind.PARAMETER},
    **{"buffer": InputKind.BUFFER, "constant": InputKind.CONSTANT_TENSOR},
}


@dataclasses.dataclass(frozen=True)
class InputSpec:
    """An input: `target` is the name of the state, `persistent` whether a buffer is in the state_dict."""

    kind: InputKind
    arg: ArgumentSpec
    target: str | None = None
    persistent: bool | None = None

    def __str__(self) -> str:
        target = "" if self.target is None else f" target={self.target!r}"
        persistent = "" if self.persistent is None else f" persistent={self.persistent}"
        return f"{self.arg.name}: {self.kind.name}{target}{persistent}"


@dataclasses.dataclass(frozen=True)
class OutputSpec:
    """An output: `target` is the name of the state or input that it is written to."""

    kind: OutputKind
    arg: ArgumentSpec
    target: str | None = None

    def __str__(self) -> str:
        target = "" if self.target is None else f" target={self.target!r}"
        return f"{self.arg.name}: {self.kind.name}{target}"


@dataclasses.dataclass(frozen=True)
class ExportGraphSignature:
    """The inputs and outputs of a graph in their order. Mappings are from names in the graph."""

    input_specs: list[InputSpec]
    output_specs: list[OutputSpec]

    def _inputs(self, kind: InputKind) -> dict[str, str]:
        return {s.arg.name: s.target or "" for s in self.input_specs if s.kind is kind}

    def _outputs(self, kind: OutputKind) -> dict[str, str]:
        return {s.arg.name: s.target or "" for s in self.output_specs if s.kind is kind}

    @property
    def user_inputs(self) -> tuple[Any, ...]:
        """The arguments: names, and the values of those that were fixed."""
        return tuple(_shown(s.arg) for s in self.input_specs if s.kind is InputKind.USER_INPUT)

    @property
    def user_outputs(self) -> tuple[Any, ...]:
        """The results: names, and the values of those that are fixed."""
        return tuple(_shown(s.arg) for s in self.output_specs if s.kind is OutputKind.USER_OUTPUT)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(self.inputs_to_parameters.values())

    @property
    def buffers(self) -> tuple[str, ...]:
        """The names of the buffers."""
        return tuple(self.inputs_to_buffers.values())

    @property
    def non_persistent_buffers(self) -> tuple[str, ...]:
        """The names of the buffers that are not in the state_dict."""
        return tuple(s.target or "" for s in self.input_specs if s.persistent is False)

    @property
    def lifted_tensor_constants(self) -> tuple[str, ...]:
        """The names of tensors that are neither parameters nor buffers."""
        return tuple(self.inputs_to_lifted_tensor_constants.values())

    @property
    def inputs_to_parameters(self) -> dict[str, str]:
        """The parameter of each input that is one."""
        return self._inputs(InputKind.PARAMETER)

    @property
    def inputs_to_buffers(self) -> dict[str, str]:
        """The buffer of each input that is one."""
        return self._inputs(InputKind.BUFFER)

    @property
    def inputs_to_lifted_tensor_constants(self) -> dict[str, str]:
        """The constant of each input that is one."""
        return self._inputs(InputKind.CONSTANT_TENSOR)

    @property
    def buffers_to_mutate(self) -> dict[str, str]:
        """The buffer that each of these outputs is written to."""
        return self._outputs(OutputKind.BUFFER_MUTATION)

    @property
    def parameters_to_mutate(self) -> dict[str, str]:
        """The parameter that each of these outputs is written to."""
        return self._outputs(OutputKind.PARAMETER_MUTATION)

    @property
    def user_inputs_to_mutate(self) -> dict[str, str]:
        """The argument that each of these outputs is written to."""
        return self._outputs(OutputKind.USER_INPUT_MUTATION)

    def __str__(self) -> str:
        inputs = "\n".join(str(s) for s in self.input_specs)
        outputs = "\n".join(str(s) for s in self.output_specs)
        return f"\n# inputs\n{inputs}\n\n# outputs\n{outputs}\n"


def graph_signature(graph: Graph) -> ExportGraphSignature:
    """The signature of a graph."""
    metas = {i.name: i.meta for i in graph.inputs}
    for node in graph.nodes:
        if isinstance(node.results, str):
            metas[node.results] = node.meta
    return ExportGraphSignature([_input(i) for i in graph.inputs], [_output(o, metas) for o in graph.outputs])


def _input(i: Input) -> InputSpec:
    arg: ArgumentSpec = TensorArgument(i.name)
    if not i.is_tensor:
        dynamic = _NUMBERS[i.meta.kind] if isinstance(i.meta, ScalarMeta) else None
        arg = dynamic(i.name) if dynamic else ConstantArgument(i.name, i.fixed)
    return InputSpec(_INPUTS[i.kind], arg, i.target, i.persistent if i.kind == "buffer" else None)


def _output(o: Output, metas: dict[str, Any]) -> OutputSpec:
    arg: ArgumentSpec = ConstantArgument("", o.value)
    if isinstance(o.value, Ref):
        meta = metas.get(o.value.name)
        number = _NUMBERS[meta.kind] if isinstance(meta, ScalarMeta) else None
        arg = number(o.value.name) if number else TensorArgument(o.value.name)
    return OutputSpec(OutputKind[o.kind.upper()], arg, o.target)


def _shown(arg: ArgumentSpec) -> Any:
    return arg.value if isinstance(arg, ConstantArgument) else arg.name
