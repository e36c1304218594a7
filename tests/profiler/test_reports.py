"""Tables, traces and schedules of the profiler."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from typing import Any

import aten
import profiled_programs
import pytest
from aten.profiler import ProfilerAction, profile, record_function, schedule, tensorboard_trace_handler
from aten.profiler._table import format_memory, format_time


def step(library: Any, record: Any) -> None:
    with record("layer"):
        profiled_programs.trained(library, *profiled_programs.inputs(library))


def measured(library: Any, **options: Any) -> Any:
    with library.profiler.profile(activities=[library.profiler.ProfilerActivity.CPU], **options) as found:
        for _ in range(2):
            step(library, library.profiler.record_function)
    return found


def header(text: str) -> list[str]:
    return re.split(r"\s{2,}", text.splitlines()[1].strip())


@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.parametrize("shapes", [False, True])
def test_columns(memory: bool, shapes: bool) -> None:
    torch = pytest.importorskip("torch")

    def text(library: Any) -> str:
        found = measured(library, record_shapes=shapes, profile_memory=memory)
        table: str = found.key_averages(group_by_input_shape=shapes).table(row_limit=3)
        return table

    ours, theirs = text(aten), text(torch)
    assert header(ours) == header(theirs)
    assert ours.splitlines()[-1].startswith("Self CPU time total: ") and ours.endswith("\n")
    assert len(ours.splitlines()) == 8
    rows = [re.split(r"\s{2,}", line.strip()) for line in ours.splitlines()[3:6]]
    assert all(len(row) == len(header(ours)) for row in rows)


def test_layout_of_the_table() -> None:
    torch = pytest.importorskip("torch")

    def lines(library: Any) -> list[str]:
        with library.profiler.profile() as found, library.profiler.record_function("x" * 70):
            library.ones(2).neg()
        text: str = found.key_averages().table(sort_by="count", header="title")
        return [
            re.sub(r"[\d.]+(us|ms|s)?(?=%|\s)", lambda m: "9" * len(m[0]), line) for line in text.split("\n")
        ]

    ours, theirs = lines(aten), lines(torch)
    assert ours[:5] == theirs[:5] and len(ours) == len(theirs)
    clipped = next(line for line in theirs if "xxx" in line)
    assert any(line.startswith(clipped[:57]) for line in ours)


def test_sorting_and_limits() -> None:
    averages = measured(aten, record_shapes=True, profile_memory=True).key_averages()

    def names(**options: Any) -> list[str]:
        return [line.split()[0] for line in averages.table(**options).splitlines()[3:-2]]

    def sorted_names(key: str) -> list[str]:
        return [e.key.split()[0] for e in sorted(averages, key=lambda e: getattr(e, key), reverse=True)]

    for key in ("cpu_time_total", "self_cpu_time_total", "count", "self_cpu_memory_usage", "cpu_time"):
        assert [n[:40] for n in names(sort_by=key)] == [n[:40] for n in sorted_names(key)]
    assert len(names(sort_by="cuda_time_total", row_limit=2)) == 2
    assert len(names(row_limit=-1)) == len(averages)
    with pytest.raises(AttributeError, match="no attribute 'beauty'"):
        averages.table(sort_by="beauty")
    total = averages.total_average()
    assert total.count == sum(e.count for e in averages)
    assert total.self_cpu_time_total == pytest.approx(averages.self_cpu_time_total)
    by_shape = measured(aten, record_shapes=True).key_averages(group_by_input_shape=True)
    exp = next(e for e in by_shape if e.key == "aten::exp")
    assert exp.input_shapes == [[4, 5]] and exp.count == 2


@pytest.mark.parametrize("us", [0.1234, 999.9996, 1000, 34567.8, 1e6, 7.25e7])
def test_times(us: float) -> None:
    util = pytest.importorskip("torch.autograd.profiler_util")
    assert format_time(us) == util._format_time(us)
    assert format_time(us, "ms") == f"{us / 1000:.3f}ms"


@pytest.mark.parametrize("nbytes", [0, -5, 1023, 1024, -123456, 5 << 20, -(3 << 30)])
def test_bytes(nbytes: int) -> None:
    util = pytest.importorskip("torch.autograd.profiler_util")
    assert format_memory(nbytes) == util._format_memory(nbytes)


def overlaps(events: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Pairs of complete events of a thread that overlap without one being in the other."""
    open_ends: list[tuple[float, str]] = []
    for event in sorted(events, key=lambda e: (e["ts"], -e["dur"])):
        end = round(event["ts"] + event["dur"], 3)
        while open_ends and open_ends[-1][0] <= event["ts"]:
            open_ends.pop()
        if open_ends and end > open_ends[-1][0]:
            yield open_ends[-1][1], event["name"]
        open_ends.append((end, event["name"]))


