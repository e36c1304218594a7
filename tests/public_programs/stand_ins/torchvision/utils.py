"""Images in files."""

from __future__ import annotations

from typing import Any

import numpy as np


def save_image(tensor: Any, fp: str, **options: Any) -> None:
    """Writes the elements as NumPy's file, whatever the name."""
    with open(fp, "wb") as file:
        np.save(file, tensor.detach().numpy())
