"""Data sets of images, which are NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.utils.data import Dataset


class MNIST(Dataset):  # type: ignore[type-arg]
    """Reads MNIST's files from ROOT/MNIST/raw."""

    def __init__(
        self,
        root: str,
        train: bool = True,
        transform: Callable[..., Any] | None = None,
        target_transform: Callable[..., Any] | None = None,
        download: bool = False,
    ) -> None:
        folder, stem = Path(root) / "MNIST" / "raw", "train" if train else "t10k"
        images = np.fromfile(folder / f"{stem}-images-idx3-ubyte", np.uint8)[16:].reshape(-1, 28, 28)
        labels = np.fromfile(folder / f"{stem}-labels-idx1-ubyte", np.uint8)[8:]
        self.data, self.targets = torch.from_numpy(images), torch.from_numpy(labels.astype(np.int64))
        self.transform, self.target_transform = transform, target_transform

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        image, target = self.data[index].numpy(), int(self.targets[index])
        image = self.transform(image) if self.transform else image
        return image, self.target_transform(target) if self.target_transform else target


class FakeData(Dataset):  # type: ignore[type-arg]
    """Noise. image_size: channels, height and width."""

    def __init__(
        self, size: int = 1000, image_size: tuple[int, int, int] = (3, 224, 224), transform: Any = None
    ) -> None:
        self.size, self.image_size, self.transform = size, image_size, transform

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: int) -> tuple[Any, int]:
        channels, *sides = self.image_size
        drawn = np.random.default_rng(index).integers(0, 256, (*sides, channels), np.uint8)
        return self.transform(drawn), index % 10
