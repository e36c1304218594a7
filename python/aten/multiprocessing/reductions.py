"""How tensors are pickled for other processes."""

from __future__ import annotations

from multiprocessing import context
from multiprocessing.reduction import DupFd, ForkingPickler

from .._C import Tensor
from .._C import dtype as _dtype
from ._memory import Block, block_of, copied, open_block, tensor_over

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Smaller tensors, in bytes, are faster in the message itself than in memory of their own.
SMALL = 1 << 18


def reduce_tensor(tensor: Tensor) -> Any:
    """How pickle makes a tensor in another process: over the same memory, if it is shared or large.
    RuntimeError for one that has a history of operators; NotImplementedError for one on another device."""
    if tensor.requires_grad and not tensor.is_leaf:
        raise RuntimeError(
            "a tensor that requires grad and is no leaf can't be sent to another process, as its graph stays "
            "here: detach() it first"
        )
    if tensor.device.type == "cuda":
        raise NotImplementedError(
            f"a tensor on {tensor.device} can't be sent to another process: send a copy, tensor.cpu()"
        )
    if tensor.device.type != "cpu":
        return tensor.__reduce_ex__(4)
    block = block_of(tensor)
    if block is None and tensor.nbytes < SMALL:
        return tensor.__reduce_ex__(4)
    shared = tensor if block is not None else copied(tensor)
    place = (block or block_of(shared), tensor.dtype, shared.storage_offset(), tensor.shape, shared.stride())
    return rebuild_tensor, (type(tensor), place, tensor.requires_grad, dict(tensor.__dict__))


def rebuild_tensor(
    cls: type[Tensor],
    place: tuple[Block, _dtype, int, Sequence[int], Sequence[int]],
    requires_grad: bool,
    state: dict[str, Any],
) -> Tensor:
    """Makes a tensor in a block of memory."""
    made = tensor_over(*place)
    if cls is not Tensor:
        made = made.as_subclass(cls)
    if requires_grad:
        made.requires_grad_()
    if state:
        made.__dict__.update(state)
    return made


def _reduce_block(block: Block) -> Any:
    process = context.get_spawning_popen()
    if process is not None:  # the descriptor is passed when the process starts, and must be open by then
        vars(process).setdefault("_blocks", []).append(block)
    return _rebuild_block, (DupFd(block.fileno()),)


def _rebuild_block(fd: Any) -> Block:
    return open_block(fd.detach())


def init_reductions() -> None:
    """Registers the functions with the pickler that multiprocessing uses."""
    from ..nn.parameter import Buffer, Parameter

    for cls in (Tensor, Parameter, Buffer):
        ForkingPickler.register(cls, reduce_tensor)
    ForkingPickler.register(Block, _reduce_block)
