"""aten.cuda: devices, their properties and their memory."""

from __future__ import annotations

from device_programs import check, needs_device

pytestmark = needs_device


def test_devices_are_counted_and_chosen():
    check(
        """
        cuda = aten.cuda
        assert cuda.is_available() and cuda.device_count() == 2
        assert cuda.current_device() == 0
        with cuda.device(1):
            assert cuda.current_device() == 1 and aten.empty(1, device="cuda").device.index == 1
            with cuda.device("cuda:0"):
                assert cuda.current_device() == 0
            assert cuda.current_device() == 1
        assert cuda.current_device() == 0
        with cuda.device(None), cuda.device(-1):
            assert cuda.current_device() == 0
        with cuda.device_of(aten.empty(1, device="cuda:1")):
            assert cuda.current_device() == 1
        with cuda.device_of(aten.empty(1)):
            assert cuda.current_device() == 0
        cuda.set_device("cuda:1")
        assert cuda.current_device() == 1
        cuda.set_device(-1)
        assert cuda.current_device() == 1
        cuda.synchronize()
        cuda.synchronize(0)
        assert cuda.current_device() == 1
        """,
        devices=2,
    )


def test_the_current_device_is_that_of_a_thread():
    check(
        """
        import threading
        aten.cuda.set_device(1)
        seen = []
        thread = threading.Thread(target=lambda: seen.append(aten.cuda.current_device()))
        thread.start()
        thread.join()
        assert seen == [0] and aten.cuda.current_device() == 1
        """,
        devices=2,
    )


def test_a_device_that_does_not_exist_is_named():
    check(
        """
        cuda = aten.cuda
        for f in (cuda.set_device, cuda.get_device_name, cuda.mem_get_info, cuda.synchronize, cuda.Stream,
                  cuda.current_stream, cuda.memory_stats, cuda.get_rng_state,
                  lambda d: aten.Generator(device=f"cuda:{d}")):
            try:
                f(3)
            except RuntimeError as error:
                assert "cuda:3" in str(error) or "index 3" in str(error), error
            else:
                raise AssertionError(f)
        for wrong in ("cpu", aten.device("meta")):
            try:
                aten.cuda.set_device(wrong)
            except ValueError as error:
                assert str(wrong) in str(error)
            else:
                raise AssertionError(wrong)
        """
    )


def test_properties_are_the_devices_own():
    check(
        """
        cuda = aten.cuda
        p = cuda.get_device_properties(1)
        assert p.name == cuda.get_device_name(1) and p.name in repr(p)
        assert (p.major, p.minor) == cuda.get_device_capability(1)
        assert p.total_memory == cuda.mem_get_info(1)[1]
        assert p.warp_size == 32 and p.multi_processor_count > 0 and len(p.uuid) == 16
        assert p.uuid != cuda.get_device_properties(0).uuid
        assert cuda.is_bf16_supported() and cuda.is_bf16_supported(False) == (p.major >= 8)
        assert cuda.can_device_access_peer(0, 1) and not cuda.can_device_access_peer(1, 1)
        """,
        devices=2,
    )


def test_memory_is_counted_by_device():
    check(
        """
        cuda = aten.cuda
        assert cuda.memory_allocated() == 0 == cuda.memory_reserved()
        a = aten.empty(1000, dtype=aten.uint8, device="cuda:1")
        assert cuda.memory_allocated(0) == 0
        assert cuda.memory_allocated(1) == 1024 and cuda.memory_reserved(1) == 2 << 20
        stats = cuda.memory_stats(1)
        assert stats["requested_bytes.all.current"] == 1000
        assert stats["allocation.small_pool.current"] == 1 and stats["allocation.large_pool.current"] == 0
        assert stats["segment.all.current"] == 1 == stats["num_device_alloc"]
        nested = cuda.memory_stats_as_nested_dict(1)
        assert nested["allocated_bytes"]["all"]["current"] == 1024
        b = aten.empty(3 << 20, dtype=aten.uint8, device="cuda:1")
        assert cuda.memory_stats(1)["allocated_bytes.large_pool.current"] == 3 << 20
        del b
        assert cuda.memory_allocated(1) == 1024 and cuda.max_memory_allocated(1) == (3 << 20) + 1024
        assert cuda.memory_stats(1)["allocated_bytes.all.freed"] == 3 << 20
        cuda.reset_peak_memory_stats(1)
        assert cuda.max_memory_allocated(1) == 1024
        reserved = cuda.memory_reserved(1)
        assert cuda.max_memory_reserved(1) == reserved
        cuda.empty_cache()
        assert cuda.memory_reserved(1) == 2 << 20 and cuda.max_memory_reserved(1) == reserved
        assert cuda.memory_stats(1)["num_device_free"] == 1
        cuda.reset_accumulated_memory_stats(1)
        assert cuda.memory_stats(1)["allocated_bytes.all.freed"] == 0
        assert cuda.memory_stats(1)["allocated_bytes.all.current"] == 1024
        del a
        cuda.empty_cache()
        assert cuda.memory_reserved(1) == 0 == cuda.memory_stats(1)["active_bytes.all.current"]
        """,
        devices=2,
        allocator="caching",
    )


def test_memory_in_use_by_a_stream_stays_active():
    check(
        """
        side = aten.cuda.Stream()
        x = aten.empty(1000, device="cuda")
        y = aten.empty(1000, device="cuda")
        with aten.cuda.stream(side):
            y.fill_(1)
        y.record_stream(side)
        address = y.data_ptr()
        del y
        stats = aten.cuda.memory_stats()
        assert stats["allocated_bytes.all.current"] == 4096 and stats["active_bytes.all.current"] == 8192
        assert aten.empty(1000, device="cuda").data_ptr() != address
        side.synchronize()
        again = aten.empty(1000, device="cuda")
        assert again.data_ptr() == address
        """,
        allocator="caching",
        lazy=True,
    )
