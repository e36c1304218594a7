"""Writes random programs: each step is chosen after PyTorch ran those before it."""

from __future__ import annotations

import random
import re

import torch

from .fillers import FILLERS, Fillers
from .machine import Machine, Program
from .templates import INFERENCE, KINDS, SCOPED, SCOPES

STEPS = 20
FIRST = 2  # tensors are made before other steps
MOST_LIVE = 9  # number of tensors at the same time
MOST_ELEMENTS = 100  # largest number of elements of a tensor
PLACE = re.compile(r"\{(\w+)\}")
TARGETS = {
    "t": lambda t: True,
    "f": lambda t: t.is_floating_point(),
    "c": lambda t: t.is_complex(),
    "r": lambda t: t.requires_grad,
    "l": lambda t: t.requires_grad and t._base is None and t.grad_fn is None,
    "n": lambda t: t.requires_grad and (t._base is not None or t.grad_fn is not None),
    "o": lambda t: t.is_floating_point() and t._base is None,
    "m": lambda t: t.dim() == 2,
}
TEXTS = [(weight, [begin + text for text in texts.split("\n") if text]) for weight, begin, texts in KINDS]


class Writer:
    """Writes a program. The steps depend only on the seed and on PyTorch's results."""

    def __init__(self, seed: int) -> None:
        self.stream = random.Random(seed)
        self.quiet = self.stream.random() < 0.4
        self.made = 0
        self.steps: list[str] = []

    def program(self) -> Program:
        return Program(tuple(self.steps), self.quiet)

    def next(self, machine: Machine) -> str | None:
        """Returns the step after those that `machine` ran; None after the last."""
        if len(self.steps) == STEPS:
            return None
        live = {n: v for n, v in machine.names.items() if isinstance(v, torch.Tensor)}
        too_large = [n for n, t in live.items() if t.numel() > MOST_ELEMENTS or t.dim() > 5]
        if too_large or len(live) > MOST_LIVE:
            step = f"del {self.stream.choice(too_large or list(live))}"
        else:
            step = self.write(live, machine)
        self.steps.append(step)
        return step

    def write(self, live: dict[str, torch.Tensor], machine: Machine) -> str:
        weights = [weight for weight, _ in TEXTS] if len(live) >= FIRST else [1] + [0] * (len(TEXTS) - 1)
        handles = [n for n, v in machine.names.items() if hasattr(v, "remove") and n != "log"]
        while True:
            texts = self.stream.choices(TEXTS, weights)[0][1]
            step = self.fill(self.stream.choice(texts), live, handles)
            if step is not None:
                break
        # `del` unbinds a name; a scope around it has no effect.
        if self.stream.random() < SCOPED and not step.startswith("del "):
            scope = self.stream.choice(SCOPES)
            step = step if INFERENCE in scope and "requires_grad" in step else scope + step
        return step

    def fill(self, text: str, live: dict[str, torch.Tensor], handles: list[str]) -> str | None:
        """Returns the text with its placeholders replaced; None where there is no such tensor."""
        chosen: dict[str, str] = {}
        for place in PLACE.findall(text):
            fits = handles if place == "h" else [n for n, t in live.items() if self.fits(place, t)]
            if place in TARGETS or place == "h":
                if not fits:
                    return None
                # The latest tensors are the most interesting.
                chosen.setdefault(place, self.stream.choice(fits + fits[-3:]))
        target = next((live[n] for n in chosen.values() if n in live), torch.zeros(2, 3))
        fillers = Fillers(self.stream, live or {"lib.zeros(2, 3)": target}, target)
        chosen["new"] = f"t{self.made}"
        self.made += "{new}" in text
        return PLACE.sub(lambda m: chosen.get(m[1]) or FILLERS[m[1]](fillers), text)

    def fits(self, place: str, t: torch.Tensor) -> bool:
        return place in TARGETS and TARGETS[place](t)
