"""A table of a module's layers: what each returned in one call, its parameters, and the memory of both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .._C import Tensor
from ..autograd.grad_mode import no_grad
from ..random import fork_rng
from .modules import Module
from .parameter import is_lazy


@dataclass
class Layer:
    """A module inside of the summarized one: `results` are the sizes of the tensors of its last call,
    `memory` their bytes. `parameters` counts elements of it and of the modules in it, each once.
    """

    name: str
    kind: str
    depth: int
    parameters: int
    results: list[tuple[int, ...]] = field(default_factory=list)
    memory: int = 0
    calls: int = 0


@dataclass
class Summary:
    """What summary() returns; print() shows the table."""

    layers: list[Layer]
    parameters: int
    trainable: int
    memory: int  # bytes of parameters and buffers

    def __str__(self) -> str:
        rows = [("layer", "results", "parameters", "memory"), *map(_row, self.layers)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        a, b, c, d = widths
        lines = [f"{row[0]:{a}}  {row[1]:{b}}  {row[2]:>{c}}  {row[3]:>{d}}".rstrip() for row in rows]
        part = "all" if self.trainable == self.parameters else f"{self.trainable:,}"
        total = f"{self.parameters:,} parameters, {part} of them trained; with buffers {_bytes(self.memory)}"
        return "\n".join([*lines, total])

    __repr__ = __str__


def summary(module: Module, *args: Any, **kwargs: Any) -> Summary:
    """A table of the layers of `module`, with the sizes of what they return for these arguments. Without
    arguments it isn't called, and there are only parameters.

    The module is called once, in evaluation and without gradients; its buffers, random numbers and mode stay
    as they are.
    """
    layers = {id(part): _layer(name, part) for name, part in module.named_modules()}
    if args or kwargs:
        _call(module, layers, args, kwargs)
        for part in module.modules():  # lazy ones have their parameters now
            layers[id(part)].parameters = _elements(part.parameters())
    kept = [*module.parameters(), *module.buffers()]
    return Summary(
        list(layers.values()),
        _elements(module.parameters()),
        _elements(p for p in module.parameters() if p.requires_grad),
        sum(t.nbytes for t in kept if not is_lazy(t)),
    )


def _layer(name: str, part: Module) -> Layer:
    depth = name.count(".") + 1 if name else 0
    return Layer(name.rpartition(".")[2], type(part).__name__, depth, _elements(part.parameters()))


def _elements(parameters: Iterable[Tensor]) -> int:
    return sum(p.numel() for p in parameters if not is_lazy(p))


def _call(module: Module, layers: dict[int, Layer], args: Any, kwargs: Any) -> None:
    def seen(part: Module, _: Any, result: Any) -> None:
        layer, tensors = layers[id(part)], list(_tensors(result))
        layer.calls += 1
        layer.results, layer.memory = [tuple(t.shape) for t in tensors], sum(t.nbytes for t in tensors)

    parts = list(module.modules())
    modes = [part.training for part in parts]
    handles = [part.register_forward_hook(seen) for part in parts]
    try:
        module.eval()
        with no_grad(), fork_rng():
            module(*args, **kwargs)
    finally:
        for part, mode in zip(parts, modes, strict=True):
            part.training = mode
        for handle in handles:
            handle.remove()


def _tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _tensors(part)


def _row(layer: Layer) -> tuple[str, str, str, str]:
    name = f"{layer.name}: {layer.kind}" if layer.name else layer.kind
    results = ", ".join(str(size) for size in layer.results)
    times = f"{layer.calls} calls: " if layer.calls > 1 else ""
    memory = _bytes(layer.memory) if layer.results else ""
    return "  " * layer.depth + name, times + results, f"{layer.parameters:,}", memory


def _bytes(count: int) -> str:
    size, unit = float(count), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if size < 1024:
            break
        size, unit = size / 1024, larger
    return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"
