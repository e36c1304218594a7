"""linear_cross_entropy gives PyTorch's losses and gradients, whether the batch is divided or not."""

from __future__ import annotations

import warnings
from typing import Any

import aten
import pytest
from aten.utils._python_dispatch import TorchDispatchMode

torch = pytest.importorskip("torch")

from layer_oracle import assert_same, ours  # noqa: E402

N, C, FEATURES = 40, 24, 6
DIVISIONS: dict[str, dict[str, Any]] = {
    "rows": {"batch_chunk_size": 7},
    "one row": {"batch_chunk_size": 1},
    "more rows than there are": {"batch_chunk_size": 100},
    "by the aspect ratio": {"chunking_method": "aspect_ratio"},
    "by a fourth of it": {"chunking_method": "aspect_ratio:4"},
    "auto": {},
    "all at once": {"chunking_method": None},
}


def inputs(dtype: Any) -> tuple[list[Any], dict[str, Any]]:
    torch.manual_seed(0)
    shapes = ((N, FEATURES), (C, FEATURES), (C,))
    x, w, b = (torch.randn(shape, dtype=dtype, requires_grad=True) for shape in shapes)
    target = torch.randint(0, C, (N,))
    target[::5] = 3
    return [x, w, target], {"linear_bias": b, "weight": torch.rand(C, dtype=dtype), "ignore_index": 3}


def loss_and_gradients(library: Any, args: list[Any], kwargs: dict[str, Any], options: Any) -> list[Any]:
    loss = library.nn.functional.linear_cross_entropy(*args, **kwargs, options=options)
    leaves = [args[0], args[1], kwargs["linear_bias"]]
    grad = library.ones_like(loss) / 3
    return [loss, *library.autograd.grad(loss, leaves, grad)]


@pytest.mark.parametrize("dtype", ["float64", "bfloat16"])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("division", DIVISIONS)
def test_divided_as_pytorch_and_as_undivided(division: str, reduction: str, dtype: str) -> None:
    options = DIVISIONS[division]
    args, kwargs = inputs(getattr(torch, dtype))
    kwargs["reduction"] = reduction
    mine = loss_and_gradients(aten, ours(args), ours(kwargs), aten.nn.LinearCrossEntropyOptions(**options))
    theirs = loss_and_gradients(torch, args, kwargs, torch.nn.LinearCrossEntropyOptions(**options))
    tolerance = 1e-10 if dtype == "float64" else 3e-2
    assert_same(mine, theirs, division, tolerance)
    assert_same(mine, loss_and_gradients(torch, args, kwargs, None), division, tolerance)


def test_no_row_counts() -> None:
    x, w, t = aten.ones(4, 2), aten.ones(3, 2), aten.full((4,), -100)
    for size in (None, 3):
        options = aten.nn.LinearCrossEntropyOptions(batch_chunk_size=size)
        loss = aten.nn.functional.linear_cross_entropy(x, w, t, options=options)
        assert loss.isnan().item()


class Largest(TorchDispatchMode):
    """The largest result of the operators that are called."""

    elements = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = func(*args, **(kwargs or {}))
        if isinstance(made, aten.Tensor):
            self.elements = max(self.elements, made.numel())
        return made


def test_the_results_of_all_rows_are_never_there_at_once() -> None:
    args, kwargs = inputs(torch.float64)
    args, kwargs = ours(args), ours(kwargs)
    found = []
    for options in (None, aten.nn.LinearCrossEntropyOptions(batch_chunk_size=4)):
        with Largest() as largest:
            loss_and_gradients(aten, args, kwargs, options)
        found.append(largest.elements)
    assert found == [N * C, N * FEATURES]


@pytest.mark.parametrize(
    "options",
    [
        {"acc_policy": "fast"},
        {"chunking_method": "rows"},
        {"chunking_method": "aspect_ratio:0"},
        {"chunking_method": "aspect_ratio:"},
        {"batch_chunk_size": 0},
        {"batch_chunk_size": 2.0},
        {"acc_dtype": "int64"},
    ],
    ids=str,
)
def test_options_that_pytorch_refuses(options: dict[str, Any]) -> None:
    for library in (torch, aten):
        given = {k: getattr(library, v) if k == "acc_dtype" else v for k, v in options.items()}
        with pytest.raises(ValueError, match=next(iter(options))):
            library.nn.LinearCrossEntropyOptions(**given)


def test_two_sizes_that_differ() -> None:
    args, kwargs = inputs(torch.float64)
    for library, values in ((torch, (args, kwargs)), (aten, (ours(args), ours(kwargs)))):
        options = library.nn.LinearCrossEntropyOptions(batch_chunk_size=3, chunking_method="aspect_ratio")
        with pytest.raises(ValueError, match="different chunk sizes"):
            loss_and_gradients(library, *values, options)


@pytest.mark.parametrize("change", [{"label_smoothing": 0.1}, {"target": "probabilities"}], ids=str)
def test_a_warning_where_options_are_ignored(change: dict[str, Any]) -> None:
    args, kwargs = inputs(torch.float64)
    if "target" in change:
        del kwargs["ignore_index"]
        args[2] = torch.rand(N, C, dtype=torch.float64)
    else:
        kwargs |= change
    mine = (aten, ours(args), ours(kwargs), aten.nn.LinearCrossEntropyOptions())
    theirs = (torch, args, kwargs, torch.nn.LinearCrossEntropyOptions())
    results = []
    for call in (mine, theirs):
        with pytest.warns(UserWarning, match="options`` ignored"):
            results.append(loss_and_gradients(*call))
    assert_same(*results, str(change))


def test_no_warning_otherwise() -> None:
    args, kwargs = inputs(torch.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loss_and_gradients(aten, ours(args), ours(kwargs), aten.nn.LinearCrossEntropyOptions())
