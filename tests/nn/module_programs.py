"""Small programs about modules; each runs with this package and with PyTorch, and must print the same.

`T` is the package, `say` prints; `tried(f)` says what f returns or the error that it raises.
"""

from __future__ import annotations

import copy
import pickle
import warnings
from collections import OrderedDict


def ramp(T, *shape):
    """A tensor of 0.0, 0.5, 1.0, ..."""
    count = 1
    for n in shape:
        count *= n
    return (T.arange(count, dtype=T.float32) / 2).reshape(shape)


def layer(T, inputs=3, outputs=2):
    """A module with two parameters, a buffer and a buffer that isn't saved."""
    nn = T.nn

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(ramp(T, outputs, inputs))
            self.bias = nn.Parameter(ramp(T, outputs))
            self.register_buffer("mean", ramp(T, 1))
            self.register_buffer("scratch", ramp(T, 1), persistent=False)

        def forward(self, x, scale=1.0):
            return nn.functional.linear(x, self.weight, self.bias) * scale

    return Layer()


def network(T):
    """Two layers, the second twice, and one inside a list."""
    nn = T.nn
    second = layer(T, 2, 2)
    return nn.Sequential(
        OrderedDict(first=layer(T), second=second, again=second, inner=nn.ModuleList([layer(T, 2, 2)]))
    )


def tried(say, f):
    try:
        say(f())
    except Exception as error:
        say(type(error).__name__, error)


def names_of_members(T, say):
    net = network(T)
    for unique in (True, False):
        say([n for n, _ in net.named_parameters(remove_duplicate=unique)])
        say([n for n, _ in net.named_buffers(prefix="net", remove_duplicate=unique)])
        say([n for n, _ in net.named_modules(prefix="net", remove_duplicate=unique)])
    say([n for n, _ in net.named_parameters(recurse=False)], [n for n, _ in net.first.named_parameters("p")])
    say([n for n, _ in net.named_children()], len(list(net.children())), len(list(net.modules())))
    say(len(list(net.parameters())), len(list(net.buffers())), len(list(net.parameters(recurse=False))))
    say(list(net.state_dict()), list(net.state_dict(prefix="x.")))


def attributes(T, say):
    nn, m = T.nn, layer(T)
    m.extra = nn.Parameter(ramp(T, 2))
    say(list(m._parameters), "extra" in m.__dict__, type(m.extra).__name__)
    m.extra = None
    say(m.extra, list(m._parameters))
    tried(say, lambda: setattr(m, "weight", ramp(T, 2)))
    tried(say, lambda: setattr(m, "weight", 3))
    m.child = layer(T)
    tried(say, lambda: setattr(m, "child", 3))
    m.child = None
    say(m.child, list(m._modules))
    tried(say, lambda: setattr(m, "mean", "text"))
    m.mean = ramp(T, 2)
    m.mean = None
    say(m.mean, list(m._buffers))
    m.plain = ramp(T, 2)
    m.plain = nn.Parameter(ramp(T, 2))
    say("plain" in m.__dict__, list(m._parameters))
    del m.plain
    m.plain = layer(T)
    say(list(m._parameters), list(m._modules))
    m.kept = nn.Buffer(ramp(T, 2), persistent=False)
    say(list(m._buffers), list(m.state_dict()), isinstance(m.kept, nn.Buffer), isinstance(m.mean, nn.Buffer))
    tried(say, lambda: m.nothing)
    del m.plain, m.weight, m.kept
    tried(say, lambda: delattr(m, "weight"))
    say(list(m._parameters), list(m._modules), list(m._buffers), sorted(m._non_persistent_buffers_set))
    say([n for n in dir(m) if n in ("bias", "weight", "mean", "forward", "0")])


def registration_errors(T, say):
    nn, m = T.nn, layer(T)
    p, t = nn.Parameter(ramp(T, 2)), ramp(T, 2)
    for name in (3, "a.b", "", "forward", "mean", "weight"):
        tried(say, lambda name=name: m.register_parameter(name, p))
        tried(say, lambda name=name: m.register_buffer(name, t))
        tried(say, lambda name=name: m.add_module(name, nn.Sequential()))
    tried(say, lambda: m.register_parameter("q", t))
    tried(say, lambda: m.register_parameter("q", p * 1))
    tried(say, lambda: m.register_buffer("q", 3))
    tried(say, lambda: m.add_module("q", 3))
    tried(say, lambda: nn.Module(3))
    tried(say, lambda: nn.Module(a=3))

    class Unready(nn.Module):
        def __init__(self, what):
            self.value = what

    for what in (p, nn.Sequential()):
        tried(say, lambda what=what: Unready(what))
    tried(say, lambda: Unready(3).register_buffer("b", t))
    tried(say, lambda: Unready(3).register_parameter("b", p))
    tried(say, lambda: nn.Module()(3))
    tried(say, lambda: m.get_nothing())
    tried(say, lambda: m.train("yes"))


