"""CUDA streams and events."""

from __future__ import annotations

from .. import _C
from ._devices import cuda_device

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from ._devices import _DeviceLike


class Stream(_C.Stream):
    """An ordered queue of work on a device: a new one from the device's pool. As a context manager it makes
    itself current. A lower priority number is a higher priority."""

    def __new__(cls, device: _DeviceLike = None, priority: int = 0, **known: Any) -> Stream:
        return super().__new__(cls, cuda_device(device), priority=priority, **known)

    @property
    def cuda_stream(self) -> int:
        """CUDA's handle of the stream, a `cudaStream_t`; 0 for the default stream."""
        return self.native_handle

    def wait_event(self, event: _C.Event) -> None:
        """Later work on this stream waits for an event."""
        event.wait(self)

    def record_event(self, event: Event | None = None) -> Event:
        """Records an event, a new one if none is given, on this stream; the event."""
        recorded = Event() if event is None else event
        recorded.record(self)
        return recorded

    def __enter__(self) -> Stream:
        self.__dict__.setdefault("_contexts", []).append(context := StreamContext(self))
        context.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.__dict__["_contexts"].pop().__exit__(*error)

    def __cuda_stream__(self) -> tuple[int, int]:
        """CUDA's protocol of streams: version and handle."""
        return 0, self.cuda_stream

    def __repr__(self) -> str:
        return f"<{_PACKAGE}.cuda.Stream device={self.device} cuda_stream={self.cuda_stream:#x}>"


class ExternalStream(Stream):
    """A stream that another library made, by its handle, which that library keeps while it is used here."""

    def __new__(cls, stream_ptr: int, device: _DeviceLike = None, **known: Any) -> ExternalStream:
        found = _C._external_stream(cuda_device(device), stream_ptr)
        made = super().__new__(cls, found.device, stream_id=found.stream_id, **known)
        assert isinstance(made, ExternalStream)
        return made


class Event(_C.Event):
    """A point in a stream's work. Time is measured between events with `enable_timing`; with `blocking`, a
    thread that waits sleeps instead of polling."""

    def __new__(
        cls, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False
    ) -> Event:
        return super().__new__(
            cls, "cuda", enable_timing=enable_timing, blocking=blocking, interprocess=interprocess
        )

    @property
    def cuda_event(self) -> int:
        """CUDA's handle of the event, a `cudaEvent_t`; 0 before it is recorded."""
        return self.event_id

    def __repr__(self) -> str:
        state = f"{self.cuda_event:#x}" if self.cuda_event else "uninitialized"
        return f"<{_PACKAGE}.cuda.Event {state}>"


class StreamContext:
    """A context manager that makes a stream, and its device, current in this thread; nothing for None."""

    def __init__(self, stream: _C.Stream | None) -> None:
        self.stream = stream
        self._before: list[tuple[int, _C.Stream]] = []

    def __enter__(self) -> None:
        if self.stream is not None:
            device = _C._exchange_device(self.stream.device)
            self._before.append((device, _C._exchange_stream(self.stream)))

    def __exit__(self, *error: object) -> None:
        if self.stream is not None:
            device, stream = self._before.pop()
            _C._exchange_stream(stream)
            _C._exchange_device(cuda_device(device))


def stream(stream: _C.Stream | None) -> StreamContext:
    """A context manager that makes a stream, and its device, current in this thread; nothing for None."""
    return StreamContext(stream)


def set_stream(stream: _C.Stream | None) -> None:
    """Makes a stream, and its device, current in this thread; nothing for None."""
    if stream is not None:
        _C._exchange_device(stream.device)
        _C._exchange_stream(stream)


def _wrapped(found: _C.Stream) -> Stream:
    return Stream(found.device, stream_id=found.stream_id)


def current_stream(device: _DeviceLike = None) -> Stream:
    """The current stream of a device, of the current one if none is given."""
    return _wrapped(_C._current_stream(cuda_device(device)))


def default_stream(device: _DeviceLike = None) -> Stream:
    """The stream of a device that is current until another one is."""
    return _wrapped(_C._default_stream(cuda_device(device)))


def get_stream_from_external(data_ptr: int, device: _DeviceLike = None) -> Stream:
    """The stream of a handle that another library made."""
    return _wrapped(_C._external_stream(cuda_device(device), data_ptr))


_PACKAGE = __name__.partition(".")[0]
