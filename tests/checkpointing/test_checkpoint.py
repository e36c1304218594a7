"""Checkpointing: gradients as without it, recomputations, random numbers, errors, and nested calls."""

from __future__ import annotations

import gc
import types
import weakref
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import aten
import aten.utils.checkpoint
import pytest
from aten.utils.checkpoint import (
    CheckpointError,
    checkpoint,
    checkpoint_sequential,
    set_checkpoint_early_stop,
)

BOTH = pytest.mark.parametrize("use_reentrant", [False, True], ids=["without reentrance", "reentrant"])


def weights(p: types.ModuleType) -> tuple[Any, Any]:
    values = p.arange(12, dtype=p.float64)
    return (values.reshape(3, 4).sin().requires_grad_(), values.reshape(4, 3).cos().requires_grad_())


def inputs(p: types.ModuleType) -> Any:
    return (p.arange(6, dtype=p.float64).reshape(2, 3) / 5).requires_grad_()


def block(x: Any, w: Any, v: Any) -> Any:
    return ((x @ w).sigmoid() @ v).tanh() * x.exp()


def plain(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return function(*args)


Run = Callable[..., Any]
# Programs of the package and of a function that calls a function, perhaps with checkpointing.
PROGRAMS: dict[str, Callable[[types.ModuleType, Run, Any], Any]] = {
    "arguments": lambda p, run, ts: run(block, *ts),
    "closure": lambda p, run, ts: run(lambda x: block(x, ts[1], ts[2]), ts[0]),
    "twice": lambda p, run, ts: run(block, run(block, *ts), ts[1], ts[2]),
    "part": lambda p, run, ts: run(block, *ts).sum() + block(ts[0], ts[1], ts[2]).square().sum(),
    "several results": lambda p, run, ts: sum(run(lambda x, w: (x @ w, (x @ w).exp()), ts[0], ts[1])).sum(),
    "other arguments": lambda p, run, ts: run(lambda x, n, w: (x @ w).pow(n), ts[0], 3, ts[1]),
    "in place": lambda p, run, ts: run(lambda x, w: (x @ w).add_(1).mul_(2).sin(), ts[0], ts[1]).mul_(2),
    "no gradient inside": lambda p, run, ts: run(lambda x, w: x.detach() @ w, ts[0], ts[1]),
    "a constant": lambda p, run, ts: run(lambda x, w: (x @ w, 5), ts[0], ts[1])[0],
}


def gradients(p: types.ModuleType, name: str, run: Run) -> list[Any]:
    tensors = (inputs(p), *weights(p))
    result = PROGRAMS[name](p, run, tensors)
    result.sum().backward()
    return [result.sum().item(), *(t.grad if t.grad is None else t.grad.tolist() for t in tensors)]


def close(ours: list[Any], theirs: list[Any]) -> None:
    aten.testing.assert_close(
        [v if v is None or isinstance(v, float) else aten.tensor(v, dtype=aten.float64) for v in ours],
        [v if v is None or isinstance(v, float) else aten.tensor(v, dtype=aten.float64) for v in theirs],
        rtol=1e-12,
        atol=1e-12,
    )


@BOTH
@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str, use_reentrant: bool) -> None:
    """As without checkpointing."""

    def run(function: Any, *args: Any) -> Any:
        return checkpoint(function, *args, use_reentrant=use_reentrant)

    close(gradients(aten, name, run), gradients(aten, name, plain))


@BOTH
@pytest.mark.parametrize("name", ["arguments", "closure", "twice"])
def test_gradients_as_in_pytorch(name: str, use_reentrant: bool) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch.utils.checkpoint")

    def run(p: Any) -> Any:
        call = p.utils.checkpoint.checkpoint
        return lambda function, *args: call(function, *args, use_reentrant=use_reentrant)

    close(gradients(aten, name, run(aten)), gradients(torch, name, run(torch)))


class Counted:
    """A function of steps that counts its calls, and the calls of its last step."""

    def __init__(self) -> None:
        self.calls = self.ends = 0

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        y = x.sin().exp()
        self.ends += 1
        return y + 1  # which saves nothing


@BOTH
def test_it_is_computed_again_once(use_reentrant: bool) -> None:
    function, x = Counted(), inputs(aten)
    y = checkpoint(function, x, use_reentrant=use_reentrant)
    assert function.calls == 1
    y.sum().backward()
    assert function.calls == 2


