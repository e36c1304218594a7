"""The handwritten digits that come with scikit-learn: 1797 images of 8 x 8 pixels."""

from __future__ import annotations

from collections.abc import Iterator

import aten
import numpy as np
from sklearn.datasets import load_digits

BATCH = 64
TEST_SHARE = 0.2


class Digits:
    """Images as floats in [0, 1], in rows of pixels, with their labels; shuffled and split."""

    def __init__(self, seed: int = 0) -> None:
        images, labels = load_digits(return_X_y=True)
        order = np.random.default_rng(seed).permutation(len(labels))
        images = (images[order] / 16).astype(np.float32).reshape(-1, 8, 8)
        labels = labels[order].astype(np.int64)
        cut = int(len(labels) * TEST_SHARE)
        self.test = aten.from_numpy(images[:cut]), aten.from_numpy(labels[:cut])
        self._images, self._labels = images[cut:], labels[cut:]
        self._rng = np.random.default_rng(seed + 1)

    def batches(self, count: int) -> Iterator[tuple[aten.Tensor, aten.Tensor]]:
        for _ in range(count):
            chosen = self._rng.choice(len(self._labels), BATCH, replace=False)
            yield aten.from_numpy(self._images[chosen]), aten.from_numpy(self._labels[chosen])
