"""Small programs about containers of modules and parameters; see module_programs."""

from __future__ import annotations

from collections import OrderedDict

from module_programs import layer, ramp, tried


def named(T, name):
    """A module that is shown by its name."""

    class Named(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.name = name

        def extra_repr(self):
            return self.name

    return Named()


def sequential(T, say):
    nn = T.nn
    a, b, c, d = (named(T, n) for n in "abcd")
    s = nn.Sequential(a, b, c)
    say(len(s), s[0], s[-1], s[1:], [m.name for m in s])
    for index in (3, -4, "a"):
        tried(say, lambda index=index: s[index])
    s[1] = d
    s.append(b).extend([a, c]).insert(0, c)
    say(s, s.pop(2), s.pop(-1), s)
    del s[0], s[1:3]
    say(s)
    s = nn.Sequential(a, b)
    say(s + nn.Sequential(c), s * 2, 2 * s)
    s += nn.Sequential(d)
    s *= 2
    say(s, s.insert(-1, c))
    for wrong in (lambda: s.__add__([a]), lambda: s * 0, lambda: s * "a", lambda: s.insert(99, a)):
        tried(say, wrong)
    tried(say, lambda: nn.Sequential({"a": a}))
    tried(say, lambda: nn.Sequential(3))
    say(nn.Sequential(OrderedDict(x=a, y=b)).x, list(nn.Sequential(OrderedDict(x=a, y=b))[:1]._modules))
    say(nn.Sequential()(3), nn.Sequential(layer(T), layer(T, 2, 1))(ramp(T, 1, 3)))


def module_list(T, say):
    nn = T.nn
    a, b, c = (named(T, n) for n in "abc")
    s = nn.ModuleList([a, b])
    s += [c]
    say(len(s), s[0], s[-1], s[1:], s[::-1], [m.name for m in s], a in s)
    s.insert(1, c)
    s[0] = b
    say(s.append(a) is s, s.extend([b, b]), s.__add__([a]), s.pop(0), s.pop(slice(0, 2)), s)
    del s[-1]
    for wrong in (lambda: s[9], lambda: s.extend(3), lambda: s.append(3), lambda: s(1)):
        tried(say, wrong)
    say(s, list(s.state_dict()), [n for n in dir(s) if n.isdigit()])


def module_dict(T, say):
    nn = T.nn
    a, b, c = (named(T, n) for n in "abc")
    d = nn.ModuleDict({"x": a, "y": b})
    d["z"] = c
    say(len(d), d["x"], list(d), "x" in d, list(d.keys()), len(d.values()), [k for k, _ in d.items()], d)
    d.update([("y", c), ("w", a)])
    d.update(OrderedDict(v=b))
    d.update(nn.ModuleDict({"u": b}))
    say(d, d.pop("x"))
    del d["y"]
    for wrong in (lambda: d["q"], lambda: d.update(3), lambda: d.update([("a",)]), lambda: d.pop("q")):
        tried(say, wrong)
    tried(say, lambda: d.__setitem__("a", 3))
    tried(say, lambda: d.__setitem__("keys", a))
    d.clear()
    say(d, len(d))


def parameter_list(T, say):
    nn = T.nn
    s = nn.ParameterList([ramp(T, 2), nn.Parameter(ramp(T, 1)), "text"])
    say(len(s), s[0], s[-1], s[:2], [type(v).__name__ for v in s], list(s.state_dict()))
    s.append(ramp(T, 3)).extend([ramp(T, 1)])
    s += [4]
    s[2] = ramp(T, 5)
    say(s, len(list(s.parameters())), [n for n in dir(s) if n.isdigit()])
    for wrong in (lambda: s[9], lambda: s.extend(3), lambda: s.extend(ramp(T, 2)), lambda: s(1)):
        tried(say, wrong)


def parameter_dict(T, say):
    nn = T.nn
    d = nn.ParameterDict({"b": ramp(T, 2), "a": nn.Parameter(ramp(T, 1)), "t": "text"})
    d["c"] = ramp(T, 3)
    say(len(d), d["a"], list(d), list(reversed(d)), "a" in d, list(d.keys()), list(d.state_dict()))
    say([type(v).__name__ for v in d.values()], [k for k, _ in d.items()], d.get("q", 3), d.get("t"))
    say(d.setdefault("a"), d.setdefault("n", 4), d.pop("b"), d.popitem(), d.copy(), d.fromkeys("xy", 2))
    d.update([("z", ramp(T, 1))])
    d.update(OrderedDict(v=1))
    del d["z"]
    say(d | nn.ParameterDict({"new": 1}), d)
    d |= nn.ParameterDict({"newer": 1})
    say(d)
    for wrong in (lambda: d["q"], lambda: d.update(3), lambda: d.update([("a",)]), lambda: d(1)):
        tried(say, wrong)
    d.clear()
    say(len(d))
