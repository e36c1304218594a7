"""Measures which operators a program calls, how long they take and what memory they allocate.

    with profile(record_shapes=True) as measured, record_function("step"):
        model(x).sum().backward()
    print(measured.key_averages().table(sort_by="self_cpu_time_total", row_limit=10))
    measured.export_chrome_trace("trace.json")

Recorded are the calls of the thread that started it: operators, those that they call, the nodes of backward
passes, and ranges that the program names. Time is the host's, also for operators on CUDA: kernels that a
device still runs are not waited for.
"""

from __future__ import annotations

from ._events import EventList, FunctionEvent, FunctionEventAvg
from ._profile import (
    ProfilerAction,
    ProfilerActivity,
    profile,
    record_function,
    schedule,
    supported_activities,
    tensorboard_trace_handler,
)

__all__ = [
    "EventList",
    "FunctionEvent",
    "FunctionEventAvg",
    "ProfilerAction",
    "ProfilerActivity",
    "profile",
    "record_function",
    "schedule",
    "supported_activities",
    "tensorboard_trace_handler",
]
