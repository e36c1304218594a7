"""Cells of recurrent networks: one time step."""

from __future__ import annotations

import math

from ... import _C
from ..._C import Tensor
from ..init import uniform_
from ..parameter import Parameter
from .module import Module, own

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_functions = _C._VariableFunctions
_NAMES = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


class RNNCellBase(Module):
    """Has the weights of `num_chunks` gates."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = num_chunks * hidden_size
        for name, shape in zip(
            _NAMES, ((rows, input_size), (rows, hidden_size), (rows,), (rows,)), strict=True
        ):
            wanted = bias or name.startswith("weight")
            made = Parameter(_functions.empty(shape, device=device, dtype=dtype)) if wanted else None
            self.register_parameter(name, made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws initial values: uniform, with the bound 1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        shown = f"{self.input_size}, {self.hidden_size}" + ("" if self.bias else f", bias={self.bias}")
        nonlinearity = self.__dict__.get("nonlinearity", "tanh")
        return shown if nonlinearity == "tanh" else f"{shown}, nonlinearity={nonlinearity}"

    def _check(self, value: Tensor, what: str) -> None:
        if value.dim() not in (1, 2):
            raise ValueError(
                f"{type(self).__name__}: Expected {what} to be 1D or 2D, got {value.dim()}D instead"
            )

    def _no_state(self, input: Tensor) -> Tensor:
        return _functions.zeros(input.shape[0], self.hidden_size, dtype=input.dtype, device=input.device)

    def _step(self, function: Any, input: Tensor, hx: Tensor | None) -> Tensor:
        """The next hidden state, for cells that have only that."""
        self._check(input, "input")
        if hx is not None:
            self._check(hx, "hidden")
        batched = input.dim() == 2
        input = input if batched else input.unsqueeze(0)
        if hx is None:
            hx = self._no_state(input)
        elif not batched:
            hx = hx.unsqueeze(0)
        result = function(input, hx, *own(self, *_NAMES))
        return result if batched else result.squeeze(0)


class RNNCell(RNNCellBase):
    """tanh or relu of (weight_ih @ input + bias_ih + weight_hh @ hidden + bias_hh)."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """The next hidden state, for [N, input_size] and [N, hidden_size] or without N."""
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._step(getattr(_functions, f"rnn_{self.nonlinearity}_cell"), input, hx)


class LSTMCell(RNNCellBase):
    """A long short-term memory cell."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        """The next hidden and cell states, for [N, input_size] and two [N, hidden_size] or without N."""
        self._check(input, "input")
        for i, state in enumerate(hx or ()):
            self._check(state, f"hx[{i}]")
        batched = input.dim() == 2
        input = input if batched else input.unsqueeze(0)
        if hx is None:
            hx = (self._no_state(input),) * 2
        elif not batched:
            hx = (hx[0].unsqueeze(0), hx[1].unsqueeze(0))
        hidden, cell = _functions.lstm_cell(input, hx, *own(self, *_NAMES))
        return (hidden, cell) if batched else (hidden.squeeze(0), cell.squeeze(0))


class GRUCell(RNNCellBase):
    """A gated recurrent unit."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """The next hidden state, for [N, input_size] and [N, hidden_size] or without N."""
        return self._step(_functions.gru_cell, input, hx)
