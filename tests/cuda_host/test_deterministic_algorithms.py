"""use_deterministic_algorithms(True): results have the same bits in each order of threads, or are refused."""

from __future__ import annotations

import host
import pytest

pytestmark = pytest.mark.skipif(not host.is_built(), reason="build/cuda_host is not built")

PRELUDE = """
import aten
import numpy as np

random = np.random.default_rng(0)


def on_device(array):
    return aten.from_numpy(array).to("cuda")


def floats(*sizes):
    return on_device(random.standard_normal(sizes).astype(np.float32))


"""
SUMS = """
index = random.integers(0, 3, (2, 300, 4))
values = floats(2, 300, 4)
for reduce in ("sum", "prod"):
    made = floats(2, 3, 4).scatter_reduce(1, on_device(index), values, reduce)
    print(made.cpu().numpy().tobytes().hex())
made = floats(3, 4).index_add(0, on_device(index[0, :, 0]), values[0])
print(made.cpu().numpy().tobytes().hex())
made = floats(2, 3, 4).scatter(1, on_device(index), values)
print(made.cpu().numpy().tobytes().hex())
"""


def printed(program: str, mode: bool, order: int) -> str:
    switch = f"aten.use_deterministic_algorithms({mode})\n"
    outcome = host.run(PRELUDE + switch + program, order=order)
    assert outcome.returncode == 0, outcome.stderr
    assert host.unreviewed(outcome.reports) == []
    return outcome.stdout


def test_scattered_sums_have_the_same_bits() -> None:
    assert len({printed(SUMS, mode=True, order=order) for order in (0, 1, 2)}) == 1
    assert len({printed(SUMS, mode=False, order=order) for order in (0, 1, 2)}) > 1


def test_the_last_of_equal_indices_is_stored() -> None:
    program = """
index = on_device(np.zeros(300, np.int64))
values = np.arange(300, dtype=np.float32)
assert aten.zeros(1, device="cuda").scatter(0, index, on_device(values)).item() == 299
"""
    for order in (0, 1, 2):
        printed(program, mode=True, order=order)


REFUSED = {
    "padding": "aten.nn.functional.pad(x, (1, 1, 1, 1), mode='reflect').sum().backward()",
    "grid_sampler": """
grid = on_device(np.zeros((2, 3, 3, 2), np.float32))
aten.nn.functional.grid_sample(x, grid, align_corners=False).sum().backward()""",
    "embedding_bag": """
index = on_device(np.array([0, 1, 2]))
offsets = on_device(np.array([0]))
aten.nn.functional.embedding_bag(index, x.reshape(30, 8), offsets, mode="max").sum().backward()""",
    "fractional pooling": """
aten.nn.functional.fractional_max_pool2d(x, 2, output_size=(2, 4)).sum().backward()""",
    "max_unpool": """
index = on_device(np.zeros((2, 3, 5, 8), np.int64))
aten.nn.functional.max_unpool2d(x, index, 2)""",
}
REFUSAL = """
import warnings

x = floats(2, 3, 5, 8).requires_grad_(True)


def call():
    {call}


aten.use_deterministic_algorithms(True)
try:
    call()
except RuntimeError as error:
    assert "does not have a deterministic implementation" in str(error), error
    assert {name!r} in str(error), error
else:
    raise AssertionError("not refused")
aten.use_deterministic_algorithms(True, warn_only=True)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    call()
assert "does not have a deterministic implementation" in str(caught[0].message)
aten.use_deterministic_algorithms(False)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    call()
"""


@pytest.mark.parametrize("name", REFUSED)
def test_what_depends_on_the_order_is_refused(name: str) -> None:
    call = REFUSED[name].strip().replace("\n", "\n    ")
    outcome = host.run(PRELUDE + REFUSAL.format(name=name, call=call))
    assert outcome.returncode == 0, outcome.stderr
