"""func.functional_call, func.stack_module_state, and further functions of nn.utils, beside PyTorch's."""

from __future__ import annotations

import warnings

import aten
import pytest
from aten.func import functional_call
from utils_oracle import error, filled, pattern, same


def tied(T):
    """A module with a parameter under two names, and a buffer that forward() sets."""

    class Tied(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.one = T.nn.Linear(3, 3)
            self.two = T.nn.Linear(3, 3)
            self.two.weight = self.one.weight
            self.register_buffer("count", T.zeros(()))

        def forward(self, x, *, factor=1.0):
            self.count = self.count + 1
            return factor * self.two(self.one(x))

    return filled(T, Tied())


def replaced(T):
    call, net = T.func.functional_call, tied(T)
    x, plain = pattern(T, 2, 3), net(pattern(T, 2, 3))
    weight = pattern(T, 3, 3, start=5).requires_grad_()
    given = {"one.weight": weight, "count": T.full((), 7.0)}
    results = [plain, call(net, given, x), given, call(net, given, (x,), {"factor": 2.0}, tie_weights=False)]
    results[1].sum().backward()
    results += [weight.grad, net(x), net.count, list(net.state_dict())]
    results.append(call(net, ({"one.weight": weight}, {"two.bias": T.ones(3)}), x))
    results.append(call(net, {"two.weight": weight, "one.weight": weight}, x))
    assert net(x).equal(plain)
    return results


def by_method(T):
    """A call with each way of the arguments, and by the deprecated name."""
    call, layer = T.func.functional_call, filled(T, T.nn.Linear(3, 2))
    weight = {"weight": T.ones(2, 3)}
    results = [
        call(layer, weight, (), {"input": T.ones(1, 3)}),
        call(layer, weight, T.ones(1, 3), strict=False),
    ]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results.append(T.nn.utils.stateless.functional_call(layer, weight, T.ones(1, 3)))
    return [*results, [w.category.__name__ for w in caught]]


def faults(T):
    call, net = T.func.functional_call, tied(T)
    x, w = T.ones(1, 3), T.ones(3, 3)
    results = [
        error(call, net, {"one.weight": w, "two.weight": w + 1}, x),
        error(call, net, {"one.weight": w}, x, strict=True),
        error(call, net, {**dict(net.named_parameters()), "count": w, "other": w}, x, strict=True),
        error(call, net, [{"one.bias": w}, {"one.bias": w}], x),
        error(call, net, [{"one.bias": w}, 3], x),
        error(call, net, 3, x),
        error(call, net, {"none.weight": w}, x),
        error(call, net, {"": w}, x),
        error(call, net, {"one.weight.a": w}, x).partition(":")[0],
        error(call, net, {"one.weight": 3}, x).partition(":")[0],
        error(call, net, {"training": w}, x).partition(":")[0],
    ]
    return [*results, net(x), list(net.state_dict())]


def added(T):
    """A tensor that the module doesn't have, but forward() uses."""

    class Scaled(T.nn.Module):
        def forward(self, x):
            return x * self.scale

    module = Scaled()
    return [T.func.functional_call(module, {"scale": T.full((), 3.0)}, T.ones(2)), hasattr(module, "scale")]


def parametrized(T):
    class Doubled(T.nn.Module):
        def forward(self, x):
            return x * 2

    layer = filled(T, T.nn.Linear(3, 2))
    T.nn.utils.parametrize.register_parametrization(layer, "weight", Doubled())
    name = "parametrizations.weight.original"
    return [T.func.functional_call(layer, {name: T.ones(2, 3)}, T.ones(1, 3)), layer(T.ones(1, 3))]


def stacked(T):
    stack = T.func.stack_module_state
    nets = [filled(T, T.nn.Sequential(T.nn.Linear(2, 2), T.nn.BatchNorm1d(2))) for _ in range(3)]
    for net in nets:
        net[0].bias.requires_grad_(False)
    parameters, buffers = stack(nets)
    results = [parameters, buffers, [t.is_leaf for t in parameters.values()], error(stack, [])]
    nets[0].eval()
    results.append(error(stack, nets))
    nets[0].train()[0].bias.requires_grad_()
    return [*results, error(stack, nets), error(stack, [T.nn.ReLU(), T.nn.Tanh()])]


def fused(T):
    U, results = T.nn.utils, []
    for affine, bias in ((True, True), (False, False)):
        conv = filled(T, T.nn.Conv2d(2, 3, 2, bias=bias)).eval()
        norm = filled(T, T.nn.BatchNorm2d(3, affine=affine)).eval()
        x = pattern(T, 1, 2, 4, 4)
        made = U.fuse_conv_bn_eval(conv, norm)
        assert T.allclose(made(x), norm(conv(x)), atol=1e-6)
        results += [made, made.state_dict(), *made.parameters()]
        conv = filled(T, T.nn.ConvTranspose2d(2, 3, 2, bias=bias)).eval()
        made = U.fuse_conv_bn_eval(conv, norm, transpose=True)
        assert T.allclose(made(x), norm(conv(x)), atol=1e-6)
        results.append(made.state_dict())
        layer = filled(T, T.nn.Linear(4, 3, bias=bias)).eval()
        norm = filled(T, T.nn.BatchNorm1d(3)).eval()
        made = U.fuse_linear_bn_eval(layer, norm)
        assert T.allclose(made(T.ones(2, 4)), norm(layer(T.ones(2, 4))), atol=1e-6)
        results += [made.state_dict(), *made.parameters()]
    results += [
        error(U.fuse_conv_bn_eval, conv.train(), norm),
        error(U.fuse_linear_bn_eval, layer, norm.train()),
    ]
    results.append(error(U.fuse_linear_bn_eval, layer, T.nn.BatchNorm1d(2).eval()))
    untracked = T.nn.BatchNorm1d(3, track_running_stats=False).eval()
    results.append(error(U.fuse_linear_bn_eval, layer, untracked))
    half = (
        [t.half() for t in (layer.weight, layer.bias)]
        if layer.bias is not None
        else [layer.weight.half(), None]
    )
    statistics = (T.ones(3), T.ones(3), 1e-5, T.ones(3), T.zeros(3))
    return [*results, U.fuse_conv_bn_weights(*half, *statistics)]


def uninitialised(T):
    U = T.nn.utils
    made = U.skip_init(T.nn.Linear, 3, 2, bias=False)
    assert made.weight.device.type == "cpu"

    class Own(T.nn.Module):
        pass

    return [made, error(U.skip_init, T.Tensor), error(U.skip_init, Own), made.weight.shape]


def formats(T):
    U, two, three = T.nn.utils, T.channels_last, T.channels_last_3d
    net = filled(
        T, T.nn.Sequential(T.nn.Conv2d(2, 3, 2), T.nn.ConvTranspose3d(2, 3, 2), T.nn.Conv1d(2, 3, 2))
    )
    conv = filled(T, T.nn.Conv2d(1, 1, 1))
    assert U.convert_conv2d_weight_memory_format(net, two) is net
    U.convert_conv2d_weight_memory_format(conv, two)
    results = [[p.stride() for p in net.parameters()], conv.weight.stride()]
    U.convert_conv3d_weight_memory_format(net, three)
    return [*results, [p.stride() for p in net.parameters()], net.state_dict()]


PROGRAMS = [
    replaced, by_method, faults, added, parametrized, stacked, fused, uninitialised, formats
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_gives_what_pytorch_gives(program):
    same(program)


def test_the_module_is_as_before():
    net = tied(aten)
    net.three = net.one
    before = dict(net.named_parameters())
    given = {"one.weight": aten.zeros(3, 3), "three.weight": aten.zeros(3, 3)}
    functional_call(net, given, aten.ones(1, 3), tie_weights=False)
    with pytest.raises(RuntimeError):
        functional_call(net, {"one.weight": aten.zeros(5, 5)}, aten.ones(1, 3))
    with pytest.raises(TypeError):
        functional_call(net, {"one.bias": aten.zeros(3), "one.weight": 3}, aten.ones(1, 3))
    after = dict(net.named_parameters())
    assert list(after) == list(before)
    assert all(after[name] is parameter for name, parameter in before.items())
