"""Operators on a GPU, alternating between ours and PyTorch's."""

from __future__ import annotations

import dataclasses
import statistics
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from .card import Card
from .table import show

SECONDS = 0.02  # length of one sample


@dataclasses.dataclass(frozen=True, slots=True)
class Case:
    """A statement on operands (name to shape and dtype), with the bytes that it moves or the operations that
    it computes per call. Without either, calls are counted.
    """

    what: str
    statement: str
    operands: dict[str, tuple[tuple[int, ...], str]]
    bytes: float = 0
    flops: float = 0
    dtype: str = "float32"


@dataclasses.dataclass(slots=True)
class Figure:
    """Seconds per call of each library that supports the call, and the errors of the others."""

    case: Case
    seconds: dict[str, float] = dataclasses.field(default_factory=dict)
    errors: dict[str, str] = dataclasses.field(default_factory=dict)


def vectors(n: int) -> Iterator[Case]:
    """Yields elementwise operators and reductions of n floats, which are limited by memory bandwidth."""
    f, h = ((n,), "float32"), ((n,), "float16")
    for what, statement, moved in (
        ("add out=", "T.add(a, b, out=o)", 12),
        ("add", "T.add(a, b)", 12),
        ("mul by a scalar", "a * 2.0", 8),
        ("exp out=", "T.exp(a, out=o)", 8),
        ("gelu", "F.gelu(a)", 8),
        ("gt", "T.gt(a, b)", 9),
        ("fill_", "o.fill_(1.0)", 4),
        ("sum", "T.sum(a)", 4),
        ("argmax", "T.argmax(a)", 4),
        ("cumsum", "T.cumsum(a, 0)", 8),
        ("normal_", "o.normal_()", 4),
    ):
        yield Case(what, statement, {"a": f, "b": f, "o": f}, bytes=moved * n)
    yield Case("add float16", "T.add(a, b)", {"a": h, "b": h}, bytes=6 * n, dtype="float16")
    yield Case("float16 to float32", "o.copy_(a)", {"a": h, "o": f}, bytes=6 * n)
    small = ((1,), "float32")
    yield Case("add, one element (a call)", "T.add(a, b)", {"a": small, "b": small})


def matrices(n: int) -> Iterator[Case]:
    """Yields operators on square matrices of n floats in all, by rows and columns."""
    side = int(n**0.5)
    n = side * side
    square, row = ((side, side), "float32"), ((side,), "float32")
    for what, statement, moved in (
        ("transposed copy", "o.copy_(a.t())", 8),
        ("add a row", "T.add(a, w)", 8),
        ("sum, rows", "T.sum(a, 1)", 4),
        ("sum, columns", "T.sum(a, 0)", 4),
        ("softmax, rows", "T.softmax(a, 1)", 8),
        ("layer_norm, rows", f"F.layer_norm(a, ({side},), w, w)", 8),
        ("cumsum, rows", "T.cumsum(a, 1)", 8),
        ("topk 10, rows", "T.topk(a, 10)", 4),
        ("sort, rows", "T.sort(a)", 16),
    ):
        yield Case(what, statement, {"a": square, "o": square, "w": row}, bytes=moved * n)