def lookups(T, say):
    net = network(T)
    say(net.get_submodule("") is net, net.get_submodule("inner.0") is net.inner[0])
    say(tuple(net.get_parameter("first.weight").shape), tuple(net.get_buffer("first.mean").shape))
    for name in ("first.nothing", "first.weight", "nothing.weight"):
        tried(say, lambda name=name: net.get_submodule(name))
    for name in ("first.nothing", "first.mean", "first"):
        tried(say, lambda name=name: net.get_parameter(name))
    tried(say, lambda: net.get_buffer("first.weight"))
    tried(say, lambda: net.get_buffer("first.nothing"))
    net.set_submodule("inner.0", T.nn.Sequential())
    net.set_submodule("new", T.nn.Sequential())
    say(net)
    tried(say, lambda: net.set_submodule("", T.nn.Sequential()))
    tried(say, lambda: net.set_submodule("first", 3))
    tried(say, lambda: net.set_submodule("first.weight", T.nn.Sequential()))
    tried(say, lambda: net.set_submodule("first.other", T.nn.Sequential(), strict=True))


def state_dicts(T, say):
    net, other = network(T), network(T)
    state = net.state_dict()
    say(type(state).__name__, dict(state._metadata))
    say(
        state["first.weight"].requires_grad,
        net.state_dict(keep_vars=True)["first.weight"] is net.first.weight,
    )
    state = copy.deepcopy(state)
    state["first.weight"] += 1
    say(other.load_state_dict(state), other.first.weight, other.first.weight.is_leaf)
    del state["second.bias"], state["again.mean"]
    state["first.more"] = state["inner.1.weight"] = ramp(T, 2)
    tried(say, lambda: other.load_state_dict(state))
    result = other.load_state_dict(state, strict=False)
    say(result, result.missing_keys, result.unexpected_keys, list(result), pickle.loads(pickle.dumps(result)))
    state["first.weight"] = ramp(T, 7)
    state["first.mean"] = 3
    tried(say, lambda: other.load_state_dict(state, strict=False))
    tried(say, lambda: other.load_state_dict(3))
    m, loaded = layer(T), {k: v + 1 for k, v in layer(T).state_dict().items()}
    m.load_state_dict(loaded, assign=True)
    say(m.weight, m.mean is loaded["mean"], m.weight.data_ptr() == loaded["weight"].data_ptr())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        say(list(m.state_dict({}, "p.", True)))
    scalar = T.nn.Module()
    scalar.register_buffer("s", T.tensor(1.0))
    scalar.load_state_dict({"s": T.tensor([3.0])})
    say(scalar.s)


def state_hooks(T, say):
    net = network(T)
    first = net.first
    handles = [
        first.register_state_dict_pre_hook(
            lambda m, prefix, keep: say("pre", type(m).__name__, prefix, keep)
        ),
        first.register_state_dict_post_hook(lambda m, state, prefix, meta: say("post", list(state), meta)),
        first.register_load_state_dict_pre_hook(
            lambda m, state, prefix, *rest: say(m is first, prefix, rest)
        ),
        net.register_load_state_dict_post_hook(lambda m, keys: keys.missing_keys.clear()),
    ]
    state = net.state_dict()
    del state["first.bias"]
    say(net.load_state_dict(state))
    for handle in handles:
        handle.remove()
    tried(say, lambda: net.load_state_dict(state))
    with net.register_state_dict_post_hook(lambda m, state, *rest: {}):
        tried(say, net.state_dict)
    with net._register_state_dict_hook(lambda m, state, *rest: {"only": 1}):
        say(net.state_dict())
    with net.register_load_state_dict_post_hook(lambda m, keys: 1):
        tried(say, lambda: net.load_state_dict(network(T).state_dict()))

    class Extra(T.nn.Module):
        def get_extra_state(self):
            return {"count": 3}

        def set_extra_state(self, state):
            say("extra", state)

    extra = T.nn.Sequential(Extra())
    say(extra.state_dict())
    extra.load_state_dict(extra.state_dict())
    tried(say, lambda: extra.load_state_dict({}))
    tried(say, lambda: T.nn.Sequential(T.nn.Sequential()).load_state_dict(extra.state_dict()))


