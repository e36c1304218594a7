#!/usr/bin/env python3
"""Benchmarks operators on a GPU: GB/s of the memory that they must read and write, and TFLOP/s of matrix
products, beside PyTorch (if installed) and the GPU's limits. `make bench-gpu` runs it with the built library.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure import gpu
from measure.card import Card


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda", help="`cpu` tries the program out where there is no GPU")
    parser.add_argument("--elements", type=int, default=2**26, help="of the large operands")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    peers = {"ours": importlib.import_module("aten")}
    if importlib.util.find_spec("torch") is not None:
        peers["PyTorch"] = importlib.import_module("torch")
    for name, module in list(peers.items()):
        if given.device == "cuda" and not module.cuda.is_available():
            print(f"gpu: {name} ({module.__version__}) finds no CUDA device: left out")
            del peers[name]
    if "ours" not in peers:
        return 77
    card = Card.of_device_0() if given.device == "cuda" else None
    print(f"{card or given.device}; " + ", ".join(f"{n} {m.__version__}" for n, m in peers.items()))
    gpu.print_table(gpu.measure(peers, given.device, given.elements, given.rounds), card)
    return 0


if __name__ == "__main__":
    sys.exit(main())
