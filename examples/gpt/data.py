"""The text, its tokens, and the windows of tokens from which the model learns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import aten
from aten.utils.data import Dataset, Sampler

ROOT = Path(__file__).parents[2]
PATTERNS = ("*.md", "docs/*.md", "docs/decisions/*.md")
GUIDES = [file for pattern in PATTERNS for file in sorted(ROOT.glob(pattern))]


def read(files: Iterable[Path] = GUIDES) -> bytes:
    return b"\n".join(file.read_bytes() for file in files)


def encode(text: bytes) -> aten.Tensor:
    """The tokens are the bytes of the text: all texts can be written in them, and no table is needed."""
    return aten.tensor(list(text))


def decode(tokens: aten.Tensor) -> str:
    return bytes(tokens.tolist()).decode(errors="replace")


class Windows(Dataset):
    """Windows of `length` tokens at each multiple of `stride`, each with the tokens that follow its own."""

    def __init__(self, tokens: aten.Tensor, length: int, stride: int = 1) -> None:
        if len(tokens) <= length:
            raise ValueError(f"{len(tokens)} tokens are too few for windows of {length} and one more")
        self.tokens, self.length, self.stride = tokens, length, stride

    def __len__(self) -> int:
        return (len(self.tokens) - self.length - 1) // self.stride + 1

    def __getitem__(self, index: int) -> tuple[aten.Tensor, aten.Tensor]:
        window = self.tokens[index * self.stride :][: self.length + 1]
        return window[:-1], window[1:]


class Batches(Sampler):
    """Random windows for each of the steps from `first` to `last`, exclusive. They depend on the seed and the
    number of the step alone, so that training can continue at any step."""

    def __init__(self, windows: Windows, size: int, first: int, last: int, seed: int) -> None:
        self.count, self.size, self.steps, self.seed = len(windows), size, range(first, last), seed

    def __iter__(self) -> Iterator[list[int]]:
        generator = aten.Generator()
        for step in self.steps:
            generator.manual_seed(1_000_003 * self.seed + step)
            yield aten.randint(self.count, (self.size,), generator=generator).tolist()

    def __len__(self) -> int:
        return len(self.steps)
