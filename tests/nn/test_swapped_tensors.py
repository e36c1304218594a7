"""utils.swap_tensors, and modules that convert and load their parameters by it; the same holds in PyTorch."""

from __future__ import annotations

import gc
import weakref

import pytest


@pytest.fixture(params=["aten", "torch"])
def T(request):
    return pytest.importorskip(request.param)


@pytest.fixture
def swapping(T):
    T.__future__.set_swap_module_params_on_conversion(True)
    yield T
    T.__future__.set_swap_module_params_on_conversion(False)


class Marker:
    """An object whose end can be observed."""


def test_each_becomes_the_other(T):
    p, t = T.nn.Parameter(T.ones(2)), T.zeros(3, dtype=T.int64)
    p.note, t.tag = "p", "t"
    p.grad = T.full((2,), 5.0)
    places = [p], {"t": t}
    addresses = p.data_ptr(), t.data_ptr()
    T.utils.swap_tensors(p, t)
    assert places[0][0] is p and places[1]["t"] is t
    assert type(p) is T.Tensor and type(t) is T.nn.Parameter
    assert vars(p) == {"tag": "t"} and vars(t) == {"note": "p"}
    assert p.tolist() == [0, 0, 0] and p.dtype == T.int64 and not p.requires_grad and p.grad is None
    assert t.tolist() == [1.0, 1.0] and t.requires_grad and t.grad.tolist() == [5.0, 5.0]
    assert (t.data_ptr(), p.data_ptr()) == addresses
    (t * t).sum().backward()
    assert t.grad.tolist() == [7.0, 7.0]


def test_hooks_go_with_the_tensor(T):
    a, b, seen = T.ones(2, requires_grad=True), T.ones(2, requires_grad=True), []
    handle = a.register_hook(lambda g: seen.append(g.tolist()))
    T.utils.swap_tensors(a, b)
    (a * 2).sum().backward()
    assert seen == []
    (b * 3).sum().backward()
    assert seen == [[3.0, 3.0]]
    handle.remove()
    (b * 4).sum().backward()
    assert len(seen) == 1 and a.grad.tolist() == [2.0, 2.0]


def test_a_tensor_and_itself(T):
    x = T.ones(2)
    T.utils.swap_tensors(x, x)
    assert x.tolist() == [1.0, 1.0]


def test_slots(T):
    class Slotted(T.Tensor):
        __slots__ = ("place",)

    a, b = T.ones(1).as_subclass(Slotted), T.zeros(1).as_subclass(Slotted)
    a.place = 3
    T.utils.swap_tensors(a, b)
    assert b.place == 3 and not hasattr(a, "place") and a.item() == 0.0
    with pytest.raises(RuntimeError, match="slots"):
        T.utils.swap_tensors(a, T.ones(1))
    assert a.item() == 0.0


HOLDERS = {
    "a view": (lambda T, x: x[:1], "use_count|require gradients"),
    "a weak reference": (lambda T, x: weakref.ref(x), "weakref"),
    "a graph": (lambda T, x: x * T.ones(2, requires_grad=True), "use_count|requires|require grad"),
}


@pytest.mark.parametrize("other_first", [False, True])
@pytest.mark.parametrize(("hold", "message"), HOLDERS.values(), ids=HOLDERS)
def test_tensors_that_something_else_refers_to(T, hold, message, other_first):
    x, y = T.ones(2), T.zeros(3)
    held = hold(T, x)
    with pytest.raises(RuntimeError, match=message):
        T.utils.swap_tensors(*((y, x) if other_first else (x, y)))
    assert x.tolist() == [1.0, 1.0] and y.tolist() == [0.0, 0.0, 0.0]
    del held
    T.utils.swap_tensors(x, y)
    assert x.tolist() == [0.0, 0.0, 0.0]


def test_a_graph_that_was_recorded_before(T):
    p, q = T.nn.Parameter(T.ones(2)), T.nn.Parameter(T.zeros(2))
    total = (p + 1).sum()
    T.utils.swap_tensors(p, q)
    with pytest.raises(RuntimeError, match="poisoned by swap_tensors"):
        total.backward()
    assert p.grad is None and q.grad is None
    del total
    (p + q).sum().backward()
    assert p.grad.tolist() == [1.0, 1.0] == q.grad.tolist()


