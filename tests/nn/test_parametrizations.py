"""orthogonal, weight_norm and spectral_norm: as parametrizations and as hooks, beside PyTorch's and by
their definitions."""

from __future__ import annotations

import copy
import warnings

import aten
import pytest
from aten.nn.utils import parametrizations, parametrize
from utils_oracle import error, filled, pattern, same, trained

MAPS = ("matrix_exp", "cayley", "householder")
SHAPES = {"square": (4, 4), "tall": (5, 3), "wide": (3, 5), "batch": (2, 4, 3)}


def holder(T, *shape, dtype=None):
    """A module whose result is its weight."""

    class Holder(T.nn.Module):
        def __init__(self):
            super().__init__()
            values = pattern(T, *shape, dtype=T.float64)
            values = T.complex(values, values.cos()) if dtype == "complex" else values
            self.weight = T.nn.Parameter(values)

        def forward(self):
            return self.weight.real + self.weight.imag if dtype == "complex" else self.weight

    return Holder()


def with_base(T, module):
    """The parametrized module with a base that doesn't depend on random numbers, and a changed original."""
    parametrization = module.parametrizations.weight[0]
    original = module.parametrizations.weight.original
    with T.no_grad():
        if getattr(parametrization, "base", None) is not None:
            base = parametrization.base
            real = pattern(T, *base.shape, dtype=T.float64)
            base.copy_(T.complex(real, real.sin()) if base.is_complex() else real)
        original.add_(pattern(T, *original.shape, dtype=T.float64, start=2) / 4)
    return module


