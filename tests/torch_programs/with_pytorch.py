"""Runs programs with the installed PyTorch in one process, as it takes long to import.

python with_pytorch.py FOLDER program.py ...    puts what each prints into FOLDER/program/pytorch.txt
"""

from __future__ import annotations

import contextlib
import runpy
import sys
from pathlib import Path

import torch


def main(folder: Path, programs: list[Path]) -> None:
    torch.set_num_threads(1)
    for program in programs:
        place = folder / program.stem
        sys.argv = [str(program), str(place)]
        sys.path[0] = str(program.parent)
        with open(place / "pytorch.txt", "w", encoding="utf-8") as file, contextlib.redirect_stdout(file):
            runpy.run_path(str(program), run_name="__main__")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
