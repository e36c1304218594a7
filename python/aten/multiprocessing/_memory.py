"""Tensors in memory that processes share: anonymous files, mapped."""

from __future__ import annotations

import mmap
import os
import weakref

from .. import _C
from .._buffers import frombuffer
from .._C import Tensor
from .._C import dtype as _dtype

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence

_functions = _C._VariableFunctions


class Block(mmap.mmap):
    """The mapped bytes of an anonymous file. Tensors over a block keep it."""

    identity: tuple[int, int]
    _fd: int

    def fileno(self) -> int:
        """The descriptor that mmap keeps of the file, but doesn't tell."""
        if _identity(self._fd) != self.identity:
            found = (int(name) for name in os.listdir("/proc/self/fd"))
            self._fd = next(fd for fd in found if _identity(fd) == self.identity)
        return self._fd


def _identity(fd: int) -> tuple[int, int] | None:
    """Which file a descriptor is of; None if it is closed."""
    try:
        found = os.fstat(fd)
    except OSError:
        return None
    return found.st_dev, found.st_ino


# The blocks that tensors lie in, by address.
_blocks: weakref.WeakValueDictionary[int, Block] = weakref.WeakValueDictionary()


def open_block(fd: int) -> Block:
    """Maps a file, all of it, and closes the descriptor."""
    try:
        guess = os.dup(fd)
        os.close(guess)  # the next descriptor is mmap's, mostly
        block = Block(fd, os.fstat(fd).st_size)
        block.identity, block._fd = _identity(fd) or (0, 0), guess
    finally:
        os.close(fd)
    return block


def _new_block(nbytes: int) -> Block:
    if hasattr(os, "memfd_create"):
        fd = os.memfd_create("aten")
    else:  # Python was built for older systems
        import tempfile

        with tempfile.TemporaryFile() as file:
            fd = os.dup(file.fileno())
    os.ftruncate(fd, nbytes)
    return open_block(fd)


def tensor_over(
    block: Block, dtype: _dtype, offset: int, size: Sequence[int], stride: Sequence[int]
) -> Tensor:
    """A tensor in a block; offset and strides are in elements."""
    whole = frombuffer(block, dtype=_C.uint8)
    _blocks[whole.data_ptr()] = block
    return whole[: len(block) // dtype.itemsize * dtype.itemsize].view(dtype).as_strided(size, stride, offset)


def empty(size: Sequence[int], dtype: _dtype, stride: Sequence[int] | None = None) -> Tensor:
    """A new tensor in shared memory, of zeros; dense, by default contiguous. It has at least one element."""
    like = _functions.empty(size, dtype=dtype, device="meta")
    return tensor_over(_new_block(like.numel() * dtype.itemsize), dtype, 0, size, stride or like.stride())


def block_of(tensor: Tensor) -> Block | None:
    """The block in which a tensor lies; None if processes don't share its memory."""
    return (
        _blocks.get(tensor.untyped_storage().data_ptr()) if _blocks and tensor.device.type == "cpu" else None
    )


def copied(tensor: Tensor) -> Tensor:
    """A copy in shared memory."""
    strides = _functions.empty_like(tensor, device="meta").stride()
    return empty(tensor.shape, tensor.dtype, strides).copy_(tensor.detach())


def is_shared(self: Tensor) -> bool:
    """Whether processes share the memory."""
    return block_of(self) is not None


def share_memory_(self: Tensor) -> Tensor:
    """Moves the elements to memory that other processes share once they get the tensor, and returns it.
    RuntimeError if other tensors or arrays lie in the tensor's present memory: they would stay there."""
    if self.device.type != "cpu" or self.numel() == 0 or is_shared(self):
        return self
    if self.requires_grad and not self.is_leaf:
        raise RuntimeError("share_memory_(): the tensor is no leaf of the autograd graph: detach() it first")
    size, stride, offset = self.shape, self.stride(), self.storage_offset()
    count = self.untyped_storage().nbytes() // self.itemsize
    required = self.requires_grad
    self.requires_grad_(False)
    try:
        moved = empty((count,), self.dtype)
        moved.copy_(self.as_strided((count,), (1,), 0))
        try:
            self.resize_(count + 1)  # an error unless the tensor is the only one in its memory
        except RuntimeError as error:
            raise RuntimeError(
                "share_memory_(): other tensors or arrays lie in this tensor's memory: share a clone of it"
            ) from error
        self.set_(moved, offset, size, stride)
    finally:
        self.requires_grad_(required)
    return self