@pytest.mark.parametrize("trivial", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", MAPS)
def test_orthogonal_gives_what_pytorch_gives(name, shape, trivial):
    def program(T):
        module = holder(T, *SHAPES[shape])
        made = T.nn.utils.parametrizations.orthogonal(module, orthogonal_map=name, use_trivialization=trivial)
        original = made.parametrizations.weight.original.detach().clone()
        return [original, trained(T, with_base(T, made)), made]

    same(program, 1e-9)


@pytest.mark.parametrize("name", MAPS[:2])
def test_orthogonal_of_complex_matrices(name):
    def program(T):
        module = holder(T, 4, 3, dtype="complex")
        T.nn.utils.parametrizations.orthogonal(module, orthogonal_map=name)
        return trained(T, with_base(T, module))

    same(program, 1e-9)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", MAPS)
def test_orthogonal_is_orthogonal(name, shape):
    module = holder(aten, *SHAPES[shape])
    before = module.weight.detach().clone()
    parametrizations.orthogonal(module, orthogonal_map=name)
    for _ in range(2):
        q = module.weight.mT if q_is_wide(module.weight) else module.weight
        one = aten.eye(q.shape[-1], dtype=q.dtype)
        assert aten.allclose(q.mT @ q, one.expand(q.mT.shape[:-1] + one.shape[-1:]), atol=1e-12)
        first = before.mT if q_is_wide(before) else before
        if _ == 0:  # the tensor, made orthogonal: an upper triangle with a positive diagonal times it
            r = q.mT @ first
            assert aten.allclose(r.tril(-1), aten.zeros_like(r), atol=1e-12)
            assert bool((r.diagonal(0, -2, -1) > 0).all())
        module.weight = q.mT if q_is_wide(module.weight) else q
        with aten.no_grad():
            module.parametrizations.weight.original.add_(pattern(aten, *before.shape, dtype=aten.float64) / 9)
        if name == "householder":
            with aten.no_grad():
                module.parametrizations.weight.original.diagonal(0, -2, -1).fill_(-1)


def q_is_wide(t):
    return t.shape[-2] < t.shape[-1]


def orthogonal_faults(T):
    orthogonal = T.nn.utils.parametrizations.orthogonal
    results = [
        error(orthogonal, holder(T, 2, 2), "nothing"),
        error(orthogonal, holder(T, 3)),
        error(orthogonal, holder(T, 2, 2), orthogonal_map="other"),
        error(orthogonal, holder(T, 2, 2, dtype="complex"), orthogonal_map="householder"),
    ]
    made = orthogonal(holder(T, 2, 2), use_trivialization=False)
    results.append(error(setattr, made, "weight", T.eye(2, dtype=T.float64)))
    made = orthogonal(holder(T, 2, 2))
    results.append(error(setattr, made, "weight", T.eye(3, dtype=T.float64)))
    made.weight = T.eye(2, dtype=T.float64)
    return [*results, made.weight, made.state_dict()]


LAYERS = {  # in double: sums of float cancel, and how much is left depends on the processor
    "linear": lambda T: (T.nn.Linear(3, 4, dtype=T.double), pattern(T, 2, 3, dtype=T.double)),
    "conv": lambda T: (T.nn.Conv2d(2, 3, 2, dtype=T.double), pattern(T, 1, 2, 3, 3, dtype=T.double)),
    "transposed": lambda T: (
        T.nn.ConvTranspose1d(2, 3, 2, dtype=T.double),
        pattern(T, 1, 2, 4, dtype=T.double),
    ),
}


def used_twice(T, layer, x):
    """Two calls and one backward pass, then a call in evaluation."""
    first = layer(x)
    (first * layer(x + 1)).sum().backward()
    gradients = {name: p.grad for name, p in layer.named_parameters()}
    layer.eval()
    return [first, gradients, layer(x), layer.state_dict(), layer]


@pytest.mark.parametrize("dim", [0, 1, None])
@pytest.mark.parametrize("name", LAYERS)
def test_weight_norm(name, dim):
    def program(T):
        layer, x = LAYERS[name](T)
        T.nn.utils.parametrizations.weight_norm(filled(T, layer), dim=dim)
        results = used_twice(T, layer, x)
        layer.weight = layer.weight.detach() * 2
        results += [layer.parametrizations.weight.original0, layer(x)]
        T.nn.utils.parametrize.remove_parametrizations(layer, "weight")
        return [*results, layer(x), list(layer.state_dict())]

    same(program, 1e-12)


def older_weight_norm(T, layer, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        T.nn.utils.weight_norm(layer, **options)
    assert [w.category for w in caught] == [FutureWarning]
    return layer


@pytest.mark.parametrize("dim", [0, 1, None])
@pytest.mark.parametrize("name", LAYERS)
def test_weight_norm_by_a_hook(name, dim):
    def program(T):
        layer, x = LAYERS[name](T)
        older_weight_norm(T, filled(T, layer), dim=dim)
        newer = LAYERS[name](T)[0]
        T.nn.utils.parametrizations.weight_norm(newer, dim=dim)
        newer.load_state_dict(layer.state_dict())
        results = [used_twice(T, layer, x), newer(x), error(older_weight_norm, T, layer)]
        T.nn.utils.remove_weight_norm(layer)
        results.append(error(T.nn.utils.remove_weight_norm, layer))
        return [*results, layer(x), list(layer.state_dict()), layer.weight.is_leaf]

    same(program, 1e-12)


def with_vectors(T, module, prefix):
    """The module with singular vectors that don't depend on random numbers."""
    for name, buffer in module.named_buffers():
        if name.startswith(prefix) and name.endswith(("_u", "_v")):
            buffer.copy_(pattern(T, *buffer.shape) + 0.5)
            buffer.div_(buffer.norm())
    return module


@pytest.mark.parametrize("options", [{}, {"n_power_iterations": 3, "eps": 1e-3}, {"dim": 1}], ids=str)
@pytest.mark.parametrize("name", LAYERS)
def test_spectral_norm(name, options):
    def program(T):
        layer, x = LAYERS[name](T)
        T.nn.utils.parametrizations.spectral_norm(filled(T, layer), **options)
        results = used_twice(T, with_vectors(T, layer, "parametrizations"), x)
        T.nn.utils.parametrize.remove_parametrizations(layer, "weight")
        return [*results, layer(x), list(layer.state_dict())]

    same(program, 1e-12)


@pytest.mark.parametrize("options", [{}, {"n_power_iterations": 3, "eps": 1e-3}, {"dim": 1}], ids=str)
@pytest.mark.parametrize("name", LAYERS)
def test_spectral_norm_by_a_hook(name, options):
    def program(T):
        layer, x = LAYERS[name](T)
        T.nn.utils.spectral_norm(filled(T, layer), **options)
        assert layer.weight.equal(layer.weight_orig)
        results = used_twice(T, with_vectors(T, layer, "weight"), x)
        results += [layer.state_dict()._metadata, error(T.nn.utils.spectral_norm, layer)]
        T.nn.utils.remove_spectral_norm(layer)
        results.append(error(T.nn.utils.remove_spectral_norm, layer))
        if T is aten:  # PyTorch leaves one
            assert not layer._state_dict_hooks
            assert not layer._load_state_dict_pre_hooks
        return [*results, layer(x), list(layer.state_dict())]

    same(program, 1e-12)


def older_state(T):
    """State dicts of before there was `v`, and of no version."""
    layer = T.nn.utils.spectral_norm(filled(T, T.nn.Linear(3, 4)))
    with_vectors(T, layer, "weight")
    layer(pattern(T, 2, 3))
    old = {name: t for name, t in layer.state_dict().items() if name != "weight_v"}
    old["weight"] = layer.weight.detach()
    other = T.nn.utils.spectral_norm(T.nn.Linear(3, 4))
    other.load_state_dict(dict(old))
    results = [other.state_dict(), other.eval()(pattern(T, 2, 3))]
    other.load_state_dict(dict(layer.state_dict()))
    results.append(other.state_dict())
    del old["weight"]
    return [*results, error(other.load_state_dict, old)]


def faults(T):
    U = T.nn.utils
    lazy = T.nn.LazyLinear(3)
    results = [
        error(U.parametrizations.spectral_norm, T.nn.Linear(2, 2), "nothing"),
        error(U.parametrizations.spectral_norm, T.nn.Linear(2, 2), dim=2),
        error(U.parametrizations.spectral_norm, T.nn.Linear(2, 2), n_power_iterations=0),
        error(U.spectral_norm, T.nn.Linear(2, 2), n_power_iterations=0),
        error(U.spectral_norm, T.nn.Linear(2, 2, bias=False), "bias"),
        error(U.spectral_norm, lazy),
        error(older_weight_norm, T, lazy),
    ]
    vector = U.parametrizations.spectral_norm(filled(T, T.nn.Linear(2, 3)), "bias")
    return [*results, vector.bias, list(vector.state_dict())]


@pytest.mark.parametrize("program", [orthogonal_faults, older_state, faults], ids=lambda f: f.__name__)
def test_gives_what_pytorch_gives(program):
    same(program, 1e-5)


def test_spectral_norm_is_one():
    layer = parametrizations.spectral_norm(aten.nn.Linear(4, 3))
    for _ in range(50):
        weight = layer.weight
    assert abs(aten.linalg.matrix_norm(weight, 2).item() - 1) < 1e-4
    other = copy.deepcopy(layer).eval()
    assert other.weight.equal(other.weight)
    parametrize.remove_parametrizations(other, "weight")
    assert list(other.state_dict()) == ["bias", "weight"]
