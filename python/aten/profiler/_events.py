"""Recorded events, and their averages by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ._table import table

if TYPE_CHECKING:
    from collections.abc import Iterable

OPERATOR, NODE, RANGE, MEMORY = range(4)


class Recording(NamedTuple):
    """What the compiled module returns of a recording, with its start. Times are in nanoseconds."""

    start: int
    thread: int
    end: int
    # (name, kind, index of the parent or -1, start, end, [(type, sizes), ...])
    events: list[tuple[str, int, int, int, int, list[tuple[str, Any]]]]
    # (time, bytes, address, index of the event or -1)
    memory: list[tuple[int, int, int, int]]


class Interval:
    """A time, in microseconds from the start of the recording."""

    def __init__(self, start: float, end: float) -> None:
        self.start, self.end = start, end

    def elapsed_us(self) -> float:
        return self.end - self.start


class _Times:
    """What events and averages share. Times are in microseconds; nothing is measured on devices."""

    key: str
    count: int
    cpu_time_total: float
    self_cpu_time_total: float
    cpu_memory_usage: int
    self_cpu_memory_usage: int
    input_shapes: Any
    is_user_annotation: bool
    device_time = device_time_total = self_device_time_total = 0
    device_memory_usage = self_device_memory_usage = 0

    @property
    def cpu_time(self) -> float:
        """The average time of a call."""
        return self.cpu_time_total / self.count if self.count else 0.0


class FunctionEvent(_Times):
    """A call of an operator, a node of a backward pass, or a range that the program named; `[memory]` is
    memory that was allocated or freed outside of these."""

    count = 1
    is_async = is_remote = False

    def __init__(self, id: int, name: str, kind: int, thread: int, time_range: Interval) -> None:
        self.id, self.name, self.kind, self.thread, self.time_range = id, name, kind, thread, time_range
        self.cpu_parent: FunctionEvent | None = None
        self.cpu_children: list[FunctionEvent] = []
        self.input_shapes: list[Any] = []
        self.self_cpu_memory_usage = 0

    @property
    def key(self) -> str:  # type: ignore[override]
        return self.name

    @property
    def is_user_annotation(self) -> bool:  # type: ignore[override]
        return self.kind == RANGE

    @property
    def cpu_time_total(self) -> float:  # type: ignore[override]
        return self.time_range.elapsed_us()

    @property
    def self_cpu_time_total(self) -> float:  # type: ignore[override]
        """The time without that of the events within it."""
        return self.cpu_time_total - sum(child.cpu_time_total for child in self.cpu_children)

    @property
    def cpu_memory_usage(self) -> int:  # type: ignore[override]
        """The bytes that were allocated within it, less those that were freed."""
        return self.self_cpu_memory_usage + sum(child.cpu_memory_usage for child in self.cpu_children)

    def __repr__(self) -> str:
        return (
            f"<FunctionEvent id={self.id} name={self.name} thread={self.thread} "
            f"cpu_time={self.cpu_time:.3f}us input_shapes={self.input_shapes}>"
        )


class FunctionEventAvg(_Times):
    """The sums of several events."""

    def __init__(self, key: str = "", is_user_annotation: bool = False, input_shapes: Any = "") -> None:
        self.key, self.is_user_annotation, self.input_shapes = key, is_user_annotation, input_shapes
        self.count = 0
        self.cpu_time_total = self.self_cpu_time_total = 0.0
        self.cpu_memory_usage = self.self_cpu_memory_usage = 0
        self.cpu_parent = None

    def add(self, event: _Times) -> FunctionEventAvg:
        """Adds an event's, or another sum's, times, memory and calls."""
        self.count += event.count
        self.cpu_time_total += event.cpu_time_total
        self.self_cpu_time_total += event.self_cpu_time_total
        self.cpu_memory_usage += event.cpu_memory_usage
        self.self_cpu_memory_usage += event.self_cpu_memory_usage
        return self

    def __repr__(self) -> str:
        return (
            f"<FunctionEventAvg key={self.key} count={self.count} cpu_time={self.cpu_time:.3f}us "
            f"self_cpu_time_total={self.self_cpu_time_total:.3f}us input_shapes={self.input_shapes}>"
        )


class EventList(list[Any]):
    """A list of events or of averages, in the order of their starts."""

    def __init__(self, events: Iterable[Any] = (), *, profile_memory: bool = False) -> None:
        super().__init__(events)
        self._profile_memory = profile_memory

    @property
    def self_cpu_time_total(self) -> float:
        return float(sum(event.self_cpu_time_total for event in self))

    def key_averages(self, group_by_input_shapes: bool = False) -> EventList:
        """The averages of the events of each name, or of each name and shapes of inputs."""
        found: dict[Any, FunctionEventAvg] = {}
        for event in self:
            shapes = event.input_shapes if group_by_input_shapes else ""
            key = (event.key, event.is_user_annotation, str(shapes))
            if key not in found:
                found[key] = FunctionEventAvg(event.key, event.is_user_annotation, shapes)
            found[key].add(event)
        return EventList(found.values(), profile_memory=self._profile_memory)

    def total_average(self) -> FunctionEventAvg:
        """The sum of all events."""
        total = FunctionEventAvg("Total")
        for event in self:
            total.add(event)
        return total

    def table(
        self,
        sort_by: str | None = None,
        row_limit: int = 100,
        max_src_column_width: int = 75,
        max_name_column_width: int = 55,
        max_shapes_column_width: int = 80,
        header: str | None = None,
        top_level_events_only: bool = False,
        time_unit: str | None = None,
    ) -> str:
        """Returns the events as a table.

        sort_by: an attribute by which they are sorted, the greatest first: "self_cpu_time_total", "count",
        ... row_limit: the most rows; -1: all. time_unit: "s", "ms" or "us" for all times.
        """
        rows = list(self) if sort_by is None else sorted(self, key=_sort_key(sort_by), reverse=True)
        widths = (max_name_column_width, max_shapes_column_width)
        if top_level_events_only:
            rows = [row for row in rows if row.cpu_parent is None]
        limit = len(rows) if row_limit < 0 else row_limit
        return table(list(self), rows[:limit], self._profile_memory, widths, header, time_unit)

    def __str__(self) -> str:
        return self.table()


def _sort_key(name: str) -> Any:
    attribute = name.replace("cuda", "device").replace("xpu", "device")

    def key(event: _Times) -> Any:
        if not hasattr(event, attribute):
            raise AttributeError(f"table(): sort_by: events have no attribute {name!r}")
        return getattr(event, attribute)

    return key


def function_events(recording: Recording, profile_memory: bool) -> EventList:
    """The events of a recording, as a tree."""

    def interval(start: int, end: int) -> Interval:
        return Interval((start - recording.start) / 1000, (end - recording.start) / 1000)

    found: list[FunctionEvent] = []
    for id, (name, kind, parent, start, end, inputs) in enumerate(recording.events):
        # Steps are one name here, for their averages; traces have their numbers.
        shown = "ProfilerStep*" if name.startswith("ProfilerStep#") else name
        event = FunctionEvent(id, shown, kind, recording.thread, interval(start, end))
        # Lists of tensors have no shape of their own.
        event.input_shapes = [[] if type == "TensorList" else sizes for type, sizes in inputs]
        if parent >= 0:
            event.cpu_parent = found[parent]
            found[parent].cpu_children.append(event)
        found.append(event)
    others: list[FunctionEvent] = []
    for time, nbytes, _, index in recording.memory:
        if index < 0:
            outside = FunctionEvent(
                len(found) + len(others), "[memory]", MEMORY, recording.thread, interval(time, time)
            )
            outside.self_cpu_memory_usage = nbytes
            others.append(outside)
        else:
            found[index].self_cpu_memory_usage += nbytes
    kept = [event for event in found if not _merged(event)]
    ordered = sorted([*kept, *others], key=lambda event: event.time_range.start)
    return EventList(ordered, profile_memory=profile_memory)


def _merged(event: FunctionEvent) -> bool:
    """Whether it is the only event within one of the same name, which then stands for both."""
    parent = event.cpu_parent
    if parent is None or parent.name != event.name or len(parent.cpu_children) != 1:
        return False
    parent.cpu_children = event.cpu_children
    parent.self_cpu_memory_usage += event.self_cpu_memory_usage
    for child in event.cpu_children:
        child.cpu_parent = parent
    return True
