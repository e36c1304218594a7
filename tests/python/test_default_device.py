"""set_default_device, and devices as context managers."""

from __future__ import annotations

import threading

import aten
import pytest


@pytest.fixture(autouse=True)
def restored():
    yield
    aten.set_default_device(None)


def test_a_device_as_context() -> None:
    assert aten.get_default_device() == aten.device("cpu")
    with aten.device("meta") as place:
        assert place == aten.device("meta") == aten.get_default_device()
        assert aten.ones(2).is_meta and aten.tensor([1.0]).is_meta and aten.as_tensor([1.0]).is_meta
        assert aten.asarray([1]).is_meta and aten.fft.fftfreq(3).is_meta and aten.arange(3).is_meta
        assert aten.zeros(2, device="cpu").is_cpu and aten.tensor(1, device="cpu").is_cpu
        with aten.device("cpu"):
            assert aten.empty(1).is_cpu
        assert aten.rand(2).is_meta and aten.randint(3, (2,)).is_meta
    assert aten.ones(2).is_cpu and aten.tensor(1).is_cpu


def test_tensors_of_others_keep_their_device() -> None:
    x = aten.ones(2)
    with aten.device("meta"):
        assert aten.zeros_like(x).is_cpu and x.new_ones(2).is_cpu and (x + 1).is_cpu


def test_it_is_left_by_an_error() -> None:
    with pytest.raises(KeyError), aten.device("meta"):
        raise KeyError
    assert aten.ones(1).is_cpu


def test_the_default_device() -> None:
    aten.set_default_device("meta")
    assert aten.get_default_device() == aten.device("meta") and aten.ones(1).is_meta
    with aten.device("cpu"):
        assert aten.ones(1).is_cpu
    aten.set_default_device(aten.device("cpu"))
    assert aten.ones(1).is_cpu
    with pytest.raises(RuntimeError, match="nowhere"):
        aten.set_default_device("nowhere")


def test_it_is_the_threads_own() -> None:
    aten.set_default_device("meta")
    found = []
    thread = threading.Thread(target=lambda: found.append(aten.ones(1).is_cpu))
    thread.start()
    thread.join()
    assert found == [True]


def where(m) -> tuple[str, str, str]:
    """The device that is told, that of a factory, and that of tensor()."""
    return m.get_default_device().type, m.ones(1).device.type, m.tensor(1).device.type


@pytest.mark.parametrize("inner", ["cpu", "meta", None])
@pytest.mark.parametrize("outer", ["cpu", "meta"])
@pytest.mark.parametrize("m", ["aten", "torch"])
def test_the_default_device_is_set_within_a_device(m, outer: str, inner: str | None) -> None:
    m = pytest.importorskip(m)
    with m.device(outer):
        m.set_default_device(inner)
        assert where(m) == (inner or outer,) * 3
    assert where(m) == ("cpu",) * 3
    if m.__name__ == "torch":  # it would go on with the device that was left
        while m._C._len_torch_function_stack():
            m._C._pop_torch_function_stack()
        m.utils._device.CURRENT_DEVICE = m._GLOBAL_DEVICE_CONTEXT.device_context = None


def test_the_one_that_was_set_or_entered_last_applies() -> None:
    aten.set_default_device("meta")
    with aten.device("cpu"):
        assert where(aten) == ("cpu",) * 3
        aten.set_default_device("meta")
        assert where(aten) == ("meta",) * 3
        with aten.device("cpu"):
            assert where(aten) == ("cpu",) * 3
        assert where(aten) == ("meta",) * 3
        aten.set_default_device(None)
        assert where(aten) == ("cpu",) * 3
        aten.set_default_device("cpu")
    assert where(aten) == ("meta",) * 3


@pytest.mark.parametrize("m", ["aten", "torch"])
def test_it_is_set_within_a_mode(m) -> None:
    """The mode sees calls as they were written, before a device is added."""
    m = pytest.importorskip(m)
    seen = []

    class Mode(m.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.append((kwargs or {}).get("device"))
            return func(*args, **(kwargs or {}))

    with Mode():
        m.set_default_device("meta")
        del seen[:]
        assert m.ones(1).device.type == "meta" and seen[0] is None
        m.set_default_device(None)
        assert m.ones(1).device.type == "cpu"
        m.set_default_device("meta")
    assert m.ones(1).device.type == "meta"
    with Mode(), m.device("cpu"):
        assert m.ones(1).device.type == "cpu"
    assert m.ones(1).device.type == "meta"
    m.set_default_device(None)
