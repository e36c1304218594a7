"""Recordings as files in the Trace Event Format, which Perfetto and chrome://tracing show."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from ._events import OPERATOR, RANGE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._events import Recording


def write(path: str, recording: Recording, epoch_ns: int, metadata: dict[str, Any]) -> None:
    """Writes the recording, compressed if the path ends with ".gz". Times are microseconds after `epoch_ns`,
    the nanosecond of the recording's start."""
    contents = {
        "schemaVersion": 1,
        "displayTimeUnit": "ms",
        "baseTimeNanoseconds": epoch_ns,
        **metadata,
        "traceName": path,
        "traceEvents": [*_named(recording), *_complete(recording), *_memory(recording)],
    }
    if path.endswith(".gz"):
        import gzip

        with gzip.open(path, "wt", encoding="utf-8") as compressed:
            json.dump(contents, compressed)
        return
    with open(path, "w", encoding="utf-8") as file:
        json.dump(contents, file)


def _at(recording: Recording) -> dict[str, int]:
    return {"pid": os.getpid(), "tid": recording.thread}


def _us(recording: Recording, time: int) -> float:
    return (time - recording.start) / 1000


def _named(recording: Recording) -> Iterator[dict[str, Any]]:
    for name, value in (("process_name", "python"), ("thread_name", f"thread {recording.thread} (python)")):
        yield {"ph": "M", "name": name, "ts": 0, **_at(recording), "args": {"name": value}}


def _complete(recording: Recording) -> Iterator[dict[str, Any]]:
    for index, (name, kind, _, start, end, inputs) in enumerate(recording.events):
        args: dict[str, Any] = {"Ev Idx": index}
        if kind == OPERATOR and inputs:
            args["Input Dims"] = [sizes for _, sizes in inputs]
            args["Input type"] = [type for type, _ in inputs]
        yield {
            "ph": "X",
            "cat": "user_annotation" if kind == RANGE else "cpu_op",
            "name": name,
            **_at(recording),
            "ts": _us(recording, start),
            "dur": (end - start) / 1000,
            "args": args,
        }


def _memory(recording: Recording) -> Iterator[dict[str, Any]]:
    allocated = 0
    for time, nbytes, address, _ in recording.memory:
        allocated += nbytes
        yield {
            "ph": "i",
            "cat": "cpu_instant_event",
            "s": "t",
            "name": "[memory]",
            **_at(recording),
            "ts": _us(recording, time),
            "args": {"Total Allocated": allocated, "Bytes": nbytes, "Addr": address, "Device Type": 0},
        }
