"""The profiler's former place: `profile` with positional arguments, and record_function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..profiler._profile import Recorder, record_function, refuse

if TYPE_CHECKING:
    from ..profiler import EventList, FunctionEventAvg

__all__ = ["profile", "record_function"]


class profile:
    """A context that records as profiler.profile does, if `enabled`. NotImplementedError for use_cuda,
    use_device, with_flops, with_stack and with_modules."""

    def __init__(
        self,
        enabled: bool = True,
        *,
        use_cuda: bool = False,
        use_device: str | None = None,
        record_shapes: bool = False,
        with_flops: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_modules: bool = False,
    ) -> None:
        refuse(with_flops=with_flops, with_stack=with_stack, with_modules=with_modules)
        if use_cuda or use_device is not None:
            raise NotImplementedError(
                "profile(): use_cuda, use_device: the kernels of devices are not recorded"
            )
        self.enabled = enabled
        self.function_events: EventList | None = None
        self._recorder = Recorder(record_shapes, profile_memory)
        self._entered = False

    def __enter__(self) -> profile:
        if self._entered:
            raise RuntimeError("Profiler context manager is not reentrant")
        if self.enabled:
            self._entered = True
            self._recorder.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self.enabled:
            self.function_events = self._recorder.stop()

    def _finished(self) -> EventList:
        if self.function_events is None:
            raise RuntimeError("Profiler didn't finish running")
        return self.function_events

    def table(self, sort_by: str | None = None, row_limit: int = 100, header: str | None = None) -> str:
        """The events as a table (see EventList.table)."""
        return self._finished().table(sort_by=sort_by, row_limit=row_limit, header=header)

    def key_averages(self, group_by_input_shape: bool = False) -> EventList:
        """The averages of the events of each name, or of each name and shapes of inputs."""
        return self._finished().key_averages(group_by_input_shape)

    def total_average(self) -> FunctionEventAvg:
        """The sum of all events."""
        return self._finished().total_average()

    @property
    def self_cpu_time_total(self) -> float:
        return self._finished().self_cpu_time_total

    def export_chrome_trace(self, path: str) -> None:
        """Writes the events for Perfetto or chrome://tracing."""
        self._finished()
        self._recorder.write(str(path), {})

    def __str__(self) -> str:
        return "<unfinished profile>" if self.function_events is None else str(self.function_events)
