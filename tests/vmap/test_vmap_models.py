"""Gradients for each example, by vmap over a functional call, equal PyTorch's."""

from __future__ import annotations

import aten
import numpy as np
import pytest

torch = pytest.importorskip("torch")


def mlp(m):
    nn = m.nn
    return nn.Sequential(
        nn.Linear(5, 8), nn.Tanh(), nn.LayerNorm(8), nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 3)
    )


def convolutional(m):
    nn = m.nn
    return nn.Sequential(
        nn.Conv2d(2, 4, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.GroupNorm(2, 4),
        nn.Flatten(-3),
        nn.Linear(36, 3),
    )


def transformer(m):
    nn = m.nn

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens = nn.Embedding(11, 8)
            self.places = nn.Parameter(m.zeros(6, 8))
            self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
            self.out = nn.Linear(8, 3)

        def forward(self, x):
            return self.out(self.layer(self.tokens(x) + self.places).mean(-2))

    return Model()


MODELS = {"mlp": mlp, "convolutional": convolutional, "transformer": transformer}
RNG = np.random.default_rng(1)
INPUTS = {
    "mlp": RNG.standard_normal((4, 5)).astype("f"),
    "convolutional": RNG.standard_normal((4, 2, 6, 6)).astype("f"),
    "transformer": RNG.integers(0, 11, (4, 6)),
}
TARGETS = np.array([0, 2, 1, 1])


def values(name):
    """Returns parameters by name, as arrays."""
    return {
        n: RNG.standard_normal(p.shape).astype("f") * 0.5 for n, p in MODELS[name](torch).named_parameters()
    }


def per_example(m, name, arrays):
    model = MODELS[name](m)
    parameters = {n: m.tensor(a) for n, a in arrays.items()}

    def loss(parameters, x, target):
        out = m.func.functional_call(model, parameters, (x.unsqueeze(0),))
        return m.nn.functional.cross_entropy(out, target.unsqueeze(0))

    f = m.func.vmap(m.func.grad_and_value(loss), (None, 0, 0))
    return f(parameters, m.tensor(INPUTS[name]), m.tensor(TARGETS))


@pytest.mark.parametrize("name", MODELS)
def test_gradients_of_each_example(name):
    arrays = values(name)
    mine, losses = per_example(aten, name, arrays)
    theirs, expected = per_example(torch, name, arrays)
    np.testing.assert_allclose(losses.numpy(), expected.numpy(), rtol=1e-4)
    assert mine.keys() == theirs.keys()
    for n in mine:
        assert tuple(mine[n].shape) == tuple(theirs[n].shape)
        np.testing.assert_allclose(mine[n].numpy(), theirs[n].numpy(), rtol=2e-3, atol=2e-5, err_msg=n)


def test_an_ensemble():
    """Several models of one class, each with parameters of its own."""
    models = [mlp(aten) for _ in range(3)]
    parameters, buffers = aten.func.stack_module_state(models)
    x = aten.tensor(INPUTS["mlp"])

    def call(p, b, x):
        return aten.func.functional_call(models[0], (p, b), (x,))

    together = aten.vmap(call, (0, 0, None))(parameters, buffers, x)
    assert aten.allclose(together, aten.stack([m(x) for m in models]), atol=1e-6)
    separate = aten.vmap(call)(parameters, buffers, aten.stack([x, x + 1, x * 2]))
    expected = [m(v) for m, v in zip(models, (x, x + 1, x * 2), strict=True)]
    assert aten.allclose(separate, aten.stack(expected), atol=1e-6)


def test_a_step_of_training():
    """The mean of the gradients of the examples is the gradient of the mean."""
    arrays = values("mlp")
    each, _ = per_example(aten, "mlp", arrays)
    model = mlp(aten)
    for n, p in model.named_parameters():
        p.data.copy_(aten.tensor(arrays[n]))
    out = model(aten.tensor(INPUTS["mlp"]))
    aten.nn.functional.cross_entropy(out, aten.tensor(TARGETS)).backward()
    for n, p in model.named_parameters():
        assert aten.allclose(p.grad, each[n].mean(0), atol=1e-6)
