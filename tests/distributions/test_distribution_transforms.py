"""Transforms: values, inverses, Jacobians, shapes, caches and registries."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from typing import Any

import aten
import aten.distributions as d
import pytest
from aten.distributions import constraints, transforms

Make = Callable[[Any], Any]


def double(p: Any, values: Any) -> Any:
    return p.tensor(values, dtype=p.float64)


# Functions of the package that give a transform, and the input's shape.
TRANSFORMS: dict[str, tuple[Make, tuple[int, ...]]] = {
    "abs": (lambda p: p.distributions.AbsTransform(), (3,)),
    "affine": (lambda p: p.distributions.AffineTransform(1.0, -2.0), (3,)),
    "affine of tensors": (
        lambda p: p.distributions.AffineTransform(double(p, [1.0, 2.0]), double(p, [[3.0], [-1.0]])),
        (2, 2),
    ),
    "affine of vectors": (
        lambda p: p.distributions.AffineTransform(0.5, double(p, [3.0, -1.0]), event_dim=1),
        (4, 2),
    ),
    "compose": (
        lambda p: p.distributions.ComposeTransform(
            [p.distributions.ExpTransform(), p.distributions.AffineTransform(1.0, 2.0)]
        ),
        (3,),
    ),
    "compose of vectors": (
        lambda p: p.distributions.ComposeTransform(
            [p.distributions.AffineTransform(0.0, 2.0), p.distributions.StickBreakingTransform()]
        ),
        (2, 3),
    ),
    "corr cholesky": (lambda p: p.distributions.CorrCholeskyTransform(), (2, 6)),
    "cdf": (
        lambda p: p.distributions.CumulativeDistributionTransform(
            p.distributions.Normal(double(p, 0.0), double(p, 1.0))
        ),
        (3,),
    ),
    "exp": (lambda p: p.distributions.ExpTransform(), (3,)),
    "identity": (lambda p: p.distributions.identity_transform, (3,)),
    "independent": (
        lambda p: p.distributions.IndependentTransform(p.distributions.ExpTransform(), 1),
        (2, 3),
    ),
    "inverse": (lambda p: p.distributions.ExpTransform().inv.inv, (3,)),
    "lower cholesky": (lambda p: p.distributions.LowerCholeskyTransform(), (2, 3, 3)),
    "positive definite": (lambda p: p.distributions.PositiveDefiniteTransform(), (3, 3)),
    "power": (
        lambda p: p.distributions.ComposeTransform(
            [p.distributions.ExpTransform(), p.distributions.PowerTransform(double(p, -1.5))]
        ),
        (3,),
    ),
    "reshape": (lambda p: p.distributions.ReshapeTransform((2, 3), (6,)), (4, 2, 3)),
    "sigmoid": (lambda p: p.distributions.SigmoidTransform(), (3,)),
    "softmax": (lambda p: p.distributions.SoftmaxTransform(), (2, 3)),
    "softplus": (lambda p: p.distributions.SoftplusTransform(), (3,)),
    "stick breaking": (lambda p: p.distributions.StickBreakingTransform(), (2, 3)),
    "tanh": (lambda p: p.distributions.TanhTransform(), (3,)),
    "cat": (
        lambda p: p.distributions.CatTransform(
            [p.distributions.ExpTransform(), p.distributions.TanhTransform()], 1, [2, 1]
        ),
        (2, 3),
    ),
    "cat of vectors": (
        lambda p: p.distributions.CatTransform(
            [
                p.distributions.IndependentTransform(p.distributions.ExpTransform(), 1),
                p.distributions.TanhTransform(),
            ],
            1,
            [2, 1],
        ),
        (2, 3),
    ),
    "stack": (
        lambda p: p.distributions.StackTransform(
            [p.distributions.ExpTransform(), p.distributions.TanhTransform()], 1
        ),
        (3, 2),
    ),
}
BIJECTIONS = [name for name, (make, _) in TRANSFORMS.items() if make(aten).bijective]


def inputs(shape: tuple[int, ...]) -> Any:
    values = [math.sin(1.7 * i + 0.3) for i in range(math.prod(shape))]
    return double(aten, values).reshape(shape)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_as_in_pytorch(name: str) -> None:
    torch = pytest.importorskip("torch")
    make, shape = TRANSFORMS[name]
    ours, theirs = make(aten), make(torch)
    x = inputs(shape)
    their_x = double(torch, x.tolist())
    y, their_y = ours(x), theirs(their_x)
    aten.testing.assert_close(y, double(aten, their_y.tolist()))
    aten.testing.assert_close(ours.inv(y), double(aten, theirs.inv(their_y).tolist()))
    assert tuple(ours.forward_shape(shape)) == tuple(theirs.forward_shape(shape)) == tuple(y.shape)
    assert tuple(ours.inverse_shape(y.shape)) == tuple(theirs.inverse_shape(their_y.shape))
    assert ours.bijective == theirs.bijective
    assert repr(ours) == repr(theirs)
    for side in ("domain", "codomain"):
        assert repr(getattr(ours, side)) == repr(getattr(theirs, side))
    if name != "cat of vectors":  # of which the constraints' results have different dimensions
        assert ours.codomain.check(y).all()
    if ours.bijective:
        log, their_log = ours.log_abs_det_jacobian(x, y), theirs.log_abs_det_jacobian(their_x, their_y)
        aten.testing.assert_close(log, double(aten, their_log.tolist()))


@pytest.mark.parametrize("name", BIJECTIONS)
def test_inverse_and_cache(name: str) -> None:
    make, shape = TRANSFORMS[name]
    x = inputs(shape)
    transform = make(aten)
    aten.testing.assert_close(transform.inv(transform(x)), x)
    assert transform.inv.inv is transform
    cached = transform.with_cache()
    y = cached(x)
    if name not in ("identity",):
        assert cached(x) is y
        assert cached.inv(y) is x
    assert cached.with_cache(0) == transform or cached.with_cache(0) is not cached
    aten.testing.assert_close(pickle.loads(pickle.dumps(transform))(x), y)


@pytest.mark.parametrize(
    "name", ["affine", "corr cholesky", "exp", "power", "sigmoid", "softplus", "stick breaking", "tanh"]
)
def test_jacobian(name: str) -> None:
    """log |det J| of one event, with the Jacobian by autograd; of a simplex, without the last coordinate."""
    make, shape = TRANSFORMS[name]
    transform = make(aten)
    dim = transform.domain.event_dim
    x = inputs(shape).flatten(0, -1 - dim)[0] if dim else inputs(shape)[0]

    def coordinates(x: Any) -> Any:
        y = transform(x)
        if name == "stick breaking":
            return y[:-1]
        return d.utils.tril_matrix_to_vec(y, -1) if name == "corr cholesky" else y

    jacobian = aten.autograd.functional.jacobian(coordinates, x).reshape(x.numel(), x.numel())
    expected = aten.linalg.det(jacobian).abs().log()
    aten.testing.assert_close(transform.log_abs_det_jacobian(x, transform(x)), expected)


@pytest.mark.parametrize(
    "constraint",
    [
        *("real", "positive", "nonnegative", "unit_interval", "simplex", "corr_cholesky"),
        *("lower_cholesky", "positive_definite", "positive_semidefinite"),
    ],
)
@pytest.mark.parametrize("registry", ["biject_to", "transform_to"])
def test_registries(constraint: str, registry: str) -> None:
    torch = pytest.importorskip("torch")
    found = []
    for p in (aten, torch):
        to = getattr(p.distributions, registry)
        try:
            found.append(to(getattr(p.distributions.constraints, constraint)))
        except NotImplementedError as error:
            found.append(str(error))
    if isinstance(found[0], str):
        assert found[0] == found[1]
        return
    x = inputs((3, 3))
    y = found[0](x)
    aten.testing.assert_close(y, double(aten, found[1](double(torch, x.tolist())).tolist()))
    assert getattr(constraints, constraint).check(y).all()


@pytest.mark.parametrize(
    "constraint",
    [
        constraints.greater_than(2.0),
        constraints.less_than(-1.0),
        constraints.interval(2.0, 5.0),
        constraints.half_open_interval(aten.tensor(-1.0), aten.tensor(0.5)),
        constraints.independent(constraints.positive, 1),
        constraints.cat([constraints.positive, constraints.unit_interval], 1, [1, 2]),
        constraints.stack([constraints.positive, constraints.unit_interval, constraints.real], 1),
    ],
    ids=lambda c: type(c).__name__,
)
def test_registries_of_bounds(constraint: Any) -> None:
    for registry in (d.biject_to, d.transform_to):
        transform = registry(constraint)
        x = inputs((3, 3)) * 5
        y = transform(x)
        assert constraint.check(y).all()
        aten.testing.assert_close(transform.inv(y), x)


def test_own_constraints() -> None:
    class Even(constraints.Constraint):
        pass

    with pytest.raises(NotImplementedError, match="Cannot transform Even constraints"):
        d.biject_to(Even())
    d.biject_to.register(Even, lambda c: d.AffineTransform(0, 2))
    assert d.biject_to(Even())(aten.tensor(3.0)) == 6
    with pytest.raises(TypeError, match="Constraint subclass"):
        d.biject_to.register(int, lambda c: None)


def test_errors() -> None:
    with pytest.raises(ValueError, match="cache_size must be 0 or 1"):
        d.ExpTransform(cache_size=2)
    with pytest.raises(ValueError, match="different numbers of elements"):
        d.ReshapeTransform((2, 3), (5,))
    with pytest.raises(ValueError, match="Too few dimensions"):
        d.StickBreakingTransform().forward_shape(())
    with pytest.raises(ValueError, match="flattened lower-diagonal"):
        d.CorrCholeskyTransform().forward_shape((4,))
    with pytest.raises(AssertionError, match="size"):
        d.StackTransform([d.ExpTransform()], 0)(aten.zeros(2))
    with pytest.raises(AssertionError, match="lengths"):
        d.CatTransform([d.ExpTransform()], 0, [1, 2])
    with pytest.raises(ValueError, match="event_dim"):
        assert d.ReshapeTransform((2, 3), (6,)).event_dim


def test_equality() -> None:
    assert d.ExpTransform() == d.ExpTransform()
    assert d.ExpTransform() != d.TanhTransform()
    assert d.AffineTransform(1, 2) == d.AffineTransform(aten.tensor(1.0), 2.0)
    assert d.AffineTransform(1, 2) != d.AffineTransform(1, 3)
    assert d.PowerTransform(aten.tensor(2.0)) == d.PowerTransform(2.0)
    assert d.ExpTransform().inv == d.ExpTransform().inv
    assert transforms.ComposeTransform([d.ExpTransform()]) == transforms.ComposeTransform([d.ExpTransform()])
