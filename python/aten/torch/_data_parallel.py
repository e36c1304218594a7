"""torch.nn.DataParallel on one device, and the names of its state."""

from __future__ import annotations

from .. import cuda
from ..nn import Module
from ._reasons import because

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-untyped-call"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class DataParallel(Module):
    """Calls `module`. Its device is that of device_ids, where it is moved to: by default the current CUDA
    device if there is one. NotImplementedError for several devices."""

    def __init__(
        self, module: Module, device_ids: Sequence[Any] | None = None, output_device: Any = None, dim: int = 0
    ) -> None:
        super().__init__()
        if device_ids is not None and len(device_ids) > 1:
            text = f"{because('distributed')}: expected one device, got device_ids={list(device_ids)}"
            raise NotImplementedError(f"torch.nn.DataParallel: {text}")
        self.module, self.dim = module, dim
        self.device_ids = []
        if cuda.is_available():
            self.device_ids = list(device_ids or [cuda.current_device()])
            module.to(
                f"cuda:{self.device_ids[0]}" if isinstance(self.device_ids[0], int) else self.device_ids[0]
            )

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        return self.module(*inputs, **kwargs)


def data_parallel(
    module: Module,
    inputs: Any,
    device_ids: Sequence[Any] | None = None,
    output_device: Any = None,
    dim: int = 0,
    module_kwargs: dict[str, Any] | None = None,
) -> Any:
    """Calls `module` with the inputs, a tensor or a tuple. NotImplementedError for several devices."""
    parallel = DataParallel(module, device_ids, output_device, dim)
    return parallel(*(inputs if isinstance(inputs, tuple) else (inputs,)), **(module_kwargs or {}))


def consume_prefix_in_state_dict_if_present(state_dict: dict[str, Any], prefix: str) -> None:
    """Removes a prefix, such as "module.", from the names of a state_dict that have it, in place."""
    for name in [n for n in state_dict if n.startswith(prefix)]:
        state_dict[name[len(prefix) :]] = state_dict.pop(name)
    versions = getattr(state_dict, "_metadata", {})
    for name in [n for n in versions if n and f"{n}.".startswith(prefix)]:
        versions[name[len(prefix) :]] = versions.pop(name)
