"""Recurrent networks."""

from __future__ import annotations

import math
import warnings

from ... import _C
from ..._C import Tensor
from ..init import uniform_
from ..parameter import Parameter
from ..utils.rnn import PackedSequence
from ._rnn_cells import GRUCell, LSTMCell, RNNCell, RNNCellBase
from .module import Module, own

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = ["GRU", "LSTM", "RNN", "GRUCell", "LSTMCell", "RNNBase", "RNNCell", "RNNCellBase"]

_functions = _C._VariableFunctions
_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


class RNNBase(Module):
    """Layers of a recurrent network; `mode` is "LSTM", "GRU", "RNN_TANH" or "RNN_RELU"."""

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.mode, self.input_size, self.hidden_size = mode, input_size, hidden_size
        self.num_layers, self.bias, self.batch_first = num_layers, bias, batch_first
        self.dropout, self.bidirectional, self.proj_size = dropout, bidirectional, proj_size
        self._check_arguments()
        self.dropout = float(dropout)
        self._all_weights: list[list[str]] = []
        rows, outputs = _GATES[mode] * hidden_size, proj_size or hidden_size
        for layer in range(num_layers):
            inputs = outputs * (1 + bidirectional) if layer else input_size
            shapes: dict[str, tuple[int, ...]] = {"weight_ih": (rows, inputs), "weight_hh": (rows, outputs)}
            if bias:
                shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
            if proj_size:
                shapes["weight_hr"] = (proj_size, hidden_size)
            for suffix in ("", "_reverse")[: 1 + bidirectional]:
                for name, shape in shapes.items():
                    made = Parameter(_functions.empty(shape, device=device, dtype=dtype))
                    self.register_parameter(f"{name}_l{layer}{suffix}", made)
                self._all_weights.append([f"{name}_l{layer}{suffix}" for name in shapes])
        self.reset_parameters()

    def _check_arguments(self) -> None:
        kinds = {"bias": bool, "batch_first": bool, "input_size": int, "hidden_size": int}
        if self.mode not in _GATES:
            raise ValueError(f"Unrecognized RNN mode: {self.mode}")
        dropout = self.dropout
        if not isinstance(dropout, (int, float)) or isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being "
                "zeroed"
            )
        if dropout > 0 and self.num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                f"num_layers greater than 1, but got dropout={dropout} and num_layers={self.num_layers}",
                stacklevel=4,
            )
        for name, kind in kinds.items():
            value = getattr(self, name)
            if not isinstance(value, kind):
                raise TypeError(f"{name} should be of type {kind.__name__}, got: {type(value).__name__}")
        for name in ("input_size", "hidden_size", "num_layers"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be greater than zero")
        if self.proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if self.proj_size >= self.hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")

    @property
    def all_weights(self) -> list[list[Any]]:
        """The parameters of each layer and direction."""
        return [list(own(self, *names)) for names in self._all_weights]

    def flatten_parameters(self) -> None:
        """Does nothing: parameters are used where they are."""

    def reset_parameters(self) -> None:
        """Draws initial values: uniform, with the bound 1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for weight in self.parameters():
            uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        usual = {"proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False, "dropout": 0}
        usual["bidirectional"] = False
        changed = [f", {k}={getattr(self, k)}" for k, v in usual.items() if getattr(self, k) != v]
        return f"{self.input_size}, {self.hidden_size}" + "".join(changed)

    def _state_sizes(self) -> tuple[int, ...]:
        """The features of each state."""
        return (self.hidden_size,)

    def _with_batch(self, input: Tensor, states: Any) -> tuple[Tensor, Any, bool]:
        """The input and states with a batch, and whether they had one."""
        if input.dim() not in (2, 3):
            raise ValueError(
                f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.dim()}D instead"
            )
        batched = input.dim() == 3
        if states is not None and any(state.dim() != input.dim() for state in states):
            which = "batched 3-D" if batched else "unbatched 2-D"
            ranks = ", ".join(f"{state.dim()}-D" for state in states)
            names, got = (
                ("hx", f"{ranks} tensor") if len(states) == 1 else ("hx and cx", f"({ranks}) tensors")
            )
            raise RuntimeError(f"For {which} input, {names} should also be {input.dim()}-D but got {got}")
        if batched:
            return input, states, True
        states = states if states is None else tuple(state.unsqueeze(1) for state in states)
        return input.unsqueeze(0 if self.batch_first else 1), states, False

    def _run(self, input: Any, states: Any) -> tuple[Any, tuple[Tensor, ...]]:
        """The outputs and last states, for a tensor or PackedSequence and a tuple of states or None."""
        sizes: Any = None
        packed, batched, order, back = isinstance(input, PackedSequence), True, None, None
        if packed:
            input, sizes, order, back = input
        else:
            input, states, batched = self._with_batch(input, states)
        count = int(sizes[0]) if packed else input.shape[0 if self.batch_first else 1]
        layers = self.num_layers * (1 + self.bidirectional)
        shapes = [(layers, count, size) for size in self._state_sizes()]
        if states is None:
            made_as = {"dtype": input.dtype, "device": input.device}
            states = tuple(_functions.zeros(shape, **made_as) for shape in shapes)
        elif order is not None:
            states = tuple(state.index_select(1, order) for state in states)
        weights = [weight for names in self.all_weights for weight in names]
        self._check_input(input, packed, weights[0])
        for i, (state, shape) in enumerate(zip(states, shapes, strict=True)):
            if tuple(state.shape) != shape:
                name = "hidden" if len(shapes) == 1 else f"hidden[{i}]"
                raise RuntimeError(f"Expected {name} size {shape}, got {list(state.shape)}")
        function = getattr(_functions, self.mode.lower())
        hx = states if len(states) > 1 else states[0]
        options = (weights, self.bias, self.num_layers, self.dropout, self.training, self.bidirectional)
        if packed:
            output, *last = function(input, sizes, hx, *options)
            output = PackedSequence(output, sizes, order, back)
        else:
            output, *last = function(input, hx, *options, self.batch_first)
        if back is not None:
            last = [state.index_select(1, back) for state in last]
        if not batched:
            return output.squeeze(0 if self.batch_first else 1), tuple(state.squeeze(1) for state in last)
        return output, tuple(last)

    def _check_input(self, input: Tensor, packed: bool, weight: Tensor) -> None:
        if input.dtype != weight.dtype:
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). Convert "
                f"input: input.to({weight.dtype}), or convert model: model.to({input.dtype})"
            )
        if input.dim() != (2 if packed else 3):
            raise RuntimeError(f"input must have {2 if packed else 3} dimensions, got {input.dim()}")
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, "
                f"got {input.shape[-1]}"
            )

    def forward(self, input: Any, hx: Any = None) -> tuple[Any, Any]:
        """The outputs of the last layer for all steps, and the last state of each layer; for a tensor
        [L, N, input_size], [N, L, input_size] with `batch_first`, [L, input_size], or a PackedSequence."""
        output, (last,) = self._run(input, None if hx is None else (hx,))
        return output, last


def _refuse_projection(proj_size: int | None) -> None:
    if proj_size is not None:
        raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


class RNN(RNNBase):
    """Layers of RNNCell; `nonlinearity` is "tanh" or "relu"."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        proj_size: int | None = None,
    ) -> None:
        _refuse_projection(proj_size)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        mode = f"RNN_{nonlinearity.upper()}"
        sizes = (input_size, hidden_size, num_layers)
        super().__init__(mode, *sizes, bias, batch_first, dropout, bidirectional, 0, device, dtype)
        self.nonlinearity = nonlinearity


class LSTM(RNNBase):
    """Layers of LSTMCell; with `proj_size`, the hidden state is projected to that many features."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        sizes = (input_size, hidden_size, num_layers)
        super().__init__("LSTM", *sizes, bias, batch_first, dropout, bidirectional, proj_size, device, dtype)

    def _state_sizes(self) -> tuple[int, ...]:
        return self.proj_size or self.hidden_size, self.hidden_size

    def forward(self, input: Any, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Any, tuple[Tensor, ...]]:
        """The outputs for all steps, and the last hidden and cell states of each layer."""
        return self._run(input, hx)


class GRU(RNNBase):
    """Layers of GRUCell."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        proj_size: int | None = None,
    ) -> None:
        _refuse_projection(proj_size)
        sizes = (input_size, hidden_size, num_layers)
        super().__init__("GRU", *sizes, bias, batch_first, dropout, bidirectional, 0, device, dtype)
