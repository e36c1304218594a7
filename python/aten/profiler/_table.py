"""The table of events."""

from __future__ import annotations

from typing import Any

_UNITS = {"s": 1e6, "ms": 1e3, "us": 1.0}
_SPACE, _WIDTH = "  ", 12


def format_time(us: float, unit: str | None = None) -> str:
    """12.5 as "12.500us"; longer times in ms and s, unless a unit is given."""
    if unit is None:
        unit = "s" if us >= 1e6 else "ms" if us >= 1e3 else "us"
    return f"{us / _UNITS[unit]:.3f}{unit}"


def format_memory(nbytes: int) -> str:
    """2048 as "2.00 KB"."""
    for power, unit in ((3, "GB"), (2, "MB"), (1, "KB")):
        if abs(nbytes) >= 1024**power:
            return f"{nbytes / 1024**power:.2f} {unit}"
    return f"{nbytes} B"


def _share(us: float, total: float) -> str:
    return f"{us * 100 / total:.2f}%" if total else "NaN"


def table(
    events: list[Any],
    rows: list[Any],
    with_memory: bool,
    widths: tuple[int, int],
    header: str | None,
    unit: str | None,
) -> str:
    """The table of `rows`, with shares of the time of all `events`. `widths`: the most of the columns of
    names and shapes."""
    if not events:
        return ""
    total = sum(event.self_cpu_time_total for event in events)
    name_width = min(max(len(event.key) for event in events) + 4, widths[0])
    columns = [("Name", name_width)]
    titles = ["Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg"]
    titles += ["CPU Mem", "Self CPU Mem"] if with_memory else []
    columns += [(title, _WIDTH) for title in (*titles, "# of Calls")]
    with_shapes = any(event.input_shapes for event in events)
    if with_shapes:
        longest = max(len(str(event.input_shapes)) for event in events) + 4
        columns.append(("Input Shapes", min(longest, widths[1])))
    rule = "".join("-" * width + _SPACE for _, width in columns)
    lines = [] if header is None else ["=" * (len(rule) - len(_SPACE)), header]
    lines += [rule, _line([title for title, _ in columns], columns), rule]
    for event in rows:
        cells = [
            _clipped(event.key, widths[0]),
            _share(event.self_cpu_time_total, total),
            format_time(event.self_cpu_time_total, unit),
            _share(event.cpu_time_total, total),
            format_time(event.cpu_time_total, unit),
            format_time(event.cpu_time, unit),
        ]
        if with_memory:
            cells += [format_memory(event.cpu_memory_usage), format_memory(event.self_cpu_memory_usage)]
        cells.append(str(event.count))
        if with_shapes:
            cells.append(str(event.input_shapes)[: columns[-1][1]])
        lines.append(_line(cells, columns))
    return "\n".join([*lines, rule, f"Self CPU time total: {format_time(total, unit)}", ""])


def _clipped(name: str, width: int) -> str:
    return f"{name[: width - 3]}..." if len(name) >= width - 3 else name


def _line(cells: list[str], columns: list[tuple[str, int]]) -> str:
    return "".join(f"{cell:>{width}}{_SPACE}" for cell, (_, width) in zip(cells, columns, strict=True))
