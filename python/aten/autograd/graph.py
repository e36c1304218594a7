"""The autograd graph: nodes and edges, and hooks for saved tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .. import _C
from .._C import Tensor
from .._C import _Node as Node
from .._C import _RemovableHandle as RemovableHandle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

__all__ = [
    "GradientEdge",
    "Node",
    "RemovableHandle",
    "get_gradient_edge",
    "increment_version",
    "save_on_cpu",
    "saved_tensors_hooks",
]


class GradientEdge(NamedTuple):
    """The edge to which a tensor's gradient is propagated. `backward` and `grad` accept it instead of the
    tensor; it keeps only the graph alive, not the tensor's memory.
    """

    node: Node
    output_nr: int
    ownership_token: Any = None


if TYPE_CHECKING:
    Ends: TypeAlias = Tensor | GradientEdge | Sequence[Tensor | GradientEdge]


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge for a tensor's gradient. RuntimeError if it doesn't require grad."""
    return GradientEdge(*_C._gradient_edge(tensor))


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Increments the version of tensors whose memory was modified without an operator."""
    for t in (tensor,) if isinstance(tensor, Tensor) else tensor:
        _C._increment_version(t)


class saved_tensors_hooks:
    """In its scope, `pack_hook(tensor)` is called for every tensor that an operator saves for backward, and
    its result is saved instead. In the backward pass `unpack_hook` is called with that result and returns the
    tensor. Hooks must not modify their argument. If nested, the innermost hooks are used."""

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        for name, hook in (("pack_hook", pack_hook), ("unpack_hook", unpack_hook)):
            if not callable(hook):
                raise TypeError(f"argument '{name}': expected a function, got {type(hook).__name__}")
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        _C._push_saved_tensors_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *error: object) -> None:
        _C._pop_saved_tensors_hooks()


class save_on_cpu(saved_tensors_hooks):
    """In its scope, saved tensors are copied to CPU memory, and copied back when they are needed.
    NotImplementedError for `pin_memory`."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        if pin_memory:
            raise NotImplementedError("save_on_cpu(): memory can't be pinned")

        def pack(tensor: Tensor) -> tuple[Any, Tensor]:
            return tensor.device, tensor.cpu()

        def unpack(packed: tuple[Any, Tensor]) -> Tensor:
            device, tensor = packed
            return tensor.to(device)

        super().__init__(pack, unpack)
