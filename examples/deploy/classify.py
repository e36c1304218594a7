"""Classifies scikit-learn's digits with the network exported to digits.pt2. Needs no PyTorch."""

from __future__ import annotations

import argparse
from pathlib import Path

import aten
import aten.export
import numpy as np
from digits import split


def classified(program: aten.export.ExportedProgram, images: np.ndarray, batch: int = 100) -> np.ndarray:
    """Returns the digit of each image."""
    found = [program(images[i : i + batch]).argmax(1).numpy() for i in range(0, len(images), batch)]
    return np.concatenate(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=Path("digits.pt2"))
    program = aten.export.load(parser.parse_args().file)
    print(f"{len(program.graph.nodes)} nodes; operators: {', '.join(program.operators)}")
    images, labels = split("test")
    found = classified(program, images)
    print(f"digits read: {' '.join(map(str, found[:20]))} ...")
    print(f"right on {100 * np.mean(found == labels):.0f} % of {len(labels)} images")


if __name__ == "__main__":
    main()