def forward_hooks(T, say):
    m, x = layer(T), ramp(T, 1, 3)
    order = []
    m.register_forward_pre_hook(lambda m, args: order.append("pre"))
    m.register_forward_pre_hook(lambda m, args: args[0] + 1, prepend=True)
    m.register_forward_pre_hook(lambda m, a, k: (a, {**k, "scale": 2.0}), with_kwargs=True)
    m.register_forward_hook(lambda m, args, out: say("post", args, out))
    m.register_forward_hook(lambda m, a, k, out: say("first", k), with_kwargs=True, prepend=True)
    last = m.register_forward_hook(lambda m, args, out: out.detach() * 10)
    say(m(x), m(x, scale=0.5), order)
    last.remove()
    say(m(x))
    wrong = m.register_forward_pre_hook(lambda m, a, k: 3, with_kwargs=True)
    tried(say, lambda: m(x))
    wrong.remove()
    m.register_forward_hook(lambda m, a, out: say("always", out), always_call=True)
    tried(say, lambda: m(x, 1, 2, 3))
    say(m(x), len(m._forward_hooks), len(m._forward_pre_hooks), len(m._forward_hooks_with_kwargs))


def backward_hooks(T, say):
    m = T.nn.Sequential(layer(T), T.nn.Sequential())
    x = ramp(T, 1, 3).requires_grad_()
    first = m[0]
    handles = [
        first.register_full_backward_hook(lambda m, gi, go: say("full", gi, go)),
        first.register_full_backward_hook(lambda m, gi, go: (gi[0] * 2,), prepend=True),
        first.register_full_backward_pre_hook(lambda m, go: (go[0] + 1,)),
    ]
    m(x).sum().backward()
    say(x.grad, first.weight.grad)
    handles.append(first.register_full_backward_hook(lambda m, gi, go: gi * 2))
    tried(say, lambda: m(x).sum().backward())
    for handle in handles:
        handle.remove()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with first.register_full_backward_hook(lambda m, gi, go: say("no inputs", gi, go)):
            first(ramp(T, 1, 3)).sum().backward()
        say([str(w.message)[:60] for w in caught])
    with first.register_full_backward_hook(lambda m, gi, go: say("never")), T.no_grad():
        say(first(x))


def global_hooks(T, say):
    module = T.nn.modules.module
    m, x = layer(T), ramp(T, 1, 3).requires_grad_()
    handles = [
        module.register_module_forward_pre_hook(lambda m, args: say("pre", args)),
        module.register_module_forward_hook(lambda m, args, out: say("post", out)),
        module.register_module_forward_hook(lambda m, a, k, out: say("kwargs", k), with_kwargs=True),
        module.register_module_full_backward_pre_hook(lambda m, go: say("back", go)),
        module.register_module_full_backward_hook(lambda m, gi, go: say("full", gi)),
        module.register_module_parameter_registration_hook(lambda m, name, p: say("parameter", name)),
        module.register_module_buffer_registration_hook(lambda m, name, b: say("buffer", name)),
        module.register_module_module_registration_hook(lambda m, name, c: say("module", name)),
    ]
    m.register_forward_hook(lambda m, args, out: say("own"))
    m(x, scale=2.0).sum().backward()
    T.nn.Sequential(layer(T))
    for handle in handles:
        handle.remove()
    m(x)


def conversions(T, say):
    net = network(T)
    net.first(ramp(T, 2, 3)).sum().backward()
    weight = net.first.weight
    for change in ("double", "half", "bfloat16", "float"):
        say(getattr(net, change)() is net, weight.dtype, weight.grad.dtype, net.first.mean.dtype)
    say(net.first.weight is weight, weight.requires_grad, weight.is_leaf)
    for args in ((T.float64,), ("cpu",), ("cpu", T.float16), (ramp(T, 1),), ("meta",)):
        net = network(T).to(*args)
        say(net.first.weight.dtype, net.first.weight.device, type(net.first.weight).__name__)
    net = network(T).to(dtype=T.float64, device="cpu", non_blocking=True)
    say(net.first.weight.dtype)
    tried(say, lambda: net.to(T.int64))
    say(layer(T).type(T.float64).weight.dtype)
    m = T.nn.Module()
    m.w = T.nn.Parameter(ramp(T, 1, 2, 2, 2))
    m.register_buffer("i", T.arange(3))
    say(m.to(memory_format=T.channels_last).w.stride(), m.half().i.dtype)
    say(m.to("meta").w.is_meta, m.i.is_meta, m.to_empty(device="cpu").w.shape, m.w.requires_grad)
    say(m.requires_grad_(False).w.requires_grad)


