"""The average of a model's parameters."""

from __future__ import annotations

import itertools
from collections import defaultdict
from copy import deepcopy

from .. import _C
from ..nn import Module
from .swa_utils import get_swa_multi_avg_fn

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .._C import Tensor
    from .swa_utils import AverageFunction, ListAverageFunction

_functions: Any = _C._VariableFunctions


class AveragedModel(Module):
    """A copy of `model` on `device`, whose parameters update_parameters() makes the averages of those it
    gets: their mean, or what `avg_fn` (average, parameter, number of averaged ones) or `multi_avg_fn`, with
    lists, computes. With `use_buffers`, buffers are averaged too, otherwise they are copied."""

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: AverageFunction | None = None,
        multi_avg_fn: ListAverageFunction | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", _functions.zeros((), dtype=_C.int64, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)

    def _averaged(self, model: Module) -> Iterable[Tensor]:
        return itertools.chain(model.parameters(), model.buffers() if self.use_buffers else ())

    def update_parameters(self, model: Module) -> None:
        """Averages with the parameters of `model`; the first time, these are copied."""
        pairs = [
            (average.detach(), p.detach().to(average.device))
            for average, p in zip(self._averaged(self.module), self._averaged(model), strict=True)
        ]
        if int(self.n_averaged) == 0:
            for average, p in pairs:
                average.copy_(p)
        elif self.avg_fn is not None:
            for average, p in pairs:
                average.copy_(self.avg_fn(average, p, self.n_averaged.to(average.device)))
        else:
            alike: defaultdict[Any, list[tuple[Tensor, Tensor]]] = defaultdict(list)
            for average, p in pairs:
                alike[average.device, average.dtype].append((average, p))
            update = self.multi_avg_fn or get_swa_multi_avg_fn()
            for (device, _), members in alike.items():
                update([a for a, _ in members], [p for _, p in members], self.n_averaged.to(device))
        if not self.use_buffers:
            for average, buffer in zip(self.module.buffers(), model.buffers(), strict=True):
                average.detach().copy_(buffer.detach().to(average.device))
        self.n_averaged += 1
