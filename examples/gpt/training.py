"""A run of training that can be saved after any step and continued."""

from __future__ import annotations

import dataclasses
import zlib
from pathlib import Path

import aten
from aten import nn
from aten.nn import functional as F
from aten.optim import AdamW, lr_scheduler
from aten.utils.data import DataLoader
from data import Batches, Windows, encode
from model import GPT, Config
from progress import Progress


@dataclasses.dataclass(frozen=True)
class Options:
    steps: int = 1000
    batch: int = 16
    rate: float = 2e-3  # the highest learning rate
    decay: float = 0.1  # of weights
    clip: float = 1.0  # the greatest norm of the gradients
    every: int = 50  # steps after which a run is validated and saved
    seed: int = 0


class Run:
    """A model, its optimizer and its data; `losses` has the loss of each step that was done."""

    def __init__(self, config: Config, options: Options, text: bytes) -> None:
        aten.manual_seed(options.seed)
        self.config, self.options, self.text = config, options, text
        tokens = encode(text)
        cut = len(tokens) * 9 // 10
        self.windows = Windows(tokens[:cut], config.context)
        self.validation = Windows(tokens[cut:], config.context, stride=config.context)
        self.model = GPT(config)
        self.optimizer = AdamW(groups(self.model, options.decay), lr=options.rate, betas=(0.9, 0.95))
        self.schedule = warm_up_and_cosine(self.optimizer, options)
        self.losses: list[float] = []
        self.validated: list[tuple[int, float]] = []

    @property
    def step(self) -> int:
        return len(self.losses)

    def train(self, last: int, file: Path) -> None:
        """Trains up to step `last`; on the way it validates the model and saves the run."""
        options = self.options
        batches = Batches(self.windows, options.batch, self.step, last, options.seed)
        # With a generator of its own the loader draws no seed from the one that dropout uses.
        progress = Progress(self.step, last)
        for inputs, targets in DataLoader(self.windows, batch_sampler=batches, generator=aten.Generator()):
            self.update(inputs, targets)
            progress.show(self.step, self.losses[-1])
            if self.step % options.every == 0 or self.step == last:
                progress.clear()
                self.report()
                self.save(file)

    def loss(self, inputs: aten.Tensor, targets: aten.Tensor) -> aten.Tensor:
        return F.cross_entropy(self.model(inputs).flatten(0, 1), targets.flatten())

    def update(self, inputs: aten.Tensor, targets: aten.Tensor) -> None:
        """One step of the optimizer and of the schedule."""
        self.model.train()
        loss = self.loss(inputs, targets)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.options.clip)
        self.optimizer.step()
        self.schedule.step()
        self.losses.append(loss.item())

    def report(self) -> None:
        recent = self.losses[-self.options.every :]
        loss, validation = sum(recent) / len(recent), self.validate()
        self.validated.append((self.step, validation))
        print(f"step {self.step:5}  loss {loss:.3f}  validation {validation:.3f}", flush=True)

    @aten.no_grad()
    def validate(self) -> float:
        """The mean loss over the last tenth of the text, from which the model doesn't learn."""
        self.model.eval()
        loader = DataLoader(self.validation, self.options.batch, generator=aten.Generator())
        total = sum(self.loss(*batch).item() * len(batch[0]) for batch in loader)
        return total / len(self.validation)

    def save(self, file: Path) -> None:
        """Writes all that the next step depends on. The position in the data is the number of losses."""
        state = {
            "config": dataclasses.asdict(self.config),
            "options": dataclasses.asdict(self.options),
            "text": zlib.crc32(self.text),
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "schedule": self.schedule.state_dict(),
            "random": aten.get_rng_state(),
            "losses": self.losses,
            "validated": self.validated,
        }
        new = file.with_suffix(".new")
        aten.save(state, new)
        new.replace(file)  # a run that is killed before leaves the old file

    @classmethod
    def load(cls, file: Path, text: bytes) -> Run:
        """Continues a run: the further steps are bit for bit those of a run that wasn't interrupted."""
        state = aten.load(file)
        if state["text"] != zlib.crc32(text):
            raise ValueError(f"{file}: the run was trained on another text, or the text has changed")
        run = cls(Config(**state["config"]), Options(**state["options"]), text)
        for part in ("model", "optimizer", "schedule"):
            getattr(run, part).load_state_dict(state[part])
        run.losses, run.validated = state["losses"], state["validated"]
        aten.set_rng_state(state["random"])
        return run


def groups(model: nn.Module, decay: float) -> list[dict[str, object]]:
    """Weight decay is for matrices; biases and the factors of normalizations stay free."""
    parameters = list(model.parameters())  # a tied one is listed once
    return [
        {"params": [p for p in parameters if p.dim() >= 2], "weight_decay": decay},
        {"params": [p for p in parameters if p.dim() < 2], "weight_decay": 0.0},
    ]


def warm_up_and_cosine(optimizer: AdamW, options: Options) -> lr_scheduler.LRScheduler:
    """The rate rises linearly over a twentieth of the steps, then falls to a tenth along a cosine."""
    warm_up = max(1, options.steps // 20)
    rise = lr_scheduler.LinearLR(optimizer, 1 / (warm_up + 1), total_iters=warm_up)
    left = max(1, options.steps - warm_up)
    fall = lr_scheduler.CosineAnnealingLR(optimizer, left, eta_min=options.rate / 10)
    return lr_scheduler.SequentialLR(optimizer, [rise, fall], milestones=[warm_up])
