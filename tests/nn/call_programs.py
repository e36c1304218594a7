"""Small programs about the calls and the attributes of modules, as those in module_programs.py."""

from __future__ import annotations

import abc
import copy
import inspect
import pickle
import typing
import weakref
from collections import OrderedDict

from module_programs import ramp, tried


def adder(T, *bases):
    """A module class that adds its parameter, with further bases."""
    nn = T.nn

    class Adder(nn.Module, *bases):
        amount: int
        shadowed = None

        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(ramp(T, 2))
            self.register_buffer("mean", ramp(T, 1))
            self.shadowed = nn.Identity()
            self.inner = nn.Identity()

        def forward(self, x, *more, scale=1):
            return (self.inner(x) + self.weight) * scale + sum(more)

    return Adder


def arguments_of_calls(T, say):
    module, x = adder(T)(), ramp(T, 2)
    for args, kwargs in (((x,), {}), ((x, 1), {"scale": 2}), ((), {"x": x}), ((x, *range(12)), {})):
        say(module(*args, **kwargs).tolist())
        say(type(module).__call__(module, *args, **kwargs).tolist())
    tried(say, lambda: module.forward(1, wrong=2))
    tried(say, lambda: T.nn.Module()(x))
    say(inspect.signature(module), callable(module))


def forwards(T, say):
    nn, x = T.nn, ramp(T, 2)

    class Static(nn.Module):
        @staticmethod
        def forward(x):
            return x + 1

    class OfClass(nn.Module):
        @classmethod
        def forward(cls, x):
            return cls.__name__

    class Callable(nn.Module):
        forward = len

    class Property(nn.Module):
        @property
        def forward(self):
            return lambda x: x + 2

    class Nothing(nn.Module):
        forward = None

    for module in (Static(), OfClass(), Callable(), Property(), Nothing()):
        tried(say, lambda module=module: module(x))
    module = adder(T)()
    module.forward = lambda x: x + 3
    say(module(x).tolist())
    say(copy.copy(module)(x).tolist())
    del module.forward
    say(module(x).tolist())
    adder_type = type(module)
    adder_type.forward = lambda self, x: "patched"
    say(module(x))


def own_calls(T, say):
    x = ramp(T, 2)

    class Shouting(adder(T)):
        def __call__(self, *args, **kwargs):
            return "called", super().__call__(*args, **kwargs).tolist()

    say(Shouting()(x))
    say(type(Shouting()).__call__(Shouting(), x))
    say(inspect.signature(Shouting()))
    usual = T.nn.Module.__call__
    try:
        T.nn.Module.__call__ = lambda self, *args: ("patched", usual(self, *args).tolist())
        say(T.nn.Identity()(x))
    finally:
        T.nn.Module.__call__ = usual
    say(T.nn.Identity()(x).tolist())


def own_lookups(T, say):
    base, x = adder(T), ramp(T, 2)

    class Doubling(base):
        def __getattr__(self, name):
            if name.startswith("absent"):
                return name
            found = super().__getattr__(name)
            return found * 2 if name == "weight" else found

    class Delegating(T.nn.Module):
        def __init__(self, inner):
            super().__init__()
            self.module = inner

        def __getattr__(self, name):
            try:
                return super().__getattr__(name)
            except AttributeError:
                return getattr(self.module, name)

        def forward(self, x):
            return self.module(x)

    class Watching(base):
        def __getattribute__(self, name):
            if name in ("forward", "weight", "absent"):
                say("looked for", name)
            return super().__getattribute__(name)

    module = Doubling()
    say(module.weight.tolist(), module.mean.tolist(), module.absent_too, module(x).tolist())
    tried(say, lambda: module.other)
    outer = Delegating(module)
    say(outer.weight.tolist(), outer.module is module, outer(x).tolist())
    tried(say, lambda: outer.other)
    tried(say, lambda: Watching()(x).tolist())
    tried(say, lambda: Watching().absent)
    usual = base()
    base.__getattr__ = lambda self, name: f"patched {name}"
    say(usual.weight, usual.mean, usual.amount)
    del base.__getattr__
    say(usual.weight.tolist())
    say(T.nn.Module.__getattr__(module, "weight").tolist(), module.__getattr__("mean").tolist())
    tried(say, lambda: T.nn.Module.__getattr__(module, "training"))


def attributes_in_order(T, say):
    base = adder(T)
    module = base()
    say(module.shadowed, type(module._modules["shadowed"]).__name__)
    vars(module)["mean"] = "in the dict"
    say(module.mean, "weight" in vars(module), sorted(module._parameters))
    del vars(module)["mean"]
    base.weight = property(lambda self: "a property")
    say(module.weight)
    del base.weight
    say(module.weight.tolist())

    class Failing(base):
        @property
        def broken(self):
            return self.absent

    tried(say, lambda: Failing().broken)
    tried(say, lambda: module.absent)
    tried(say, lambda: getattr(module, "weight", None).tolist())
    say(hasattr(module, "absent"), hasattr(module, "weight"), getattr(module, "absent", "else"))
    del module.weight
    tried(say, lambda: module.weight)
    module._parameters["weight"] = None
    say(module.weight)


def replaced_places(T, say):
    class Logged(OrderedDict):
        def __getitem__(self, key):
            return "got " + key

    module = adder(T)()
    module._parameters = Logged(module._parameters)
    say(module.weight, module.mean.tolist())
    tried(say, lambda: module.absent)


def further_bases(T, say):
    class Mixin:
        def __call__(self):
            return "the mixin's"

        def __getattr__(self, name):
            return "the mixin's " + name

    class Slotted:
        __slots__ = ("slot",)

    item = typing.TypeVar("item")
    x = ramp(T, 2)
    for bases in ((Mixin,), (Slotted,), (abc.ABC,), (typing.Generic[item],), (dict,)):
        kind = adder(T, *bases)
        module = kind()
        say([c.__name__ for c in kind.__mro__ if not c.__name__.endswith("Module") or c is T.nn.Module][:2])
        say(module(x).tolist(), weakref.ref(module)() is module)
        tried(say, lambda module=module: module.absent)

    class First(Mixin, T.nn.Identity):
        pass

    say(First()(), First().anything)


def reclassed(T, say):
    class Other(T.nn.Linear):
        def forward(self, x):
            return "other"

    module = T.nn.Linear(2, 2)
    module.__class__ = Other
    say(module(ramp(T, 2)), [n for n, _ in module.named_parameters()])


def pickles(T, say):
    module = T.nn.Sequential(T.nn.Linear(2, 2, bias=False), T.nn.ReLU())
    module[0].weight.data.fill_(1)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        say(pickle.loads(pickle.dumps(module, protocol))(ramp(T, 2)).tolist())
    say(copy.deepcopy(module)(ramp(T, 2)).tolist(), sorted(vars(module[0]))[:8])


def hooks_set_in_a_call(T, say):
    class Registering(T.nn.Module):
        def forward(self, x):
            self.register_forward_hook(lambda *args: say("hook"))
            return x

    module = Registering()
    for _ in range(3):
        module(1)
        say("called")