@pytest.mark.parametrize("name", ["trace.json", "trace.json.gz"])
def test_trace(name: str, tmp_path: Any) -> None:
    found = measured(aten, record_shapes=True, profile_memory=True)
    found.add_metadata("model", 'a "small" one')
    found.add_metadata_json("layers", "[1, 2]")
    path = tmp_path / name
    found.export_chrome_trace(str(path))
    contents = path.read_bytes()
    trace = json.loads(gzip.decompress(contents) if name.endswith(".gz") else contents)
    assert trace["model"] == 'a "small" one' and trace["layers"] == [1, 2] and trace["record_shapes"] == 1
    events = trace["traceEvents"]
    assert {e["ph"] for e in events} == {"X", "M", "i"}
    assert {e["name"] for e in events if e["ph"] == "M"} == {"process_name", "thread_name"}
    complete = [e for e in events if e["ph"] == "X"]
    for event in complete:
        assert event["ts"] >= 0 and event["dur"] >= 0
        assert isinstance(event["pid"], int) and isinstance(event["tid"], int)
    assert list(overlaps(complete)) == []
    assert len({e["tid"] for e in complete}) == 1
    linear = next(e for e in complete if e["name"] == "aten::linear")
    assert linear["args"]["Input Dims"] == [[4, 6], [5, 6], []] and linear["cat"] == "cpu_op"
    assert next(e for e in complete if e["name"] == "layer")["cat"] == "user_annotation"
    memory = [e for e in events if e["ph"] == "i"]
    total = 0
    for event in memory:
        total += event["args"]["Bytes"]
        assert event["args"]["Total Allocated"] == total and event["s"] == "t"


def test_overlaps_are_found() -> None:
    def events(*times: tuple[float, float]) -> list[dict[str, Any]]:
        return [{"name": str(i), "ts": ts, "dur": dur} for i, (ts, dur) in enumerate(times)]

    assert list(overlaps(events((0, 10), (1, 3), (4, 6), (10, 2)))) == []
    assert list(overlaps(events((0, 10), (5, 10)))) == [("0", "1")]


SCHEDULES = [
    {"wait": 1, "warmup": 1, "active": 2},
    {"wait": 0, "warmup": 1, "active": 1, "repeat": 2},
    {"wait": 2, "warmup": 0, "active": 3, "skip_first": 3},
    {"wait": 2, "warmup": 2, "active": 1, "skip_first": 1, "skip_first_wait": 1},
]


@pytest.mark.filterwarnings("ignore:Profiler won't be using warmup")
@pytest.mark.parametrize("options", SCHEDULES)
def test_schedules(options: dict[str, int]) -> None:
    torch = pytest.importorskip("torch")

    def actions(library: Any) -> list[str]:
        chosen = library.profiler.schedule(**options)
        return [chosen(n).name for n in range(20)]

    def saved(library: Any, steps: int) -> list[Any]:
        found: list[Any] = []

        def ready(prof: Any) -> None:
            names = [e.name for e in prof.events() if e.name.startswith(("ProfilerStep", "aten::neg"))]
            found.append((prof.step_num, names))

        x = library.ones(2)
        with library.profiler.profile(
            activities=[library.profiler.ProfilerActivity.CPU],
            schedule=library.profiler.schedule(**options),
            on_trace_ready=ready,
        ) as prof:
            for _ in range(steps):
                x.neg()
                prof.step()
        return found

    assert actions(aten) == actions(torch)
    for steps in (4, 9):
        assert saved(aten, steps) == saved(torch, steps)


def test_wrong_schedules() -> None:
    for wrong in ({"wait": -1, "warmup": 1, "active": 1}, {"wait": 0, "warmup": 1, "active": 0}):
        with pytest.raises(AssertionError, match="Invalid profiler schedule arguments"):
            schedule(**wrong)
    with pytest.warns(UserWarning, match="won't be using warmup"):
        schedule(wait=0, warmup=0, active=1)

    def flawed(number: int) -> ProfilerAction:
        return ProfilerAction.NONE if number else ProfilerAction.RECORD

    with profile(schedule=flawed) as found, pytest.warns(UserWarning, match="RECORD followed by NONE"):
        found.step()


def test_events_of_all_cycles() -> None:
    with profile(schedule=schedule(wait=1, warmup=1, active=1), acc_events=True) as found:
        for _ in range(6):
            aten.ones(2).neg()
            found.step()
    steps = [e.name for e in found.events() if e.is_user_annotation]
    assert steps == ["ProfilerStep*", "ProfilerStep*"] and found.step_num == 6


def test_trace_handler(tmp_path: Any) -> None:
    folder = tmp_path / "traces"
    with profile(on_trace_ready=tensorboard_trace_handler(str(folder), "worker")):
        aten.ones(2).neg()
    (file,) = folder.iterdir()
    assert re.fullmatch(r"worker\.\d+\.pt\.trace\.json", file.name)
    assert "aten::neg" in {e["name"] for e in json.loads(file.read_text())["traceEvents"]}


def test_former_place(tmp_path: Any) -> None:
    former = aten.autograd.profiler
    with former.profile(record_shapes=True) as found, former.record_function("named"):
        aten.ones(2).neg()
    assert str(found) == found.table()
    assert found.function_events[0].name == "named" and former.record_function is record_function
    assert found.self_cpu_time_total == pytest.approx(found.total_average().self_cpu_time_total)
    found.export_chrome_trace(tmp_path / "t.json")
    assert json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    with former.profile(enabled=False) as off:
        aten.ones(2)
    with pytest.raises(RuntimeError, match="didn't finish"):
        off.key_averages()
    with pytest.raises(NotImplementedError, match="use_cuda"):
        former.profile(use_cuda=True)
    with pytest.raises(RuntimeError, match="not reentrant"), found:
        pass
