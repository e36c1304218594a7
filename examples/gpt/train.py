"""Trains a GPT on the guides of this repository: python examples/gpt/train.py --steps 300"""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

import curve
import data
from model import Config
from training import Options, Run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for field in (*dataclasses.fields(Options), *dataclasses.fields(Config)):
        kind = type(field.default)
        parser.add_argument(f"--{field.name}", type=kind, default=field.default, help="default: %(default)s")
    parser.add_argument("--text", type=Path, nargs="+", default=data.GUIDES, help="default: the guides")
    parser.add_argument("--file", type=Path, default=Path("gpt.pt"), help="default: %(default)s")
    parser.add_argument("--resume", action="store_true", help="continue the run in the file")
    parser.add_argument("--stop", type=int, help="stop after this step, to continue later")
    given = parser.parse_args()
    text = data.read(given.text)
    if given.resume:
        run = Run.load(given.file, text)
    else:
        config, options = (
            kind(**{field.name: getattr(given, field.name) for field in dataclasses.fields(kind)})
            for kind in (Config, Options)
        )
        run = Run(config, options, text)
    count = sum(p.numel() for p in run.model.parameters())
    print(f"{count:,} parameters, {len(text):,} bytes of text, from step {run.step}")
    run.train(min(given.stop or run.options.steps, run.options.steps), given.file)
    picture = given.file.with_suffix(".svg")
    picture.write_text(curve.svg(run.losses, run.validated, run.options.every))
    print(f"written: {given.file} and {picture}")


if __name__ == "__main__":
    main()
