"""Runs programs so that their losses can be compared: with this library, or with PyTorch.

python [-m aten.torch] start.py JOBS

JOBS is a JSON file, a list of programs, each of which runs in a process of its own. Whatever `torch` then is,
its random numbers are NumPy's, which depend on what is drawn and on how often that was drawn before: two
libraries start from the same weights, shuffle alike, and drop the same elements. The programs themselves are
unmodified.
"""

from __future__ import annotations

import json
import math
import os
import random
import runpy
import sys
import time
import traceback
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import torch

_drawn: Counter[str] = Counter()


class Ended(BaseException):
    """The program has called backward() often enough."""


def generator(*what: object) -> np.random.Generator:
    """A generator that depends on what is drawn, and on how often that was drawn."""
    name = repr(what)
    _drawn[name] += 1
    return np.random.default_rng([zlib.crc32(name.encode()), _drawn[name]])


def _shape(size: tuple[Any, ...], named: Any = None) -> tuple[int, ...]:
    if named is not None:
        size = (named,)
    return tuple(size[0] if len(size) == 1 and not isinstance(size[0], int) else size)


def _filled(tensor: Any, values: np.ndarray) -> Any:
    with torch.no_grad():
        return tensor.copy_(torch.from_numpy(np.array(values)))


def normal_(self: Any, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Any:
    return _filled(self, made("normal", self.shape) * std + mean)


def uniform_(self: Any, a: float = 0.0, b: float = 1.0, *, generator: Any = None, **bounds: float) -> Any:
    low, high = bounds.get("from", a), bounds.get("to", b)
    return _filled(self, made("uniform", self.shape) * (high - low) + low)


def bernoulli_(self: Any, p: Any = 0.5, *, generator: Any = None) -> Any:
    chance = p.detach().double().numpy() if isinstance(p, torch.Tensor) else p
    return _filled(self, (made("bernoulli", self.shape) < chance).astype(np.float64))


def exponential_(self: Any, lambd: float = 1.0, *, generator: Any = None) -> Any:
    return _filled(self, -np.log1p(-made("exponential", self.shape)) / lambd)


def random_(self: Any, *bounds: int, generator: Any = None) -> Any:
    low, high = (0, *(bounds or (2**24,)))[-2:]
    return _filled(self, np.floor(made("random", self.shape) * (high - low) + low))


def made(kind: str, shape: Any) -> np.ndarray:
    """Numbers of the standard normal distribution, or between 0 and 1."""
    source = generator(kind, tuple(shape))
    return source.standard_normal(tuple(shape)) if kind == "normal" else source.random(tuple(shape))


def creating(fill: Callable[..., Any]) -> Callable[..., Any]:
    """torch.rand and torch.randn."""

    def create(
        *size: Any, generator: Any = None, out: Any = None, requires_grad: bool = False, **of: Any
    ) -> Any:
        tensor = torch.empty(_shape(size, of.pop("size", None)), **of)
        return fill(tensor).requires_grad_(requires_grad)

    return create


def creating_like(fill: Callable[..., Any]) -> Callable[..., Any]:
    """torch.rand_like and torch.randn_like."""

    def create(input: Any, *, requires_grad: bool = False, **of: Any) -> Any:
        return fill(torch.empty_like(input.detach(), **of)).requires_grad_(requires_grad)

    return create


def randint(
    *bounds: Any, low: int = 0, high: Any = None, size: Any = None, generator: Any = None, **of: Any
) -> Any:
    values = [*bounds]
    if size is None:
        size = values.pop()
    if high is None:
        high = values.pop()
    low = values.pop() if values else low
    drawn = np.floor(made("randint", size) * (high - low) + low)
    return torch.from_numpy(drawn).to(**{"dtype": torch.int64, **of})


def randint_like(input: Any, low: int, high: int | None = None, **of: Any) -> Any:
    bounds = (0, low) if high is None else (low, high)
    return randint(*bounds, tuple(input.shape), **{"dtype": input.dtype, **of})


def randperm(n: int, *, generator: Any = None, **of: Any) -> Any:
    return torch.from_numpy(np.argsort(made("randperm", (n,)))).to(**{"dtype": torch.int64, **of})


def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, **of: Any) -> Any:
    if size is None:
        size = torch.broadcast_tensors(torch.as_tensor(mean), torch.as_tensor(std))[0].shape
    return torch.randn(*size, **of) * std + mean


def bernoulli(input: Any, *, generator: Any = None) -> Any:
    return bernoulli_(torch.empty_like(input.detach()), input)


def multinomial(input: Any, num_samples: int, replacement: bool = False, *, generator: Any = None) -> Any:
    """By the smallest exponential variables divided by the weights, or by sums of the weights."""
    weights = input.detach().double().numpy()
    rows = weights.reshape(-1, weights.shape[-1])
    if replacement:
        sums = np.cumsum(rows, axis=1) / rows.sum(axis=1, keepdims=True)
        uniform = made("multinomial", (len(rows), num_samples))
        places = (uniform[:, :, None] >= sums[:, None, :-1]).sum(axis=2)
    else:
        with np.errstate(divide="ignore"):
            times = -np.log1p(-made("multinomial", rows.shape)) / rows
        places = np.argsort(times, axis=1)[:, :num_samples]
    return torch.from_numpy(places.reshape(*weights.shape[:-1], num_samples)).to(torch.int64)