@pytest.mark.parametrize("early_stop", [True, False])
@pytest.mark.parametrize("scope", [True, False, None])
def test_early_stop(early_stop: bool, scope: bool | None) -> None:
    function, x = Counted(), inputs(aten)
    if scope is None:
        y = checkpoint(function, x, use_reentrant=False, early_stop=early_stop)
    else:
        with set_checkpoint_early_stop(scope):
            y = checkpoint(function, x, use_reentrant=False, early_stop=early_stop)
    y.sum().backward()
    stops = early_stop if scope is None else scope
    assert (function.calls, function.ends) == (2, 1 if stops else 2)
    aten.testing.assert_close(x.grad, x.sin().exp() * x.cos())


def test_intermediate_results_are_not_kept() -> None:
    kept: list[Any] = []

    def function(x: Any) -> Any:
        y = x.sin()
        kept.append(weakref.ref(y))
        z = y.exp()
        kept.append(weakref.ref(z))
        return z.cos()

    x = inputs(aten)
    y = checkpoint(function, x, use_reentrant=False)
    gc.collect()
    assert [ref() for ref in kept] == [None, None]
    y.sum().backward()
    gc.collect()
    assert [ref() for ref in kept] == [None] * 4


def test_retained_graph_and_second_derivatives() -> None:
    x = inputs(aten)
    y = checkpoint(lambda x: x.sin().exp(), x, use_reentrant=False).sum()
    (first,) = aten.autograd.grad(y, x, retain_graph=True)
    (again,) = aten.autograd.grad(y, x, create_graph=True)
    aten.testing.assert_close(first, again)
    (second,) = aten.autograd.grad(again.sum(), x)
    expected = x.sin().exp() * (x.cos().square() - x.sin())
    aten.testing.assert_close(second, expected.detach())


def test_nested() -> None:
    counts = {"inner": 0, "outer": 0}

    def inner(x: Any) -> Any:
        counts["inner"] += 1
        return x.sin().exp()

    def outer(x: Any) -> Any:
        counts["outer"] += 1
        return checkpoint(inner, checkpoint(inner, x.cos(), use_reentrant=False), use_reentrant=False).tanh()

    x = inputs(aten)
    checkpoint(outer, x, use_reentrant=False).sum().backward()
    expected = inputs(aten)
    inner(inner(expected.cos())).tanh().sum().backward()
    aten.testing.assert_close(x.grad, expected.grad)
    assert counts["outer"] == 2


@BOTH
@pytest.mark.parametrize("preserve", [True, False])
def test_random_numbers(use_reentrant: bool, preserve: bool) -> None:
    """The gradient of a dropout is its mask's if the states are preserved; the states outside stay."""
    aten.manual_seed(1)
    x = aten.ones(200, dtype=aten.float64, requires_grad=True)
    y = checkpoint(
        lambda x: aten.nn.functional.dropout(x, 0.5),
        x,
        use_reentrant=use_reentrant,
        preserve_rng_state=preserve,
    )
    aten.rand(3)
    before = aten.get_rng_state().tolist()
    y.sum().backward()
    assert (aten.get_rng_state().tolist() == before) == preserve
    assert (x.grad.tolist() == y.tolist()) == preserve


def test_keyword_arguments() -> None:
    x = inputs(aten)
    y = checkpoint(lambda x, by: (x * by).sin(), x, by=3.0, use_reentrant=False)
    y.sum().backward()
    aten.testing.assert_close(x.grad, 3 * (3 * x).cos().detach())


def test_without_grad_mode() -> None:
    function, x = Counted(), inputs(aten)
    with aten.no_grad():
        y = checkpoint(function, x, use_reentrant=False)
    assert not y.requires_grad
    assert function.calls == 1


def test_device_of_new_tensors() -> None:
    x = aten.ones(3, device="meta", requires_grad=True)
    with aten.device("meta"):
        y = checkpoint(lambda x: (x.sin() * aten.ones(3)).exp(), x, use_reentrant=False)
    y.sum().backward()
    assert x.grad.device.type == "meta"


def test_contexts() -> None:
    entered: list[str] = []

    @contextmanager
    def note(name: str) -> Any:
        entered.append(name)
        yield

    x = inputs(aten)
    y = checkpoint(
        lambda x: x.sin().exp(), x, use_reentrant=False, context_fn=lambda: (note("forward"), note("again"))
    )
    assert entered == ["forward"]
    y.sum().backward()
    assert entered == ["forward", "again"]


