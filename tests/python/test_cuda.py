"""aten.cuda without a device: it can be imported, and errors say what is missing."""

from __future__ import annotations

import aten
import pytest

cuda = aten.cuda

if cuda.is_available():
    pytest.skip("there is a device", allow_module_level=True)


def test_there_is_no_device():
    assert not cuda.is_available() and cuda.device_count() == 0 and not cuda.is_bf16_supported()
    assert cuda.get_rng_state_all() == []


NEED_ONE = (
    *(cuda.current_device, cuda.synchronize, cuda.current_stream, cuda.default_stream, cuda.Stream),
    *(cuda.get_device_name, cuda.get_device_capability, cuda.get_device_properties, cuda.mem_get_info),
    *(cuda.reset_peak_memory_stats, cuda.get_rng_state, cuda.initial_seed),
    lambda: cuda.set_device(0),
    lambda: cuda.device(0).__enter__(),
    lambda: cuda.Event().record(),
    lambda: cuda.ExternalStream(1),
    lambda: cuda.can_device_access_peer(0, 1),
    lambda: aten.Generator(device="cuda:1"),
    lambda: aten.zeros(1, device="cuda"),
    lambda: aten.zeros(1).cuda(),
    lambda: aten.zeros(1).pin_memory(),
    lambda: aten.zeros(1, pin_memory=True),
)
MISSING = "device type cuda here|no cuda device|no CUDA device|NVIDIA driver"


@pytest.mark.parametrize("use", NEED_ONE)
def test_what_needs_one_says_so(use):
    with pytest.raises(RuntimeError, match=MISSING):
        use()


def test_what_needs_none_does_nothing():
    cuda.manual_seed(1)
    cuda.manual_seed_all(1)
    cuda.seed_all()
    cuda.empty_cache()
    cuda.set_stream(None)
    with cuda.stream(None), cuda.device(None), cuda.device(-1), cuda.device_of(aten.zeros(1)):
        assert cuda.memory_allocated() == cuda.max_memory_reserved() == 0
    assert cuda.memory_stats() == {} and not aten.zeros(1).is_pinned()


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_other_devices_are_no_cuda_devices(device):
    with pytest.raises(ValueError, match=f"expected a CUDA device, got {device}"):
        cuda.get_device_name(device)


def test_tensors_elsewhere_have_no_cuda_array_interface():
    assert not hasattr(aten.zeros(1), "__cuda_array_interface__")
    with pytest.raises(AttributeError, match="not on cpu"):
        _ = aten.zeros(1).__cuda_array_interface__


def test_a_stream_is_of_some_device():
    with pytest.raises(TypeError, match="expected device, str or int, got float"):
        aten.Stream(1.5)
    with pytest.raises(TypeError, match="Stream"):
        aten.zeros(1).record_stream("cuda")
