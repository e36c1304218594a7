"""Values for the placeholders of a step's text, chosen so that most steps are valid."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import torch

DTYPES = (
    *("float32",) * 6, *("float64",) * 3, "float16", "bfloat16", "int64", "int64", "int32", "int16", "int8",
    "uint8", "bool", "complex64", "complex128",
)  # fmt: skip
FORMATS = ("contiguous_format", "contiguous_format", "preserve_format", "channels_last")
NUMBERS = ("0", "1", "2", "-1", "3", "0.5", "-1.5", "2.0", "True", "7", "0.25")
WRONG = 0.03  # the range of dims, sizes and indices


class Fillers:
    """Makes texts for arguments of a call with the tensor `t`; `live` are the existing tensors."""

    def __init__(self, stream: random.Random, live: dict[str, torch.Tensor], t: torch.Tensor) -> None:
        self.stream, self.live, self.t = stream, live, t

    def pick(self, items: Any) -> Any:
        return self.stream.choice(list(items))

    def wrong(self) -> bool:
        return self.stream.random() < WRONG

    def other(self) -> str:
        """Returns a tensor or, sometimes, a scalar; mostly one that broadcasts with the target."""
        if self.stream.random() < 0.2:
            return self.number()
        return self.tensor()

    def tensor(self) -> str:
        fits = [n for n, u in self.live.items() if broadcasts(u.shape, self.t.shape)]
        return self.pick(fits if fits and not self.wrong() else self.live)

    def like(self) -> str:
        """Returns a tensor of the target's shape."""
        fits = [n for n, u in self.live.items() if u.shape == self.t.shape]
        return self.pick(fits if not self.wrong() else self.live)

    def any(self) -> str:
        return self.pick(self.live)

    def apart(self) -> str:
        """Returns a tensor that shares no memory with the target."""
        mine = self.t.untyped_storage().data_ptr()
        return self.pick(
            [n for n, u in self.live.items() if u.untyped_storage().data_ptr() != mine] or ["lib.zeros(1)"]
        )

    def number(self) -> str:
        return self.pick(NUMBERS)

    def dtype(self) -> str:
        return f"lib.{self.pick(DTYPES)}"

    def format(self) -> str:
        return f"lib.{self.pick(FORMATS)}"

    def flag(self) -> str:
        return self.pick(("True", "False"))

    # ---- dims and sizes

    def dim(self) -> str:
        rank = max(self.t.dim(), 1)
        return str(self.stream.randrange(-rank, rank) if not self.wrong() else self.pick((-7, 5)))

    def dims(self) -> str:
        found = self.stream.sample(range(self.t.dim()), self.stream.randint(0, self.t.dim()))
        return f"({''.join(f'{d}, ' for d in found)})"

    def order(self) -> str:
        return str(self.stream.sample(range(self.t.dim()), self.t.dim()))

    def new_dim(self) -> str:
        return str(self.stream.randint(-self.t.dim() - 1, self.t.dim() + int(self.wrong())))

    def same(self) -> str:
        """Returns sizes with as many elements."""
        left, sizes = self.t.numel(), []
        while left > 1 and len(sizes) < 3:
            sizes.append(self.pick([n for n in range(1, left + 1) if left % n == 0]))
            left //= sizes[-1]
        sizes += [left] if left != 1 or not sizes else []
        if sizes and 0 not in sizes and self.stream.random() < 0.2:
            sizes[self.stream.randrange(len(sizes))] = -1
        if self.t.numel() == 1 and self.stream.random() < 0.3:
            sizes = []
        return str([*sizes, 2] if self.wrong() else sizes)

    def sizes(self) -> str:
        """Returns some sizes."""
        return str([self.pick((1, 2, 2, 3, 3, 4, 0)) for _ in range(self.stream.randint(0, 3))])

    def larger(self) -> str:
        """Returns sizes to which the target expands."""
        sizes = [self.pick((1, 2, 3)) if n == 1 else self.pick((n, -1)) for n in self.t.shape]
        front = [self.pick((1, 2))] if self.stream.random() < 0.3 else []
        return str([*front, *sizes] if not self.wrong() else [*sizes, 5])

    def narrow(self) -> str:
        """Returns a dim, a start and a length."""
        if self.t.dim() == 0:
            return "0, 0, 1"
        d = self.stream.randrange(self.t.dim())
        start = self.stream.randint(0, self.t.shape[d])
        length = self.stream.randint(0, self.t.shape[d] - start) + int(self.wrong())
        return f"{d}, {start}, {length}"

    def select(self) -> str:
        """Returns a dim and an index."""
        if self.t.dim() == 0:
            return "0, 0"
        d = self.stream.randrange(self.t.dim())
        n = self.t.shape[d]
        return f"{d}, {self.stream.randrange(-n, n) if n and not self.wrong() else n}"

    def strided(self) -> str:
        """Returns sizes, strides and an offset; sometimes they reach beyond the storage."""
        elements = self.t.untyped_storage().nbytes() // self.t.element_size() + int(self.wrong())
        offset = self.stream.randrange(elements) if elements and self.stream.random() < 0.5 else 0
        left, sizes, strides = elements - offset - 1, [], []
        for _ in range(self.stream.randint(0, 2)):
            stride = self.pick((0, 1, 1, 2, 3))
            most = left // stride + 1 if stride else 3
            sizes.append(self.stream.randint(0 if self.wrong() else 1, max(1, min(most, 4))))
            strides.append(stride)
            left -= (sizes[-1] - 1) * stride
        return f"{tuple(sizes)}, {tuple(strides)}, {offset}"

    # ---- indices

    def index(self) -> str:
        """Returns the text of an index in brackets."""
        parts: list[str] = []
        for n in self.t.shape[: self.stream.randint(0, self.t.dim())]:
            parts.append(self.index_of(n))
            if self.stream.random() < 0.1:
                parts.append("None")
        if not parts or self.stream.random() < 0.1:
            parts.append("...")
        return ", ".join(parts)

    def index_of(self, n: int) -> str:
        way = self.stream.random()
        if way < 0.3 and n:
            return str(self.stream.randrange(-n, n) if not self.wrong() else n)
        if way < 0.75:
            start, step = self.stream.randint(0, n), self.pick((1, 1, 1, 2))
            return self.pick((":", f"{start}:", f":{start}:{step}", f"::{step}", f"-{start}:"))
        if way < 0.95:
            return f"lib.tensor({self.numbers_below(n)})"
        return f"lib.tensor({[self.stream.random() < 0.5 for _ in range(n)]}, dtype=lib.bool)"

    def numbers_below(self, n: int) -> list[int]:
        return [self.stream.randrange(n) for _ in range(self.stream.randint(1, 3))] if n else []

    def indices(self) -> str:
        """Returns a dim and positions along it."""
        d = self.stream.randrange(self.t.dim()) if self.t.dim() else 0
        n = self.t.shape[d] if self.t.dim() else 1
        return f"{d}, lib.tensor({self.numbers_below(n)}, dtype=lib.int64)"

    def places(self) -> str:
        """Returns a dim and a tensor of the target's rank that holds positions along it."""
        if not self.t.dim():
            return "0, lib.tensor(0)"
        d = self.stream.randrange(self.t.dim())
        sizes = [self.stream.randint(1, n) if n else 0 for n in self.t.shape]
        return f"{d}, lib.full({sizes}, {max(self.stream.randrange(self.t.shape[d] or 1), 0)})"

    def mask(self) -> str:
        masks = [
            n for n, u in self.live.items() if u.dtype == torch.bool and broadcasts(u.shape, self.t.shape)
        ]
        if masks and self.stream.random() < 0.5:
            return self.pick(masks)
        return f"({self.like()}.detach() {self.pick(('>', '==', '<='))} 1)"


def broadcasts(a: torch.Size, b: torch.Size) -> bool:
    try:
        return len(torch.broadcast_shapes(a, b)) <= 4
    except RuntimeError:
        return False


FILLERS: dict[str, Callable[[Fillers], str]] = {
    name: function
    for name, function in vars(Fillers).items()
    if callable(function) and name not in ("__init__", "pick", "wrong", "index_of", "numbers_below")
}
