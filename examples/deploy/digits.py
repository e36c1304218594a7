"""The images that come with scikit-learn: those to train with, and those to test with."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_digits


def split(part: str) -> tuple[np.ndarray, np.ndarray]:
    """Images (count, 1, 8, 8) in 0 to 1 with their digits."""
    images, labels = load_digits(return_X_y=True)
    chosen = slice(0, 1400) if part == "train" else slice(1400, None)
    return (images[chosen].reshape(-1, 1, 8, 8) / 16).astype(np.float32), labels[chosen].astype(np.int64)
