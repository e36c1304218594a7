"""repr() of tensors, compared with PyTorch's text."""

from __future__ import annotations

import random
import re
from typing import Any

import aten
import numpy as np
import pytest

torch = pytest.importorskip("torch")

DTYPES = (
    *("float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"),
    *("complex64", "complex128", "complex32", "uint16", "uint32", "uint64"),
)
SHAPES = (
    (),
    (0,),
    (1,),
    (5,),
    (2, 3),
    (0, 3),
    (3, 0),
    (1, 1, 1),
    (2, 2, 2),
    (30,),
    (2, 40),
    (7, 200),
    (1001,),
    (50, 3, 9),
)
OPTIONS: tuple[dict[str, Any], ...] = (
    {}, {"precision": 2}, {"precision": 8}, {"threshold": 5}, {"threshold": 5, "edgeitems": 1},
    {"linewidth": 40},
    {"linewidth": 200}, {"sci_mode": True}, {"sci_mode": False}, {"profile": "short"}, {"profile": "full"},
    {"profile": "short", "precision": 5}, {"precision": 0}, {"threshold": 0, "edgeitems": 2, "precision": 1},
    {"linewidth": 5},
)  # fmt: skip


@pytest.fixture(autouse=True)
def _restored_options() -> Any:
    yield
    for library in (aten, torch):
        library.set_printoptions(profile="default")


def plain(text: str) -> str:
    """A text with PyTorch's name of the package, which is longer: a dtype may fit on a line of ours only."""
    return re.sub(r",\s+dtype=", ", dtype=", text.replace("aten.", "torch."))


def values(rng: np.random.Generator, shape: tuple[int, ...], scale: str) -> Any:
    """Numbers of a kind that a printing format depends on."""
    drawn = rng.standard_normal(shape)
    if scale == "whole":
        return np.round(drawn * 50)
    if scale == "large":
        return drawn * 1e9
    if scale == "small":
        return drawn * 1e-6
    if scale == "mixed":
        return drawn * 10.0 ** rng.integers(-8, 8, shape)
    if scale == "special":
        return np.where(
            rng.random(shape) < 0.4, rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0], shape), drawn
        )
    return drawn


def pair(dtype: str, data: Any) -> tuple[Any, Any]:
    """A tensor of either library with the data, as far as the dtype can hold it."""
    if "complex" not in dtype and "float" not in dtype:
        data = np.nan_to_num(np.real(data), posinf=100, neginf=-100)
        data = np.clip(
            np.abs(data) if dtype[0] in "ub" else data,
            -100 if "8" in dtype else -30000,
            100 if "8" in dtype else 30000,
        )
        data = data.astype("int64") if dtype != "bool" else data > 0.5
    made = []
    for library in (aten, torch):
        made.append(library.tensor(data.tolist(), dtype=getattr(library, dtype)).reshape(data.shape))
    return made[0], made[1]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scale", ["plain", "whole", "large", "small", "mixed", "special"])
def test_text(dtype: str, scale: str) -> None:
    rng = np.random.default_rng(random.Random(dtype + scale).randrange(2**32))
    for shape in SHAPES:
        data = np.asarray(values(rng, shape, scale))
        if "complex" in dtype:
            data = data + 1j * np.asarray(values(rng, shape, scale))
        ours, theirs = pair(dtype, data)
        assert plain(repr(ours)) == plain(repr(theirs))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    for library in (aten, torch):
        library.set_printoptions(**options)
    for dtype in ("float32", "float16", "int64", "bool", "complex64"):
        for scale in ("plain", "whole", "mixed", "special"):
            for shape in ((), (3,), (12,), (3, 7), (4, 5, 6)):
                ours, theirs = pair(dtype, np.asarray(values(rng, shape, scale)))
                assert plain(repr(ours)) == plain(repr(theirs))


def test_options_of_sci_mode_stay() -> None:
    for library in (aten, torch):
        library.set_printoptions(sci_mode=True)
        library.set_printoptions(precision=3)
    assert repr(aten.ones(2)) == repr(torch.ones(2))
    with pytest.raises(Exception) as ours:
        aten.set_printoptions(profile="nope")
    assert isinstance(ours.value, ValueError)


PROPERTIES = (
    "T.ones(2, requires_grad=True)", "T.ones(2, requires_grad=True) * 2",
    "T.ones(3, 3, requires_grad=True).sum()",
    "T.ones(2, requires_grad=True).view(2, 1)", "T.ones(2, device='meta')", "T.empty(2, 0, device='meta')",
    "T.ones(2, 3, dtype=T.int32, device='meta')", "T.zeros(0)", "T.zeros(0, 2)",
    "T.zeros(0, dtype=T.int64)", "T.zeros(2, 0, dtype=T.bool)",
    "T.nn.Parameter(T.ones(2))", "T.nn.Parameter(T.ones(2), requires_grad=False)",
    "T.tensor(1.5, requires_grad=True)",
    "T.tensor(2)", "T.tensor(True)", "T.tensor(1 + 2j)", "T.tensor(float('nan'))",
    "T.tensor([-0.0, 1e-30])",
    "T.ones(40, requires_grad=True, dtype=T.float64) + 1", "T.ones(3).expand(2, 3)",
    "T.arange(6).reshape(2, 3).t()",
    "T.tensor([1e-45, 1.0])", "T.tensor([2**63 - 1, -2**63])", "T.tensor([1.0, 1e8])",
    "T.tensor([99999999.0])",
    "T.tensor([0.1 + 0.2], dtype=T.float64)", "T.tensor([1e5, 1.5])", "T.tensor([1000.5, 1.0])",
    "T.tensor([12345.678])",
    "T.ones(2).conj()", "T.tensor([1 + 2j]).imag", "[T.ones(2), T.zeros(1)]", "T.Size([2])",
    "T.device('cpu')", "T.float32",
    "T.device('cuda', 1)", "T.strided", "T.channels_last", "T.iinfo(T.int8)", "T.finfo(T.float16)",
    "T.nn.Linear(2, 3)",
    "T.ones(2).max(0)", "T.ones(2).storage_offset()",
)  # fmt: skip


@pytest.mark.parametrize("expression", PROPERTIES)
def test_properties(expression: str) -> None:
    texts = [str(eval(expression, {"T": library})) for library in (aten, torch)]
    assert plain(texts[0]) == plain(texts[1])
