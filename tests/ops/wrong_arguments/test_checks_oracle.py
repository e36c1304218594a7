"""PyTorch also rejects the calls that schemas/checks.yaml rejects."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from typing import Any

import borders
import damaged
import numpy as np
import pytest
from opgen.model.checks import Check
from tensors import Operand
from test_checks import CHECKED, NAMES, bases, outcome, types
from valid_calls import valid_calls

torch = pytest.importorskip("torch", reason="needs PyTorch")
pytestmark = pytest.mark.slow

READS_ANYTHING = "PyTorch reads and writes what isn't there"
NOT_ASKED = "PyTorch doesn't look, and computes something"
# Operator without its overload, and condition: why PyTorch accepts what we reject.
TAKEN = {
    ("_convolution_double_backward", "groups > 0"): NOT_ASKED,
    ("adaptive_avg_pool2d", "dim(self) in 3, 4"): "PyTorch takes a mean where output_size is 1",
    ("adaptive_avg_pool3d", "dim(self) in 4, 5"): "PyTorch takes a mean where output_size is 1",
    ("convolution_backward", "dilation > 0"): NOT_ASKED,
    ("embedding_renorm", "values(indices) in size(self, 0)"): READS_ANYTHING,
    ("embedding_renorm_", "values(indices) in size(self, 0)"): READS_ANYTHING,
    ("fractional_max_pool2d", "kernel_size > 0"): READS_ANYTHING,
    ("fractional_max_pool2d", "output_size > 0"): NOT_ASKED,
    ("fractional_max_pool3d", "kernel_size > 0"): READS_ANYTHING,
    ("fractional_max_pool3d", "output_size > 0"): NOT_ASKED,
    ("max_pool3d_with_indices_backward", "padding >= 0"): NOT_ASKED,
}
# Operators on which PyTorch crashes: for dims out of range, and for windows.
DIES = {"_fft_c2r", "_fft_r2c", "_fft_c2c"}
DIES |= {"fractional_max_pool2d_backward", "fractional_max_pool3d_backward"}
# RuntimeError here, as in scatter_add, whose kernel computes them; IndexError in PyTorch.
OTHER_CLASS = {"index_add", "index_add_", "index_reduce", "index_reduce_"}


def overload(name: str) -> Any:
    packet, _, variant = name.partition(".")
    return getattr(getattr(torch.ops.aten, packet), variant or "default")


def to_torch(value: Any) -> Any:
    if isinstance(value, Operand):
        return torch.from_numpy(np.array(value.values)).to(getattr(torch, value.dtype))
    return [to_torch(v) for v in value] if isinstance(value, (list, tuple)) else value


def broken(name: str) -> Iterator[tuple[damaged.Base, Check, Any]]:
    for base in bases(name):
        for check in CHECKED[name]:
            yield from ((base, check, v) for v in borders.violations(check, base.given, types(base)))


def error_of_torch(name: str, base: damaged.Base, check: Check, value: Any) -> Exception | None:
    op = overload(name)
    given = {k: to_torch(v) for k, v in {**base.given, check.argument: value}.items()}
    args = [given.pop(a.name) for a in op._schema.arguments if not a.kwarg_only and a.name in given]
    try:
        op(*args, **given)
    except Exception as error:
        return error
    return None


def wrong(name: str) -> Iterator[str]:
    """Yields violations that PyTorch accepts, or that raise IndexError in PyTorch but not here."""
    for base, check, value in broken(name):
        error = error_of_torch(name, base, check, value)
        if error is None and (name.partition(".")[0], str(check)) not in TAKEN:
            yield f"PyTorch takes {check.argument}={value}, against {check}"
        if isinstance(error, IndexError) and check.range and name.partition(".")[0] not in OTHER_CLASS:
            ours = outcome(base, check, value)
            if not isinstance(ours, IndexError):
                yield f"{check}: {ours!r} is an IndexError in PyTorch"


@pytest.mark.parametrize("name", NAMES)
def test_pytorch_refuses_it_too(name: str) -> None:
    """Runs in a child, as PyTorch may crash."""
    if name.partition(".")[0] in DIES:
        pytest.skip("PyTorch dies of it")
    valid_calls()  # once, before children are forked
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            torch.set_num_threads(1)
            warnings.simplefilter("ignore")
            os.write(write, "\n".join(wrong(name)).encode()[:60000])
        except BaseException as error:
            os.write(write, f"the harness failed: {error!r}".encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, errors="replace") as pipe:
        found = pipe.read()
    _, status = os.waitpid(child, 0)
    assert status == 0, f"PyTorch crashed: {status}"
    assert not found, found