def modes(T, say):
    net = network(T)
    say(net.eval() is net, [m.training for m in net.modules()], net.train().inner.training)
    net.inner.eval()
    say(net.training, net.inner[0].training)
    net.first(ramp(T, 2, 3)).sum().backward()
    net.zero_grad(set_to_none=False)
    say(net.first.weight.grad)
    net.zero_grad()
    say(net.first.weight.grad)
    seen = []
    say(net.apply(lambda m: seen.append(type(m).__name__)) is net, seen)
    say(net.compile())


def representations(T, say):
    nn = T.nn

    class Shown(nn.Module):
        def extra_repr(self):
            return "a=1" if self.training else "a=1\nb=2"

    say(network(T), Shown(), Shown().eval(), nn.Sequential(Shown().eval(), Shown()), nn.Sequential())
    m = Shown()
    m.child = Shown().eval()
    m.none = None
    m.register_module("empty", None)
    say(m, m._get_name())
    say(nn.Parameter(ramp(T, 2)), nn.Parameter(ramp(T, 2), requires_grad=False), nn.Parameter())
    lists = [nn.Sequential(), nn.Sequential(), Shown(), Shown().eval(), Shown().eval()]
    say(nn.ModuleList(lists), nn.ModuleList(), nn.ModuleDict({"a": Shown(), "b": nn.ModuleList([Shown()])}))
    say(nn.ParameterList([ramp(T, 2, 3), 3, nn.Parameter(ramp(T, 1))]))
    say(nn.ParameterDict({"a": ramp(T, 2, 3), "b": 3}), nn.ParameterList(), nn.ParameterDict())


def copies(T, say):
    net = network(T)
    net.note = ["mutable"]
    net.first.weight.grad = ramp(T, 2, 3)
    copied = copy.deepcopy(net)
    say(copied.second is copied.again, copied.note, copied.note is net.note, copied.first.weight.grad is None)
    with T.no_grad():
        copied.first.weight.add_(1)
    say(net.first.weight, copied.first.weight, type(copied.first.weight).__name__)
    shallow = copy.copy(net.first)
    say(shallow.weight is net.first.weight)
    sequence = T.nn.Sequential(T.nn.ParameterList([ramp(T, 2)]), T.nn.ModuleDict({"a": T.nn.Sequential()}))
    sequence.register_buffer("b", ramp(T, 1))
    loaded = pickle.loads(pickle.dumps(sequence))
    say(loaded, loaded[0][0], loaded.b, loaded.training)
    tensor = pickle.loads(pickle.dumps(T.nn.Parameter(ramp(T, 2), requires_grad=False)))
    say(tensor, type(tensor).__name__)


def parameters(T, say):
    nn = T.nn
    t = ramp(T, 2)
    p = nn.Parameter(t)
    say(isinstance(p, T.Tensor), isinstance(t, nn.Parameter), p.data_ptr() == t.data_ptr(), p.requires_grad)
    say(type(p + 1).__name__, type(p.data).__name__, type(p.detach()).__name__, type(p.view(1, 2)).__name__)
    with T.no_grad():
        say(nn.Parameter(t).requires_grad)
    say(type_of_error(lambda: nn.Parameter(T.arange(3))))

    class Special(T.Tensor):
        pass

    special = nn.Parameter(t.as_subclass(Special))
    say(type(special).__name__, isinstance(special, nn.Parameter), special.requires_grad)
    m = nn.Module()
    m.special = special
    say(list(m._parameters))
    u = nn.UninitializedParameter()
    say(u, isinstance(u, nn.Parameter), u.requires_grad, u.dtype)
    tried(say, lambda: u.shape)
    say(type_of_error(lambda: u + 1), type_of_error(lambda: T.relu(u)))
    queries = "numel nelement dim element_size tolist item storage_offset data_ptr is_shared type"
    for query in [*queries.split(), "share_memory_", "__len__", "__bool__", "__iter__"]:
        say(query, type_of_error(getattr(u, query)))
    u.materialize((2, 3))
    say(type(u).__name__, u.shape, u.numel(), len(u), u.dim())
    b = nn.UninitializedBuffer(dtype=T.float64)
    b.materialize((2,))
    say(type(b).__name__, b.dtype)


def type_of_error(f):
    try:
        return f()
    except Exception as error:
        return type(error).__name__
