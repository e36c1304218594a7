"""Random operators in vmap: an error, values for each example, or the same for all."""

from __future__ import annotations

import aten
import pytest

F = aten.nn.functional
X = aten.arange(1000).reshape(4, 250) / 1000

# Random tensors of an example's shape; each takes one.
FROM_BATCHED = {
    "rand_like": lambda v: aten.rand_like(v),
    "randn_like": lambda v: aten.randn_like(v),
    "randint_like": lambda v: aten.randint_like(v, 1000),
    "bernoulli": lambda v: (v * 0 + 0.5).bernoulli(),
    "uniform_": lambda v: v.clone().uniform_(),
    "normal_": lambda v: v.clone().normal_(),
    "exponential_": lambda v: v.clone().exponential_(),
    "random_": lambda v: v.clone().random_(),
    "poisson": lambda v: aten.poisson(v * 0 + 5),
    "dropout": lambda v: F.dropout(v * 0 + 1),
    "normal": lambda v: aten.normal(v * 0, 1.0),
    "multinomial": lambda v: aten.multinomial(v + 1, 100),
    "rrelu": lambda v: F.rrelu(-v - 1, training=True),
}
FACTORIES = {
    "rand": lambda v: aten.rand(250),
    "randn": lambda v: aten.randn(2, 100),
    "randint": lambda v: aten.randint(0, 1000, (250,)),
    "randperm": lambda v: aten.randperm(250),
    "normal of sizes": lambda v: aten.normal(0.0, 1.0, (250,)),
    "bernoulli of unbatched": lambda v: aten.full((250,), 0.5).bernoulli(),
    "dropout of unbatched": lambda v: F.dropout(aten.ones(250)),
}
ALL = {**FROM_BATCHED, **FACTORIES}


@pytest.mark.parametrize("name", ALL)
def test_error(name):
    with pytest.raises(RuntimeError, match="is random"):
        aten.vmap(ALL[name])(X)


@pytest.mark.parametrize("name", ALL)
def test_different(name):
    out = aten.vmap(ALL[name], randomness="different")(X)
    assert out.shape[0] == 4
    assert not any((out[i] == out[j]).all() for i in range(4) for j in range(i))


@pytest.mark.parametrize("name", ALL)
def test_same(name):
    out = aten.vmap(lambda v: ALL[name](v * 0 + X[0]), randomness="same")(X)
    assert all((out[i] == out[0]).all() for i in range(4))


def test_same_continues():
    """Later draws are others."""
    out = aten.vmap(lambda v: aten.stack([aten.rand(50), aten.rand_like(v[:50])]), randomness="same")(X)
    assert not (out[0, 0] == out[0, 1]).all()


@pytest.mark.parametrize("modes", [("same", "different"), ("different", "same")])
def test_nested(modes):
    outer, inner = modes
    f = aten.vmap(lambda v: aten.rand(50), randomness=inner)
    out = aten.vmap(f, randomness=outer)(aten.ones(3, 2, 50))
    assert bool((out[0] == out[1]).all()) is (outer == "same")
    assert bool((out[:, 0] == out[:, 1]).all()) is (inner == "same")


def test_reproducible():
    def draw():
        aten.manual_seed(5)
        return aten.vmap(lambda v: aten.rand_like(v) + aten.rand(250), randomness="different")(X)

    assert (draw() == draw()).all()


def test_in_place_on_an_unbatched_tensor():
    with pytest.raises(RuntimeError, match="one tensor for all examples"):
        aten.vmap(lambda v: v + aten.zeros(250).uniform_(), randomness="different")(X)
    out = aten.vmap(lambda v: v * 0 + aten.zeros(250).uniform_(), randomness="same")(X)
    assert (out[0] == out[3]).all()


def test_dropout_of_each_has_its_gradient():
    grad = aten.vmap(aten.func.grad(lambda v: F.dropout(v, 0.5).sum()), randomness="different")(X)
    assert set(grad.flatten().tolist()) == {0.0, 2.0}
    assert not (grad[0] == grad[1]).all()


def test_not_random_without_a_probability():
    q = aten.ones(2, 3, 4)
    out = aten.vmap(lambda q: F.scaled_dot_product_attention(q, q, q))(q)
    assert aten.allclose(out, F.scaled_dot_product_attention(q, q, q))
    assert aten.vmap(lambda v: F.dropout(v, 0.5, training=False))(X).equal(X)


def test_statistics():
    """Draws of all examples at once are as independent as those of one."""
    out = aten.vmap(lambda v: aten.randn(250), randomness="different")(aten.ones(400))
    assert abs(float(out.mean())) < 0.02
    assert abs(float(out.std()) - 1) < 0.02
    assert abs(float((out[:-1] * out[1:]).mean())) < 0.02
