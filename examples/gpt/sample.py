"""Continues a text with a trained GPT: python examples/gpt/sample.py --prompt "The library" """

from __future__ import annotations

import argparse
from pathlib import Path

import aten
import data
from model import GPT, Config


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=Path("gpt.pt"), help="that train.py has written")
    parser.add_argument("--prompt", default="\n# ")
    parser.add_argument("--count", type=int, default=400, help="of bytes to write; default: %(default)s")
    parser.add_argument("--temperature", type=float, default=0.8, help="default: %(default)s")
    parser.add_argument("--top-k", type=int, default=20, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    state = aten.load(given.file)
    model = GPT(Config(**state["config"]))
    model.load_state_dict(state["model"])
    aten.manual_seed(given.seed)
    prompt = data.encode(given.prompt.encode()).unsqueeze(0)
    print(data.decode(model.generate(prompt, given.count, given.temperature, given.top_k)[0]))


if __name__ == "__main__":
    main()
