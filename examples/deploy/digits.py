"""The digits in scikit-learn, split into training and test images."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_digits


def split(part: str) -> tuple[np.ndarray, np.ndarray]:
    """Returns images [N, 1, 8, 8] in [0, 1], with their digits."""
    images, labels = load_digits(return_X_y=True)
    chosen = slice(0, 1400) if part == "train" else slice(1400, None)
    return (images[chosen].reshape(-1, 1, 8, 8) / 16).astype(np.float32), labels[chosen].astype(np.int64)