def test_objects_whose_class_was_exchanged_are_freed(T):
    ends = []
    for _ in range(100):
        a, b, marker = T.nn.Parameter(T.ones(2)), T.zeros(2), Marker()
        a.marker, b.other = marker, a  # reaches itself once it is swapped
        T.utils.swap_tensors(a, b)
        a.cycle = a
        ends.append(weakref.ref(marker))
        del a, b, marker
        T.ones(1) + T.nn.Parameter(T.ones(1))  # takes memory that was freed
    gc.collect()
    assert not any(end() for end in ends)


def test_a_conversion_keeps_the_objects(swapping):
    T = swapping
    module, optimizer_like = T.nn.Linear(2, 2), []
    module(T.ones(1, 2)).sum().backward()
    weight, grad = module.weight, module.weight.grad
    optimizer_like.append(weight)
    weight.note = 1
    assert module.double() is module
    assert module.weight is weight is optimizer_like[0] and weight.dtype == T.float64
    assert type(weight) is T.nn.Parameter and weight.requires_grad
    assert weight.grad.dtype == T.float64 and weight.grad is grad
    module.to("meta")
    assert module.weight is weight and weight.is_meta and weight.grad.is_meta
    module.to_empty(device="cpu")
    assert module.weight is weight and weight.device.type == "cpu"


def test_a_conversion_between_forward_and_backward(swapping):
    T = swapping
    module = T.nn.Linear(2, 2)
    total = module(T.ones(1, 2)).sum()
    module.double()
    with pytest.raises(RuntimeError, match="poisoned by swap_tensors"):
        total.backward()


def test_a_parameter_that_a_view_refers_to(swapping):
    T = swapping
    module = T.nn.Linear(2, 2)
    module.weight.sum().backward()
    view = module.weight[:1]
    with pytest.raises(RuntimeError, match=r"_apply\(\): Couldn't swap Linear.weight"):
        module.double()
    assert module.weight.dtype == view.dtype == T.float32
    assert module.weight.grad.tolist() == [[1.0, 1.0], [1.0, 1.0]]


@pytest.mark.parametrize("assign", [False, True])
def test_a_state_is_loaded_into_the_same_objects(swapping, assign):
    T = swapping
    module = T.nn.BatchNorm1d(2)
    tensors = [module.weight, module.bias, module.running_mean]
    module.bias.requires_grad_(False)
    state = {k: v.detach().double() + 2 for k, v in module.state_dict().items()}
    module.load_state_dict(state, assign=assign)
    assert all(
        a is b for a, b in zip([module.weight, module.bias, module.running_mean], tensors, strict=True)
    )
    assert tensors[0].tolist() == [3.0, 3.0] and tensors[2].tolist() == [2.0, 2.0]
    assert [t.requires_grad for t in tensors] == [True, False, False]
    assert tensors[0].dtype == (T.float64 if assign else T.float32)
    assert (tensors[0].data_ptr() == state["weight"].data_ptr()) == assign
    view = module.weight[:1]
    with pytest.raises(RuntimeError, match='While swapping the parameter named "weight"'):
        module.load_state_dict(state)
    assert view is not None


def test_a_subclass_says_what_is_loaded(swapping):
    T = swapping

    class Doubled(T.Tensor):
        def module_load(self, other, assign=False):
            return other.detach() * 2

    module = T.nn.Module()
    module.register_buffer("b", T.zeros(2).as_subclass(Doubled))
    module.load_state_dict({"b": T.ones(2)})
    assert module.b.tolist() == [2.0, 2.0]
    Doubled.module_load = lambda self, other, assign=False: other
    module.b = T.zeros(2).as_subclass(Doubled)
    with pytest.raises(RuntimeError, match="module_load returned one of self or other"):
        module.load_state_dict({"b": T.ones(2)})


def test_new_parameters_on_conversion(T):
    module = T.nn.Linear(2, 2)
    weight = module.weight
    assert not T.__future__.get_overwrite_module_params_on_conversion()
    T.__future__.set_overwrite_module_params_on_conversion(True)
    try:
        module.double()
    finally:
        T.__future__.set_overwrite_module_params_on_conversion(False)
    assert module.weight is not weight and weight.dtype == T.float32 and module.weight.dtype == T.float64


def test_the_switches_are_off_at_first(T):
    assert not T.__future__.get_swap_module_params_on_conversion()
