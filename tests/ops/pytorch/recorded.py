"""Calls that PyTorch makes below its autograd while it runs a sample, backward pass included."""

from __future__ import annotations

import dataclasses
import functools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import aten
import torch
from exact import tensors_of
from opinfo import copied, samples, short
from torch.utils._python_dispatch import TorchDispatchMode

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


@dataclasses.dataclass(frozen=True)
class Recorded:
    """One call of an overload that we have, too, with the arguments before it."""

    func: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    @property
    def name(self) -> str:
        return overload_name(self.func)

    def arguments(self) -> Arguments:
        """Returns the arguments for one call, in their own memory, shared where it was shared."""
        args, kwargs = copied((self.args, self.kwargs))
        return args, kwargs

    @property
    def tensors(self) -> list[torch.Tensor]:
        return list(tensors_of((self.args, self.kwargs)))

    def __str__(self) -> str:
        given = short(self.args) + (f", {short(self.kwargs)}" if self.kwargs else "")
        return f"{self.name}{given}"


def overload_name(func: Any) -> str:
    """Returns the name as in native_functions.yaml: add.Tensor, relu."""
    return str(func.name()).removeprefix("aten::")


@functools.cache
def ours(name: str) -> Any:
    """Returns our overload of that name; None if there is none."""
    packet, _, overload = name.partition(".")
    return getattr(getattr(aten.ops.aten, packet, None), overload or "default", None)


@functools.cache
def overloads_of(packet: str) -> list[str]:
    """Returns PyTorch's overloads of an operator, out= forms included."""
    names = (n.removeprefix("aten::") for n in all_operators() if n.startswith("aten::"))
    return sorted(n for n in names if n.partition(".")[0] == packet)


@functools.cache
def all_operators() -> list[str]:
    return torch._C._dispatch_get_all_op_names()


def plain(t: torch.Tensor) -> bool:
    """Whether this library has a counterpart for the tensor."""
    return type(t) is torch.Tensor and t.layout is torch.strided and not t.is_quantized


class Recorder(TorchDispatchMode):
    """Records one call of each overload and kind of arguments: types, shapes, strides, and plain values."""

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        super().__init__()
        self._wanted = wanted
        self._seen: set[str] = set()
        self.calls: list[Recorded] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        dense = all(plain(t) or t.is_meta for t in tensors_of((args, kwargs)))
        if func.namespace == "aten" and dense and self._wanted(overload_name(func)):
            self._keep(func, args, kwargs)
        return func(*args, **kwargs)

    def _keep(self, func: Any, args: Any, kwargs: Any) -> None:
        signature = f"{func.name()} {short(args)} {short(kwargs)}"
        if signature not in self._seen:
            self._seen.add(signature)
            self.calls.append(Recorded(func, *copied((args, kwargs))))

    def taken(self) -> list[Recorded]:
        """Returns the calls since the last time, and forgets them."""
        calls, self.calls = self.calls, []
        return calls


def run_sample(op: Any, sample: Any, backward: bool) -> bool:
    """Runs a sample of PyTorch's database and its backward pass; False where PyTorch itself raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = op.op(sample.input, *sample.args, **sample.kwargs)
            outputs = [t for t in tensors_of(result) if t.requires_grad]
            leaves = [t for t in tensors_of((sample.input, sample.args, sample.kwargs)) if t.requires_grad]
            if backward and outputs and leaves:
                torch.autograd.grad(outputs, leaves, [torch.ones_like(o) for o in outputs], allow_unused=True)
        except (RuntimeError, NotImplementedError, ValueError, TypeError):
            return False
    return True


def calls_of(op: Any, dtype: torch.dtype, wanted: Callable[[str], bool]) -> Iterator[Recorded]:
    """Yields the calls that all samples of an entry of the database make."""
    backward = op.supports_autograd and dtype in op.supported_backward_dtypes("cpu")
    recorder = Recorder(wanted)
    for sample in samples(op, dtype, backward):
        with recorder:
            run_sample(op, sample, backward)
        yield from recorder.taken()
