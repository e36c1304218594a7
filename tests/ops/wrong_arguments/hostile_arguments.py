"""Wrong arguments of every kind, by type of parameter."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import aten
import numpy as np

HUGE = (2**63 - 1, -(2**63), 2**62, 2**40, 2**32, 2**31)
INTS = (0, 1, 2, 3, -1, -2, 5, 64, 100, -100, *HUGE)
FLOATS = (0.0, 0.5, 1.0, -1.0, 2.5, 1e-45, 1e308, -1e308, float("inf"), float("-inf"), float("nan"))
SIZES = (
    (),
    (0,),
    (1,),
    (2,),
    (2, 3),
    (3, 2),
    (6,),
    (-1,),
    (2, -1),
    (-1, -1),
    (2**62, 4),
    (2**32, 2**32),
    (2**63 - 1,),
    (0, 2**63 - 1),
    (2**31, 2**31, 2**31),
    (1,) * 65,
    (2,) * 8,
    (3, 0, 2),
    (-(2**63),),
)
STRIDES = (*SIZES, (3, 1), (1, 2), (0, 0), (-1, 1), (2**62, 1), (100, 10))
WRONG = (
    None,
    "text",
    b"bytes",
    object(),
    1.5,
    7,
    True,
    1j,
    (),
    [],
    {},
    [None],
    ["a"],
    (1, "b"),
    float,
    np.zeros(3),
    2**64,
    -(2**70),
)
DTYPES = (
    "bool",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "uint16",
    "uint64",
    "complex32",
)


def tensor_pool() -> dict[str, Callable[[], Any]]:
    """Returns tensors by name: shapes, dtypes, layouts, values and states that are rare."""
    pool: dict[str, Callable[[], Any]] = {
        f"ones({d})": lambda d=d: aten.ones((2, 3), dtype=getattr(aten, d)) for d in DTYPES
    }
    pool |= {
        "scalar": lambda: aten.full((), 2.0),
        "scalar_int": lambda: aten.full((), 1, dtype=aten.int64),
        "empty": lambda: aten.empty((0,)),
        "empty3": lambda: aten.empty((3, 0, 2)),
        "empty_int": lambda: aten.empty((0,), dtype=aten.int64),
        "vector": lambda: aten.arange(6.0),
        "vector3": lambda: aten.arange(3.0),
        "square": lambda: aten.ones((3, 3)),
        "batch": lambda: aten.ones((2, 3, 4)),
        "deep": lambda: aten.ones((1,) * 64),
        "wide": lambda: aten.ones((2,) * 8),
        "images": lambda: aten.ones((2, 3, 4, 5)),
        "volume": lambda: aten.ones((1, 2, 3, 3, 3)),
        "kernel": lambda: aten.ones((3, 3, 2, 2)),
        "kernel_depthwise": lambda: aten.ones((3, 1, 2, 2)),
        "channels_last": lambda: aten.ones((2, 4, 5, 3)).permute(0, 3, 1, 2),
        "statistics": lambda: aten.full((3,), 0.5),
        "statistics_double": lambda: aten.full((3,), 0.5, dtype=aten.float64),
        "offsets": lambda: aten.tensor([0, 2, 1, 100]),
        "transposed": lambda: aten.ones((3, 2)).t(),
        "sliced": lambda: aten.arange(24.0).view(4, 6)[:, ::2],
        "expanded": lambda: aten.ones((1, 3)).expand(2, 3),
        "expanded_much": lambda: aten.ones((1,)).expand(2**20),
        "overlapping": lambda: aten.arange(6.0).as_strided((4, 3), (1, 1)),
        "nan": lambda: aten.full((2, 3), float("nan")),
        "inf": lambda: aten.full((2, 3), float("inf")),
        "indices": lambda: aten.tensor([0, 1, 2]),
        "indices_out": lambda: aten.tensor([0, 100, -100]),
        "indices_huge": lambda: aten.tensor([2**62, -(2**63), 2**31]),
        "indices2": lambda: aten.tensor([[0, 1, 1], [1, 0, 1]]),
        "mask": lambda: aten.ones((2, 3)) > 0,
        "mask_odd": lambda: aten.ones((5,)) > 0,
        "meta": lambda: aten.empty((2, 3), device="meta"),
        "meta_int": lambda: aten.empty((3,), dtype=aten.int64, device="meta"),
        "read_only": read_only,
        "grad": lambda: aten.ones((2, 3)).requires_grad_(),
        "large": lambda: aten.ones((300, 300)),
        "probability": lambda: aten.full((2, 3), 0.5),
        "negative": lambda: aten.full((2, 3), -1.0),
        "lowest": lambda: aten.full((2, 3), -(2**63), dtype=aten.int64),
        "zeros_int": lambda: aten.zeros((2, 3), dtype=aten.int32),
    }
    return pool


def read_only() -> Any:
    a = np.ones((2, 3), np.float32)
    a.setflags(write=False)
    return aten.from_numpy(a)


POOL = tensor_pool()


@dataclass
class Made:
    """An argument and how it was made."""

    value: Any
    text: str


class Maker:
    """Makes arguments from a seeded generator."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.tensors: list[Made] = []

    def tensor(self) -> Made:
        """Returns a new tensor, one that was given already, or a view that overlaps with it."""
        if self.tensors and self.random.random() < 0.2:
            earlier = self.random.choice(self.tensors)
            t = earlier.value
            if self.random.random() < 0.5 or t.dim() == 0 or t.shape[0] < 2:
                return earlier
            return Made(t[1:], f"{earlier.text}[1:]")
        name = self.random.choice(list(POOL))
        made = Made(POOL[name](), name)
        self.tensors.append(made)
        return made

    def of(self, type_text: str) -> Made:
        """Returns a value for a parameter; one time in eight of any other type."""
        if self.random.random() < 0.125:
            value = self.random.choice(WRONG)
            return Made(value, repr(value))
        if type_text.endswith("?") and self.random.random() < 0.3:
            return Made(None, "None")
        return self.right(type_text.removesuffix("?").replace("SymInt", "int"))

    def right(self, kind: str) -> Made:
        if kind == "Tensor":
            return self.tensor()
        if kind.startswith("Tensor"):
            count = self.random.choice((0, 1, 2, 2, 3))
            made = [
                Made(None, "None") if "?[" in kind and self.random.random() < 0.3 else self.tensor()
                for _ in range(count)
            ]
            return Made([m.value for m in made], f"[{', '.join(m.text for m in made)}]")
        if kind.startswith("int["):
            value: Any = self.random.choice(
                STRIDES if self.random.random() < 0.7 else tuple((i,) for i in INTS)
            )
        elif kind == "int":
            value = self.random.choice(INTS if self.random.random() < 0.5 else INTS[:6])
        elif kind == "float":
            value = self.random.choice(FLOATS)
        elif kind in ("Scalar", "number"):
            value = self.random.choice((*INTS[:10], *FLOATS, True, 1j, complex("nan+infj"), 2**63))
        else:
            value = self.other(kind)
        return Made(value, repr(value))

    def other(self, kind: str) -> Any:
        choices: dict[str, tuple[Any, ...]] = {
            "bool": (True, False),
            "str": ("none", "tanh", "floor", "trunc", "", "nonsense", "\0", "é" * 100),
            "ScalarType": tuple(getattr(aten, d) for d in DTYPES),
            "Layout": (aten.strided,),
            "Device": (
                aten.device("cpu"),
                aten.device("meta"),
                "cpu",
                "meta",
                "cuda",
                "nonsense",
                "cpu:7",
                -1,
                0,
            ),
            "MemoryFormat": (
                aten.contiguous_format,
                aten.channels_last,
                aten.channels_last_3d,
                aten.preserve_format,
            ),
            "Generator": (aten.Generator(), aten.default_generator),
        }
        return self.random.choice(choices.get(kind) or (None,))
