"""profile, its schedules, and named ranges."""

from __future__ import annotations

import time
import warnings
from contextlib import ContextDecorator
from enum import Enum
from typing import TYPE_CHECKING, Any

from .. import _C
from ._events import EventList, Recording, function_events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_STACKS = "no Python or module is recorded with operators; name ranges by record_function"
_REFUSED = {
    "with_stack": _STACKS,
    "with_modules": _STACKS,
    "with_flops": "arithmetic operations are not counted",
}


class ProfilerActivity(Enum):
    """What can be recorded. Only the CPU is: the calls of operators on the host."""

    CPU = 0
    CUDA = 2
    XPU = 3
    MTIA = 4
    PrivateUse1 = 5


class ProfilerAction(Enum):
    """What a schedule says for a step. The events of RECORD_AND_SAVE's cycle are passed to on_trace_ready."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


_RECORDS = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
# Actions of successive steps with one recording.
_CONTINUED = {
    (ProfilerAction.NONE, ProfilerAction.NONE),
    (ProfilerAction.WARMUP, ProfilerAction.WARMUP),
    *((ProfilerAction.RECORD, action) for action in _RECORDS),
}


def supported_activities() -> set[ProfilerActivity]:
    """What is recorded."""
    return {ProfilerActivity.CPU}


def schedule(
    *, wait: int, warmup: int, active: int, repeat: int = 0, skip_first: int = 0, skip_first_wait: int = 0
) -> Callable[[int], ProfilerAction]:
    """Returns a schedule: after `skip_first` steps, cycles of `wait` steps that are not recorded, `warmup`
    steps whose events are dropped, and `active` steps whose events are saved; `repeat` cycles, or without end
    if 0. With `skip_first_wait` the first cycle has no `wait` steps.
    """
    if min(wait, warmup, repeat, skip_first) < 0 or active <= 0:
        raise AssertionError(
            f"Invalid profiler schedule arguments. Got wait={wait} (need >= 0), warmup={warmup} (need >= 0), "
            f"active={active} (need > 0), repeat={repeat} (need >= 0), skip_first={skip_first} (need >= 0)."
        )
    if warmup == 0:
        warnings.warn("Profiler won't be using warmup, this can skew profiler results", stacklevel=2)
    cycle = wait + warmup + active

    def action(step: int) -> ProfilerAction:
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        step -= skip_first
        if step < 0:
            return ProfilerAction.NONE
        step += wait if skip_first_wait else 0
        if repeat > 0 and step >= repeat * cycle:
            return ProfilerAction.NONE
        place = step % cycle
        if place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < cycle - 1 else ProfilerAction.RECORD_AND_SAVE

    return action


class record_function(ContextDecorator):
    """A context and decorator: what runs in it is recorded as a range of this name."""

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name, self.args = name, args
        self._range = -1

    def _recreate_cm(self) -> record_function:
        return type(self)(self.name, self.args)  # a decorated function may call itself

    def __enter__(self) -> record_function:
        self._range = _C._profiler_begin(self.name)
        return self

    def __exit__(self, *error: object) -> None:
        _C._profiler_end(self._range)


def tensorboard_trace_handler(
    dir_name: str, worker_name: str | None = None, use_gzip: bool = False
) -> Callable[[profile], None]:
    """Returns a function for on_trace_ready that writes each recording to a file in the folder, named by
    `worker_name` (by default by host and process) and the time."""
    import os

    def write(measured: profile) -> None:
        import socket

        os.makedirs(dir_name, exist_ok=True)
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        name = f"{worker}.{time.time_ns()}.pt.trace.json{'.gz' if use_gzip else ''}"
        measured.export_chrome_trace(os.path.join(dir_name, name))

    return write


class Recorder:
    """Records this thread from start() to stop(), and keeps the last recording and its events."""

    def __init__(self, record_shapes: bool, profile_memory: bool) -> None:
        self.record_shapes, self.profile_memory = record_shapes, profile_memory
        self.recording: Recording | None = None
        self.epoch_ns = 0
        self._start = 0

    def start(self) -> None:
        _C._profiler_start(self.record_shapes, self.profile_memory)
        self.epoch_ns, self._start = time.time_ns(), _C._profiler_now()

    def stop(self) -> EventList:
        self.recording = Recording(self._start, *_C._profiler_stop())
        return function_events(self.recording, self.profile_memory)

    def write(self, path: str, metadata: dict[str, Any]) -> None:
        from ._trace import write

        if self.recording is None:
            raise AssertionError("Profiler must be initialized before exporting chrome trace")
        shown = {"record_shapes": int(self.record_shapes), "profile_memory": int(self.profile_memory)}
        write(path, self.recording, self.epoch_ns, {**shown, **metadata})


class profile:
    """A context in which this thread's operators, nodes of backward passes and named ranges are recorded.

    activities: ProfilerActivity.CPU; a warning says that others are not recorded.
    schedule: what to do in each step, from its number; the program ends steps by `step()`. By default
        everything is recorded.
    on_trace_ready: called with this object when a cycle of the schedule, or the context, ends.
    record_shapes: the shapes of operators' tensors, for key_averages(group_by_input_shape=True).
    profile_memory: the bytes of CPU memory that were allocated and freed in each event.
    acc_events: whether events() has those of all cycles, not of the last one only.
    NotImplementedError for with_stack, with_modules and with_flops.
    """

    def __init__(
        self,
        *,
        activities: Iterable[ProfilerActivity] | None = None,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[[profile], object] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_flops: bool = False,
        with_modules: bool = False,
        acc_events: bool = False,
    ) -> None:
        refuse(with_stack=with_stack, with_flops=with_flops, with_modules=with_modules)
        self.activities = _checked_activities(activities)
        self.schedule = schedule or (lambda step: ProfilerAction.RECORD)
        self.record_steps = schedule is not None
        self.on_trace_ready, self.acc_events = on_trace_ready, acc_events
        self.step_num = 0
        self.current_action = self.schedule(0)
        self._recorder = Recorder(record_shapes, profile_memory)
        self._events: EventList | None = None
        self._metadata: dict[str, Any] = {}
        self._step_range: record_function | None = None

    def __enter__(self) -> profile:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begins the first step."""
        self._change(ProfilerAction.NONE, self.current_action)
        self._begin_step()

    def stop(self) -> None:
        """Ends the last step, and calls on_trace_ready if it was recorded."""
        self._end_step()
        self._change(self.current_action, None)

    def step(self) -> None:
        """Ends a step and begins the next one."""
        self._end_step()
        before, self.step_num = self.current_action, self.step_num + 1
        self.current_action = self.schedule(self.step_num)
        self._change(before, self.current_action)
        self._begin_step()

    def events(self) -> EventList:
        """The recorded events, in the order of their starts."""
        if self._events is None:
            raise AssertionError("Profiler must be initialized before accessing events")
        return self._events

    def key_averages(self, group_by_input_shape: bool = False) -> EventList:
        """The averages of the events of each name, or of each name and shapes of inputs."""
        return self.events().key_averages(group_by_input_shape)

    def export_chrome_trace(self, path: str) -> None:
        """Writes the last recording for Perfetto or chrome://tracing, compressed if the path ends with
        ".gz"."""
        self._recorder.write(str(path), self._metadata)

    def add_metadata(self, key: str, value: str) -> None:
        """Adds text to the files that export_chrome_trace writes."""
        self._metadata[key] = value

    def add_metadata_json(self, key: str, value: str) -> None:
        """Adds a JSON value to the files that export_chrome_trace writes."""
        import json

        self._metadata[key] = json.loads(value)

    def _begin_step(self) -> None:
        if self.record_steps:
            self._step_range = record_function(f"ProfilerStep#{self.step_num}").__enter__()

    def _end_step(self) -> None:
        if self._step_range is not None:
            self._step_range.__exit__()
            self._step_range = None

    def _change(self, before: ProfilerAction, after: ProfilerAction | None) -> None:
        """Ends and begins recordings between two steps; `after` is None at the end."""
        if (before, after) in _CONTINUED:
            return
        if before is not ProfilerAction.NONE:
            self._keep(before, self._recorder.stop())
            if before is ProfilerAction.RECORD_AND_SAVE or (
                before is ProfilerAction.RECORD and after is None
            ):
                if self.on_trace_ready is not None:
                    self.on_trace_ready(self)
            elif after is not None and after not in _RECORDS:
                warnings.warn(f"Incorrect schedule: {before.name} followed by {after.name}", stacklevel=3)
        if after is not None and after is not ProfilerAction.NONE:
            self._recorder.start()

    def _keep(self, action: ProfilerAction, made: EventList) -> None:
        if action is ProfilerAction.WARMUP:
            made.clear()
        before = self._events if self.acc_events and self._events is not None else ()
        self._events = EventList([*before, *made], profile_memory=self._recorder.profile_memory)


def refuse(**options: bool) -> None:
    """NotImplementedError for the options that are set."""
    for name, is_set in options.items():
        if is_set:
            raise NotImplementedError(f"profile(): {name}: {_REFUSED[name]}")


def _checked_activities(given: Iterable[ProfilerActivity] | None) -> set[ProfilerActivity]:
    activities = supported_activities() if given is None else set(given)
    if ProfilerActivity.CPU not in activities:
        raise AssertionError(f"No valid profiler activities found: only CPU is recorded, got {activities}")
    others = sorted(activity.name for activity in activities - supported_activities())
    if others:
        warnings.warn(
            f"profile(): activities: {', '.join(others)}: the kernels of devices are not recorded, only the "
            "calls of operators on the host",
            stacklevel=4,
        )
    return activities & supported_activities()