def trunc_normal_(
    tensor: Any, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Any:
    return _filled(tensor, np.clip(made("normal", tensor.shape) * std + mean, a, b))


def dropping(kept_dimensions: Callable[[int], int]) -> Callable[..., Any]:
    """A dropout of elements, or of whole channels."""

    def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
        if not training or p == 0.0:
            return input
        count = kept_dimensions(input.dim())
        shape = (*input.shape[:count], *(1 for _ in input.shape[count:]))
        kept = (made("dropout", shape) >= p) / (1.0 - p) if p < 1.0 else np.zeros(shape)
        factors = torch.from_numpy(kept).to(input.dtype)
        return input.mul_(factors) if inplace else input * factors

    return dropout


def shuffled(self: Any) -> Iterator[int]:
    count = len(self.data_source)
    if self.replacement:
        for _ in range(self.num_samples):
            yield int(generator("replacement", count).integers(count))
        return
    for start in range(0, self.num_samples, count):
        yield from randperm(count).tolist()[: self.num_samples - start]


def categorical(self: Any, sample_shape: Any = ()) -> Any:
    probs = self.probs.detach()
    drawn = multinomial(probs.reshape(-1, probs.shape[-1]), math.prod(sample_shape), True)
    return drawn.t().reshape(tuple(sample_shape) + tuple(probs.shape[:-1]))


def normal_sample(self: Any, sample_shape: Any = ()) -> Any:
    shape = self._extended_shape(torch.Size(sample_shape))
    return self.loc + self.scale * torch.randn(*shape, dtype=self.loc.dtype)


def share_random_numbers() -> None:
    """Replaces the functions of torch that draw numbers."""
    random.seed(0)
    np.random.seed(0)
    for fill in (normal_, uniform_, bernoulli_, exponential_, random_):
        setattr(torch.Tensor, fill.__name__, fill)
    torch.Tensor.bernoulli, torch.Tensor.multinomial = bernoulli, multinomial
    torch.rand, torch.randn = creating(uniform_), creating(normal_)
    torch.rand_like, torch.randn_like = creating_like(uniform_), creating_like(normal_)
    for function in (randint, randint_like, randperm, normal, bernoulli, multinomial):
        setattr(torch, function.__name__, function)
    torch.nn.init.trunc_normal_ = trunc_normal_
    functional = torch.nn.functional
    functional.dropout = torch.dropout = dropping(lambda dimensions: dimensions)
    functional.dropout1d = functional.dropout2d = functional.dropout3d = dropping(lambda _: 2)
    torch.utils.data.RandomSampler.__iter__ = shuffled
    torch.distributions.Categorical.sample = categorical
    torch.distributions.Normal.rsample = torch.distributions.Normal.sample = normal_sample


def record_losses(result: dict[str, Any], steps: int) -> None:
    """Lets backward() of tensors write down their sums, and the seconds since the first."""
    backward, started = torch.Tensor.backward, time.perf_counter()

    def recording(self: Any, *arguments: Any, **options: Any) -> None:
        backward(self, *arguments, **options)
        result["losses"].append(self.detach().sum().item())
        result["seconds"] = time.perf_counter() - started
        if len(result["losses"]) >= steps:
            raise Ended

    torch.Tensor.backward = recording


def run(job: dict[str, Any]) -> None:
    """Runs job["words"] in job["folder"], until it has called backward() job["steps"] times; writes the
    losses to job["result"]. Modules of job["without"] are objects that accept every call."""
    result: dict[str, Any] = {"losses": [], "seconds": 0.0, "error": ""}
    sys.modules.update((name, MagicMock()) for name in job["without"].split())
    torch.set_num_threads(1)
    share_random_numbers()
    record_losses(result, job["steps"])
    os.chdir(job["folder"])
    sys.argv[:] = job["words"]
    sys.path[:1] = [str(Path(job["words"][0]).resolve().parent), *job["paths"]]
    try:
        runpy.run_path(job["words"][0], run_name="__main__")
    except Ended:
        pass
    except SystemExit as error:
        result["error"] = f"SystemExit: {error}" if error.code else ""
    except Exception as error:
        traceback.print_exc()
        result["error"] = f"{type(error).__name__}: {error}"
    Path(job["result"]).write_text(json.dumps(result), encoding="utf-8")


def main(jobs: str) -> None:
    torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)  # imports much with PyTorch: only once
    for job in json.loads(Path(jobs).read_text(encoding="utf-8")):
        child = os.fork()
        if child == 0:
            with open(job["printed"], "wb") as file:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
            run(job)
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(sys.argv[1])