@pytest.mark.parametrize("segments", [1, 2, 3])
@BOTH
def test_sequential(segments: int, use_reentrant: bool) -> None:
    aten.manual_seed(0)
    model = aten.nn.Sequential(
        *(m for _ in range(3) for m in (aten.nn.Linear(3, 3), aten.nn.Tanh()))
    ).double()
    x = inputs(aten)
    y = checkpoint_sequential(model, segments, x, use_reentrant=use_reentrant)
    grads = []
    for result in (y, model(x)):
        x.grad = None
        model.zero_grad()
        result.sum().backward()
        grads.append([x.grad, *(p.grad for p in model.parameters())])
    aten.testing.assert_close(*grads)
    functions = [aten.sin, aten.exp, aten.cos]
    values = checkpoint_sequential(functions, segments, x, use_reentrant=use_reentrant)
    aten.testing.assert_close(values, x.sin().exp().cos())


def changing(first: Callable[[Any], Any], second: Callable[[Any], Any]) -> Callable[[Any], Any]:
    functions = iter([first, second])
    return lambda x: next(functions)(x)


def test_errors_of_recomputation() -> None:
    def run(first: Any, second: Any, **options: Any) -> None:
        checkpoint(changing(first, second), inputs(aten), use_reentrant=False, **options).sum().backward()

    with pytest.raises(
        CheckpointError, match=r"A different number of tensors(.|\n)*forward: 3(.|\n)*computation: 1"
    ):
        run(lambda x: x.sin().sin().sin(), lambda x: x.sin())
    with pytest.raises(CheckpointError, match="trying to save more tensors during recomputation"):
        run(lambda x: x.sin(), lambda x: x.sin().sin(), early_stop=False)
    with pytest.raises(
        CheckpointError, match=r"different metadata(.|\n)*position 0(.|\n)*\[2, 3\](.|\n)*\[2, 1\]"
    ):
        run(lambda x: x.sin(), lambda x: x[:, :1].sin())
    with pytest.raises(CheckpointError, match=r"float64(.|\n)*float32"):
        run(lambda x: x.sin(), lambda x: x.float().sin())
    run(lambda x: x.sin(), lambda x: x.sin(), determinism_check="none")


def test_changed_input() -> None:
    x = inputs(aten)
    copy = x * 1
    y = checkpoint(lambda x: x.sin().exp(), copy, use_reentrant=False)
    with aten.no_grad():
        copy.add_(1)
    with pytest.raises(RuntimeError, match=r"modified by an inplace operation|modified in place"):
        y.sum().backward()


def test_errors_inside() -> None:
    def fails(x: Any) -> Any:
        x.sin()
        raise KeyError("here")

    x = inputs(aten)
    for use_reentrant in (False, True):
        with pytest.raises(KeyError, match="here"):
            checkpoint(fails, x, use_reentrant=use_reentrant)
    # The hooks are gone.
    x.sin().sum().backward()
    aten.testing.assert_close(x.grad, x.cos().detach())


def test_arguments() -> None:
    x = inputs(aten)
    with pytest.raises(ValueError, match="Unexpected keyword arguments: by"):
        checkpoint(aten.sin, x, use_reentrant=True, by=2)
    with pytest.raises(ValueError, match="only supported when use_reentrant=False"):
        checkpoint(aten.sin, x, use_reentrant=True, context_fn=lambda: None)
    with pytest.raises(
        ValueError, match=r"determinism_check should be one of \['default', 'none'\], but got x"
    ):
        checkpoint(aten.sin, x, use_reentrant=False, determinism_check="x")
    with pytest.raises(NotImplementedError, match="debug"):
        checkpoint(aten.sin, x, use_reentrant=False, debug=True)
    with pytest.warns(UserWarning, match="use_reentrant parameter should be passed explicitly"):
        checkpoint(aten.sin, x)
    with pytest.warns(UserWarning, match="None of the inputs have requires_grad=True"):
        checkpoint(aten.sin, x.detach(), use_reentrant=True)
    y = checkpoint(lambda x: x.detach() * 1, x, use_reentrant=True)
    with pytest.raises(RuntimeError, match="this checkpoint\\(\\) is not necessary"):
        y.sum().backward()
