"""Transforms of images, NumPy arrays of height, width and perhaps channels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch


class Compose:
    """One transform after the other."""

    def __init__(self, transforms: Sequence[Callable[..., Any]]) -> None:
        self.transforms = transforms

    def __call__(self, image: Any) -> Any:
        for transform in self.transforms:
            image = transform(image)
        return image


class Lambda:
    """A function."""

    def __init__(self, lambd: Callable[..., Any]) -> None:
        self.function = lambd

    def __call__(self, image: Any) -> Any:
        return self.function(image)


class ToTensor:
    """Channels first, divided by 255."""

    def __call__(self, image: np.ndarray) -> Any:
        image = image[:, :, None] if image.ndim == 2 else image
        return torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1))).float() / 255


class Normalize:
    """Subtracts the mean and divides by the standard deviation of each channel."""

    def __init__(self, mean: Sequence[float], std: Sequence[float]) -> None:
        self.mean, self.std = (torch.tensor(values).reshape(-1, 1, 1) for values in (mean, std))

    def __call__(self, image: Any) -> Any:
        return (image - self.mean) / self.std


class Resize:
    """Squares of a side, of the nearest elements."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __call__(self, image: np.ndarray) -> np.ndarray:
        rows, columns = (np.arange(self.size) * side // self.size for side in image.shape[:2])
        return image[rows][:, columns]