def products(side: int) -> Iterator[Case]:
    for dtype in ("float32", "float16", "bfloat16"):
        square = ((side, side), dtype)
        yield Case(
            f"matmul {side}, {dtype}",
            "T.matmul(a, b)",
            {"a": square, "b": square},
            flops=2.0 * side**3,
            dtype=dtype,
        )
    heads, length, depth = 64, side // 4, 64
    attended = ((1, heads, length, depth), "float16")
    yield Case(
        f"attention, {heads} heads of {length} x {depth}, float16",
        "F.scaled_dot_product_attention(q, k, v)",
        dict.fromkeys("qkv", attended),
        flops=4.0 * heads * length * length * depth,
        dtype="float16",
    )
    width = max(1, side // 128)
    yield Case(
        f"conv2d 3 x 3, 64 of 128 x {width} x {width}",
        "F.conv2d(x, w, None, 1, 1)",
        {"x": ((64, 128, width, width), "float32"), "w": ((128, 128, 3, 3), "float32")},
        flops=2.0 * 64 * 128 * 128 * 9 * width * width,
    )


def measure(peers: dict[str, ModuleType], device: str, elements: int, rounds: int) -> list[Figure]:
    """Runs every case; an unsupported one is recorded with its error."""
    side = int(elements**0.5)
    cases = [*vectors(elements), *matrices(elements), *products(side)]
    return [measure_case(case, peers, device, rounds) for case in cases]


def measure_case(case: Case, peers: dict[str, ModuleType], device: str, rounds: int) -> Figure:
    figure = Figure(case)
    timers: dict[str, Callable[[], float]] = {}
    for name, module in peers.items():
        try:
            timers[name] = timer(case, module, device)
        except Exception as error:
            figure.errors[name] = f"{type(error).__name__}: {error}".splitlines()[0]
    samples: dict[str, list[float]] = {name: [] for name in timers}
    for _ in range(rounds):
        for name, sample in timers.items():
            samples[name].append(sample())
    figure.seconds = {name: statistics.median(found) for name, found in samples.items()}
    return figure


def timer(case: Case, module: ModuleType, device: str) -> Callable[[], float]:
    """Creates the operands and warms up; the returned function takes one sample of the seconds per call."""
    names: dict[str, Any] = {"T": module, "F": module.nn.functional}
    for name, (shape, dtype) in case.operands.items():
        made = module.rand(shape, device=device) + 0.1
        names[name] = made.to(getattr(module, dtype))
    code = compile(f"def call():\n    {case.statement}\n", case.what, "exec")
    exec(code, names)
    call: Callable[[], object] = names["call"]
    wait = module.cuda.synchronize if device == "cuda" else lambda: None

    def sample(calls: int) -> float:
        wait()
        begun = time.perf_counter()
        for _ in range(calls):
            call()
        wait()
        return (time.perf_counter() - begun) / calls

    sample(2)
    calls = max(1, round(SECONDS / max(sample(3), 1e-7)))
    return lambda: sample(calls)


def print_table(figures: list[Figure], card: Card | None) -> None:
    """Prints rates (larger is better), and our share of the limit."""
    head = ("what", "unit", "ours", "PyTorch", "limit", "ours/PyTorch", "of the limit")
    lines = [head, *(cells(figure, card) for figure in figures)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    for number, line in enumerate(lines):
        pairs = enumerate(zip(line, widths, strict=True))
        print("| " + " | ".join(c.ljust(w) if i < 2 else c.rjust(w) for i, (c, w) in pairs) + " |")
        if number == 0:
            print("|" + "|".join("-" * (w + 2) for w in widths) + "|")
    for figure in figures:
        for name, error in figure.errors.items():
            print(f"\n{figure.case.what}: {name}: {error}")


def rate(case: Case) -> tuple[float, str]:
    """Returns the amount of one call, and the unit of the rate."""
    if case.flops:
        return case.flops / 1e12, "TFLOP/s"
    return (case.bytes / 1e9, "GB/s") if case.bytes else (1e-6, "M calls/s")


def cells(figure: Figure, card: Card | None) -> tuple[str, ...]:
    case = figure.case
    amount, unit = rate(case)
    ours, theirs = (
        amount / figure.seconds[name] if name in figure.seconds else None for name in ("ours", "PyTorch")
    )
    limit = None
    if card is not None and (case.flops or case.bytes):
        most = card.flops(case.dtype) if case.flops else card.bandwidth
        limit = most / (1e12 if case.flops else 1e9) if most else None
    ratio = ours / theirs if ours and theirs else None
    share = ours / limit if ours and limit else None
    return (case.what, unit, *(show(x) for x in (ours, theirs, limit, ratio, share)))
