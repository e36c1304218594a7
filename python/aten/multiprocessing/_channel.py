"""A connection of two processes that carries tensors without a connection for each descriptor."""

from __future__ import annotations

import contextlib
import errno
import io
import pickle
import select
import socket
from multiprocessing import reduction

from .._C import Tensor
from ._memory import Block, open_block
from .reductions import reduce_tensor

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from typing import Any

_COUNT = 4  # bytes of a message's first field, the number of its blocks
_MOST = 250  # descriptors that one system call can send


class _Pickler(reduction.ForkingPickler):
    """Leaves out blocks of shared memory, and collects them."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, 5, True, self._take)
        self.blocks: list[Block] = []
        self.dispatch_table = {**self.dispatch_table, Block: _as_buffer}

    def reducer_override(self, value: object) -> Any:
        """Sends tensors of all classes as reduce_tensor() says."""
        return reduce_tensor(value) if isinstance(value, Tensor) else NotImplemented

    def _take(self, buffer: pickle.PickleBuffer) -> bool:
        owner = memoryview(buffer).obj
        if isinstance(owner, Block):
            self.blocks.append(owner)
        return not isinstance(owner, Block)


def _as_buffer(block: Block) -> Any:
    return _itself, (pickle.PickleBuffer(block),)


def _itself(block: Block) -> Block:
    return block


class Message:
    """A pickled object, and the blocks of its tensors."""

    def __init__(self, content: object) -> None:
        file = io.BytesIO(bytes(_COUNT))
        file.seek(_COUNT)
        pickler = _Pickler(file)
        pickler.dump(content)
        self.blocks = pickler.blocks
        self.data = file.getbuffer()
        self.data[:_COUNT] = len(self.blocks).to_bytes(_COUNT, "little")


class Channel:
    """One of the two ends."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def fileno(self) -> int:
        """The descriptor to wait for."""
        return self._connection.fileno()

    def poll(self, timeout: float) -> bool:
        """Whether there is something to receive within `timeout` seconds."""
        return self._connection.poll(timeout)

    def _socket(self) -> socket.socket:
        return socket.fromfd(self.fileno(), socket.AF_UNIX, socket.SOCK_STREAM)

    def send(self, message: Message) -> None:
        """Sends a message; OSError if the other end is closed."""
        self._connection.send_bytes(message.data)
        if message.blocks:
            fds = [block.fileno() for block in message.blocks]
            with self._socket() as sock:
                for some in _pieces(len(fds)):
                    reduction.sendfds(sock, fds[some])

    def recv(self) -> Any:
        """Receives what a message contains; EOFError or OSError if the other end is closed."""
        data = self._connection.recv_bytes()
        count = int.from_bytes(data[:_COUNT], "little")
        blocks = [open_block(fd) for fd in self._descriptors(count)]
        return pickle.loads(memoryview(data)[_COUNT:], buffers=blocks)

    def _descriptors(self, count: int) -> Iterator[int]:
        if count == 0:
            return
        with self._socket() as sock:
            for some in _pieces(count):
                try:
                    yield from reduction.recvfds(sock, some.stop - some.start)
                except RuntimeError as error:  # the system leaves out what the process can't have
                    raise OSError(
                        errno.EMFILE,
                        "Too many open files. Each large tensor of another process keeps one open: keep "
                        "fewer of them, or raise the limit, as by `ulimit -n`",
                    ) from error

    def ended(self) -> bool:
        """Whether the other end has closed the channel, even if there is something to receive."""
        poll = select.poll()
        poll.register(self.fileno(), 0)
        return bool(poll.poll(0))

    def close(self) -> None:
        """Closes the channel at both ends, also for processes that inherited an end."""
        if not self._connection.closed:
            # An error means that the other process is gone.
            with self._socket() as sock, contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
            self._connection.close()

    def drop(self) -> None:
        """Closes this process's copy of the end."""
        self._connection.close()


def _pieces(count: int) -> Iterator[slice]:
    return (slice(i, min(i + _MOST, count)) for i in range(0, count, _MOST))


def pair(context: BaseContext) -> tuple[Channel, Channel]:
    """The two ends of a new channel."""
    ours, theirs = context.Pipe(duplex=True)
    return Channel(ours), Channel(theirs)
