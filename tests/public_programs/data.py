"""Small data in the files that public programs read. Each function takes the program's folder."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np

_WORDS = "the a cat dog bird king queen ship sea sees has is of and to red green old big far".split()


def _sentences(count: int) -> str:
    drawn = np.random.default_rng(0)
    lines = (" ".join(drawn.choice(_WORDS, drawn.integers(4, 12))) for _ in range(count))
    return "\n".join(lines) + "\n"


def digits(place: str) -> None:
    """MNIST's files of ten noisy patterns, below the folder."""
    raw = Path(place) / "MNIST" / "raw"
    raw.mkdir(parents=True, exist_ok=True)
    drawn = np.random.default_rng(0)
    patterns = np.kron(drawn.random((10, 7, 7)) > 0.6, np.ones((4, 4))) * 200
    for stem, count in (("train", 3200), ("t10k", 200)):
        labels = drawn.integers(0, 10, count).astype(np.uint8)
        images = patterns[labels] + drawn.integers(0, 56, (count, 28, 28))
        sizes = np.array([2051, count, 28, 28], ">i4").tobytes()
        (raw / f"{stem}-images-idx3-ubyte").write_bytes(sizes + images.astype(np.uint8).tobytes())
        sizes = np.array([2049, count], ">i4").tobytes()
        (raw / f"{stem}-labels-idx1-ubyte").write_bytes(sizes + labels.tobytes())


def characters(place: str) -> None:
    """nanoGPT's files of a text's characters."""
    text = _sentences(400)
    known = sorted(set(text))
    numbers = np.array([known.index(c) for c in text], np.uint16)
    folder = Path(place)
    folder.mkdir(parents=True, exist_ok=True)
    numbers[:-2000].tofile(folder / "train.bin")
    numbers[-2000:].tofile(folder / "val.bin")
    meta = {
        "vocab_size": len(known),
        "itos": dict(enumerate(known)),
        "stoi": {c: i for i, c in enumerate(known)},
    }
    (folder / "meta.pkl").write_bytes(pickle.dumps(meta))


def words(place: str) -> None:
    """A text in train.txt, valid.txt and test.txt."""
    folder = Path(place)
    folder.mkdir(parents=True, exist_ok=True)
    for name, count in (("train", 1200), ("valid", 60), ("test", 60)):
        (folder / f"{name}.txt").write_text(_sentences(count), encoding="utf-8")


def text(place: str) -> None:
    """A text in one file, with the characters that minGPT's prompts have."""
    Path(place).parent.mkdir(parents=True, exist_ok=True)
    Path(place).write_text(_sentences(400) + "O God, O God!", encoding="utf-8")


def tokens(place: str) -> None:
    """A shard of llama2.c's tokens."""
    Path(place).mkdir(parents=True, exist_ok=True)
    for name in ("data00", "data01"):
        np.random.default_rng(0).integers(3, 60, 8000).astype(np.uint16).tofile(Path(place) / f"{name}.bin")
