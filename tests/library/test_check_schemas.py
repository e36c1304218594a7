"""check_schemas finds kernels that do what their schemas don't say, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import aten
import pytest
from aten.library import Library

T = aten.Tensor


def written_through(view: Callable[[T], T]) -> Callable[[T], T]:
    def kernel(x: T) -> T:
        view(x).fill_(7)
        return aten.ones(2)

    return kernel


def after(change: Callable[[T], Any]) -> Callable[[T], T]:
    """A kernel that changes its argument and returns a new tensor."""

    def kernel(x: T) -> T:
        change(x)
        return aten.ones(2)

    return kernel


def matrix() -> T:
    return aten.arange(6.0).view(2, 3)


# The schema without its name, the kernel, and what is said of which argument or result.
LIES: dict[str, tuple[str, Callable[..., Any], str]] = {
    "add_": ("(Tensor x) -> Tensor", after(lambda x: x.add_(1)), "argument 'x' was written to"),
    "copy_": ("(Tensor x) -> Tensor", after(lambda x: x.copy_(aten.zeros(2, 3))), "'x' was written to"),
    "out=": ("(Tensor x) -> Tensor", after(lambda x: aten.mul(x, 2, out=x)), "argument 'x' was written to"),
    "item": ("(Tensor x) -> Tensor", after(lambda x: x.__setitem__((0, 0), 9)), "'x' was written to"),
    "same values": ("(Tensor x) -> Tensor", after(lambda x: x.mul_(1)), "the values that it had"),
    "data": ("(Tensor x) -> Tensor", after(lambda x: x.detach().zero_()), "argument 'x' was written to"),
    "view": ("(Tensor x) -> Tensor", written_through(lambda x: x[1:, 1]), "argument 'x' was written to"),
    "transposed": ("(Tensor x) -> Tensor", written_through(aten.t), "argument 'x' was written to"),
    "around": (
        "(Tensor x) -> Tensor",
        written_through(lambda x: x.as_strided((6,), (1,), 0)),
        "argument 'x' was written to",
    ),
    "t_": ("(Tensor x) -> Tensor", after(lambda x: x.t_()), r"changed from float32\[2, 3\].*float32\[3, 2\]"),
    "unsqueeze_": ("(Tensor x) -> Tensor", after(lambda x: x.unsqueeze_(0)), "'x' was changed from"),
    "resize_": ("(Tensor x) -> Tensor", after(lambda x: x.resize_((2, 2))), "'x' was changed from"),
    "set_": ("(Tensor x) -> Tensor", after(lambda x: x.set_(aten.ones(2, 3))), "given other memory"),
    "emptied": ("(Tensor x) -> Tensor", after(lambda x: x.set_()), r"changed from float32\[2, 3\].*\[0\]"),
    "second": ("(Tensor x, Tensor y) -> Tensor", lambda x, y: x + y.neg_(), "argument 'y' was written to"),
    "optional": ("(Tensor x, Tensor? y) -> Tensor", lambda x, y: x + y.neg_(), "'y' was written to.*[?]"),
    "in a list": ("(Tensor[] xs) -> Tensor", lambda xs: xs[1].zero_() + 1, r"argument 'xs\[1\]' was written"),
    "by keyword": (
        "(Tensor x, *, Tensor y) -> Tensor",
        lambda x, y: x + y.neg_(),
        "argument 'y' was written to",
    ),
    "other than out": (
        "(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
        lambda x, out: out.copy_(x.add_(1)),
        "argument 'x' was written to",
    ),
    "no result": ("(Tensor x) -> ()", lambda x: x.zero_() is None or None, "argument 'x' was written to"),
    "argument": ("(Tensor x) -> Tensor", lambda x: x, "the result shares memory with argument 'x'"),
    "view of it": ("(Tensor x) -> Tensor", lambda x: x[0], "the result shares memory with argument 'x'"),
    "detached": ("(Tensor x) -> Tensor", lambda x: x.detach(), "shares memory with argument 'x'"),
    "element of a list": (
        "(Tensor[] xs) -> Tensor[]",
        lambda xs: [xs[0] + 1, xs[0]],
        r"the result\[1\] shares memory with argument 'xs\[0\]'",
    ),
    "view of another argument": (
        "(Tensor(a) x, Tensor y) -> Tensor(a)",
        lambda x, y: y.view(-1),
        "shares memory with argument 'y'",
    ),
    "out's memory": (
        "(Tensor x, *, Tensor(a!) out) -> (Tensor(a!), Tensor)",
        lambda x, out: (out.copy_(x), out[0]),
        "result '1' shares memory with argument 'out'",
    ),
    "two results": (
        "(Tensor x) -> (Tensor values, Tensor indices)",
        lambda x: (made := x + 1, made.view(-1)),
        "result 'values' and result 'indices' share memory",
    ),
    "parts of one": ("(Tensor x) -> Tensor[]", lambda x: [*(x + 1).unbind()], "share memory"),
    "copy of out": (
        "(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
        lambda x, out: out.copy_(x).clone(),
        "declared to be argument 'out', but is another tensor",
    ),
    "view of self": (
        "(Tensor(a!) self) -> Tensor(a!)",
        lambda x: x.add_(1).view(-1),
        "declared to be argument 'self', but is another tensor",
    ),
    "the other out": (
        "(Tensor x, *, Tensor(a!) a, Tensor(b!) b) -> (Tensor(a!), Tensor(b!))",
        lambda x, a, b: (b.copy_(x), a.copy_(x)),
        "result '0' is declared to be argument 'a', but is another tensor.*result '1'",
    ),
}
TRUE: dict[str, tuple[str, Callable[..., Any]]] = {
    "functional": ("(Tensor x) -> Tensor", lambda x: x + 1),
    "in place": ("(Tensor(a!) x) -> Tensor(a!)", lambda x: x.add_(1)),
    "in place, resized": ("(Tensor(a!) x) -> Tensor(a!)", lambda x: x.resize_((3, 1))),
    "out": ("(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", lambda x, out: aten.exp(x, out=out)),
    "view": ("(Tensor(a) x) -> Tensor(a)", lambda x: x.t()),
    "views": ("(Tensor(a -> *) x) -> Tensor(a)[]", lambda x: [*x.unbind()]),
    "list in place": ("(Tensor(a!)[] xs) -> ()", lambda xs: aten._foreach_zero_(xs) and None),
    "no memory": ("(Tensor x) -> Tensor", lambda x: x[:0, :0]),
}
KEYS = ("CPU", "CompositeExplicitAutograd", "CompositeImplicitAutograd")


@pytest.fixture
def library() -> Iterator[Library]:
    made = Library("annotated", "DEF")
    yield made
    made._destroy()


def called(library: Library, schema: str, kernel: Callable[..., Any], key: str = "CPU") -> Any:
    """Defines an operator and calls it with a matrix for each tensor."""
    library.define(f"f{schema}")
    library.impl("f", kernel, key)
    overload = aten.ops.annotated.f.default
    values = {
        a.name: [matrix(), matrix()] if "[]" in a.type else matrix() for a in overload._schema.arguments
    }
    named = {a.name: values.pop(a.name) for a in overload._schema.arguments if a.kwarg_only}
    return overload(*values.values(), **named)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", LIES)
def test_lies(library: Library, name: str, key: str) -> None:
    schema, kernel, said = LIES[name]
    with (
        pytest.raises(aten.SchemaError, match=rf"annotated::f: .*{said}.*Declared as annotated::f"),
        aten.check_schemas(),
    ):
        called(library, schema, kernel, key)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", TRUE)
def test_no_false_alarm(library: Library, name: str, key: str) -> None:
    with warnings.catch_warnings(), aten.check_schemas():
        warnings.simplefilter("error")
        called(library, *TRUE[name], key)


def test_all_faults_of_a_call_are_one_error(library: Library) -> None:
    def kernel(x: T, y: T) -> T:
        x.zero_()
        return y

    with pytest.raises(aten.SchemaError) as error, aten.check_schemas():
        called(library, "(Tensor x, Tensor y) -> Tensor", kernel)
    assert "'x' was written to" in str(error.value) and "shares memory with argument 'y'" in str(error.value)


def test_the_program_can_go_on(library: Library) -> None:
    with (
        pytest.warns(aten.SchemaWarning, match="shares memory with argument 'x'") as found,
        aten.check_schemas(warn_only=True),
    ):
        assert called(library, "(Tensor x) -> Tensor", lambda x: x).shape == (2, 3)
        assert aten.equal(aten.ones(2) + 1, aten.full((2,), 2.0))
    assert len(found) == 1


def test_a_view_that_is_a_copy_is_a_warning(library: Library) -> None:
    with (
        pytest.warns(aten.SchemaWarning, match=r"declared as a view, Tensor\(a\), but is a copy"),
        aten.check_schemas(),
    ):
        called(library, "(Tensor(a) x) -> Tensor(a)", lambda x: x.clone())


def test_operators_that_a_composite_one_calls(library: Library) -> None:
    library.define("leaf(Tensor x) -> Tensor")
    library.impl("leaf", lambda x: x.neg_() * 1, "CPU")
    with (
        pytest.raises(aten.SchemaError, match="annotated::leaf: argument 'x' was written to"),
        aten.check_schemas(),
    ):
        called(
            library,
            "(Tensor x) -> Tensor",
            lambda x: aten.ops.annotated.leaf(x + 1),
            "CompositeImplicitAutograd",
        )


def test_the_line_of_the_declaration() -> None:
    from aten._library import declarations

    place = declarations.place_of(aten.ops.aten.add.Tensor)
    assert place and place.startswith("native_functions.yaml:") and int(place.rpartition(":")[2]) > 100


@aten.check_schemas()
def step(model: Any, optimizer: Any) -> float:
    optimizer.zero_grad()
    loss = aten.nn.functional.cross_entropy(model(aten.ones(3, 1, 8, 8)), aten.tensor([0, 1, 2]))
    loss.backward()
    optimizer.step()
    return loss.item()


@pytest.mark.parametrize("optimizer", ["SGD", "Adam", "LBFGS"])
def test_training(optimizer: str) -> None:
    nn = aten.nn
    model = nn.Sequential(
        nn.Conv2d(1, 4, 3),
        nn.BatchNorm2d(4),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Dropout(),
        nn.Flatten(),
        nn.Linear(36, 5),
    )
    made = getattr(aten.optim, optimizer)(model.parameters())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if optimizer == "LBFGS":
            made.step(lambda: aten.check_schemas()(lambda: model(aten.ones(3, 1, 8, 8)).square().mean())())
        else:
            step(model, made)


@pytest.mark.parametrize("value", ["0", "1", "warn"])
def test_the_environment_variable(value: str) -> None:
    program = (
        "import aten, aten.library as l\n"
        "lib = l.Library('env', 'DEF'); lib.define('f(Tensor x) -> Tensor')\n"
        "lib.impl('f', lambda x: x, 'CPU')\n"
        "aten.ops.env.f(aten.ones(2)); print('went on')"
    )
    environment = {**os.environ, "ATEN_CHECK_SCHEMAS": value}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode == 0) == ("went on" in done.stdout) == (value != "1")
    assert ("shares memory with argument 'x'" in done.stderr) == (value != "0"), done.stderr


def test_tensors_without_memory_are_left_out(library: Library) -> None:
    with aten.check_schemas():
        assert aten.vmap(lambda row: row * 2)(matrix()).shape == (2, 3)
        assert (aten.ones(2, device="meta") + 1).is_meta
        with aten.inference_mode():
            assert aten.ones(2).add_(1).tolist() == [2, 2]
        jacobian = aten.func.jacrev(aten.sin)(aten.ones(2))
    assert jacobian.shape == (2, 2)
