"""__torch_dispatch__ modes and subclasses, __torch_function__."""

from __future__ import annotations

import threading

import aten
import pytest
from aten.overrides import TorchFunctionMode
from aten.utils._python_dispatch import TorchDispatchMode

F = aten.nn.functional


class Tracer(TorchDispatchMode):
    """Records a program: for each call the operator and, for its tensors, the numbers of the calls that
    made them."""

    def __init__(self, pre_dispatch: bool = False) -> None:
        super().__init__(pre_dispatch)
        self.lines: list[str] = []
        self.numbers: dict[int, int] = {}
        self.keep: list[object] = []

    def name(self, value: object) -> str:
        if isinstance(value, aten.Tensor):
            return f"%{self.numbers[id(value)]}" if id(value) in self.numbers else "input"
        return repr(value)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        self.lines.append(f"{func}({', '.join(map(self.name, args))})")
        if isinstance(result, aten.Tensor):
            self.numbers[id(result)] = len(self.lines)
            self.keep.append(result)
        return result

    def operators(self) -> list[str]:
        return [line.partition("(")[0] for line in self.lines]


def model(x, w, b):
    return F.relu(F.linear(x, w, b)) + 1.0


INPUTS = (aten.ones(2, 3), aten.ones(4, 3), aten.ones(4))


def test_tracer_below_autograd_sees_what_composites_call() -> None:
    expected = model(*INPUTS)
    with Tracer() as tracer:
        result = model(*INPUTS)
    assert aten.equal(result, expected)
    assert tracer.operators() == [
        "aten.t.default",
        "aten.addmm.default",
        "aten.relu.default",
        "aten.add.Tensor",
    ]
    assert tracer.lines[1] == "aten.addmm.default(input, input, %1)"
    assert tracer.lines[3] == "aten.add.Tensor(%3, 1.0)"


def test_tracer_above_autograd_sees_composites_whole() -> None:
    expected = model(*INPUTS)
    with Tracer(pre_dispatch=True) as tracer:
        result = model(*INPUTS)
    assert aten.equal(result, expected)
    assert tracer.operators() == ["aten.linear.default", "aten.relu.default", "aten.add.Tensor"]


def test_both_modes_at_once() -> None:
    with Tracer(pre_dispatch=True) as above, Tracer() as below:
        model(*INPUTS)
    assert "aten.linear.default" in above.operators() and "aten.addmm.default" in below.operators()


def test_factories_are_seen() -> None:
    with Tracer() as tracer:
        aten.zeros(2, dtype=aten.int32)
    assert tracer.operators() and all("aten." in o for o in tracer.operators())


def test_modes_nest_and_step_aside() -> None:
    with Tracer() as outer, Tracer() as inner:
        aten.ones(2).add(1)
        assert inner.operators()[-1] == "aten.add.Tensor"
    assert outer.operators() == inner.operators()
    count = len(outer.lines)
    aten.ones(2).add(1)
    assert len(outer.lines) == count


def test_errors_in_a_mode_come_through_and_leave_it_usable() -> None:
    class Failing(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            raise KeyError("mine")

    x = aten.ones(2)
    mode = Failing()
    with mode:
        for _ in range(2):
            with pytest.raises(KeyError, match="mine"):
                x + x
    assert (x + x).tolist() == [2, 2]


def test_a_mode_must_return_what_the_schema_says() -> None:
    class Wrong(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return "text"

    x = aten.ones(2)
    with Wrong(), pytest.raises(TypeError, match="expected Tensor, got str"):
        x + x


def test_modes_belong_to_a_thread() -> None:
    seen = []
    with Tracer() as tracer:
        thread = threading.Thread(target=lambda: seen.append(aten.ones(2) + 1))
        thread.start()
        thread.join()
    assert seen and tracer.lines == []


class Logged(aten.Tensor):
    """Wraps a tensor; records calls, and wraps their results."""

    calls: list[str] = []

    @staticmethod
    def wrap(x: aten.Tensor) -> Logged:
        made = aten.Tensor._make_subclass(Logged, x)
        made.inner = x
        return made

    __torch_function__ = aten._C._disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(str(func))
        assert cls in types
        inner = [a.inner if isinstance(a, Logged) else a for a in args]
        result = func(*inner, **(kwargs or {}))
        return cls.wrap(result) if isinstance(result, aten.Tensor) else result


def test_tensor_subclass_takes_operators() -> None:
    Logged.calls.clear()
    x = Logged.wrap(aten.ones(2))
    y = x + x
    assert type(y) is Logged and y.inner.tolist() == [2, 2]
    assert Logged.calls == ["aten.add.Tensor"]
    assert (aten.ones(2) * x).inner.tolist() == [1, 1]


class Fun(aten.Tensor):
    seen: list[object] = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.seen.append(func)
        return super().__torch_function__(func, types, args, kwargs)


def test_torch_function_of_subclasses() -> None:
    Fun.seen.clear()
    x = aten.ones(2).as_subclass(Fun)
    y = aten.add(x, 1)
    assert type(y) is Fun and Fun.seen == [aten.add]
    assert type(x.mul(2)) is Fun and Fun.seen[-1] is aten.Tensor.mul
    assert type(aten.cat([aten.ones(1), x])) is Fun
    assert type(x[0]) is Fun
    with aten.overrides.DisableTorchFunctionSubclass():
        assert type(aten.add(x, 1)) is aten.Tensor


def test_torch_function_of_other_classes() -> None:
    class Duck:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return func, args, kwargs

    duck = Duck()
    func, args, kwargs = aten.add(aten.ones(1), duck, alpha=2)
    assert func is aten.add and args[1] is duck and kwargs == {"alpha": 2}
    assert F.linear(duck, duck)[0] is aten._C._nn.linear or F.linear(duck, duck)[0] is F.linear


def test_torch_function_that_declines() -> None:
    class No:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

    with pytest.raises(TypeError, match="no implementation found for 'add'"):
        aten.add(aten.ones(1), No())


def test_function_modes() -> None:
    class Mode(TorchFunctionMode):
        def __init__(self) -> None:
            self.seen: list[object] = []

        def __torch_function__(self, func, types, args=(), kwargs=None):
            self.seen.append(func)
            return func(*args, **(kwargs or {}))

    with Mode() as mode:
        x = aten.ones(2)
        aten.add(x, x)
        x.mul(2)
    assert mode.seen == [aten.ones, aten.add, aten.Tensor.mul]


def test_a_dispatch_mode_sees_storages() -> None:
    """A Storage arrives as the memory it is: the call with it does what it did."""

    class Mode(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            self.arguments = args
            return func(*args, **(kwargs or {}))

    memory, x = aten.arange(6.0).untyped_storage(), aten.empty(0)
    with Mode() as mode:
        aten.ops.aten.set_.source_Storage_storage_offset(x, memory, 1, [2], [2])
    assert x.tolist() == [1.0, 3.0]
    assert isinstance(mode.arguments[1], aten.UntypedStorage)
    assert mode.arguments[1].data_ptr() == memory.data_ptr() and mode.arguments[1].nbytes() == 24
    with pytest.raises(TypeError, match="expected Storage, got Tensor"):
        aten.ops.aten.set_.source_Storage(x, aten.ones(1))
