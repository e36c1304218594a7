"""Page-locked memory, its cache, and copies that return before they are done."""

from __future__ import annotations

from device_programs import check, needs_device

pytestmark = needs_device


def test_tensors_are_pinned():
    check(
        """
        x = aten.arange(6, dtype=aten.float32).reshape(2, 3)
        assert not x.is_pinned()
        y = x.pin_memory()
        assert y.is_pinned() and y.tolist() == x.tolist() and y.device.type == "cpu"
        assert y.pin_memory() is y and y[1:].is_pinned() and not y.clone().is_pinned()
        assert not aten.zeros(2, device="cuda").is_pinned()
        for made in (
            aten.empty(3, pin_memory=True), aten.zeros((2, 3), pin_memory=True),
            aten.ones(3, pin_memory=True), aten.full((3,), 7, pin_memory=True),
            aten.rand(3, pin_memory=True), aten.arange(3, pin_memory=True),
            aten.tensor([1, 2], pin_memory=True), aten.empty_like(x, pin_memory=True),
        ):
            assert made.is_pinned(), made.shape
        assert aten.full((3,), 7, pin_memory=True).tolist() == [7, 7, 7]
        assert aten.empty(0, pin_memory=True).shape == (0,)
        try:
            aten.zeros(2, device="cuda").pin_memory()
        except RuntimeError as error:
            assert "cuda:0" in str(error)
        else:
            raise AssertionError
        """
    )


def test_gradients_flow_through_pinning():
    check(
        """
        x = aten.ones(3, requires_grad=True)
        x.pin_memory().mul(2).sum().backward()
        assert x.grad.tolist() == [2.0] * 3
        """
    )


def test_a_copy_from_pinned_memory_is_queued():
    check(
        """
        x = aten.ones(8).pin_memory()
        y = x.to("cuda", non_blocking=True)
        assert not aten.cuda.current_stream().query()
        assert x.cuda(non_blocking=True).tolist() == [1.0] * 8
        back = y.to("cpu", non_blocking=True)
        assert back.is_pinned() and not aten.cuda.current_stream().query()
        aten.cuda.synchronize()
        assert back.tolist() == [1.0] * 8
        whole = aten.arange(8).pin_memory().to("cuda", aten.float32, non_blocking=True)
        strided = aten.zeros((8, 2), device="cuda")
        strided[:, 0].copy_(x, non_blocking=True)
        assert not aten.cuda.current_stream().query()
        assert whole.tolist() == list(range(8)) and strided.tolist() == [[1.0, 0.0]] * 8
        halves = aten.empty(8, dtype=aten.float16, pin_memory=True)
        halves.copy_(whole, non_blocking=True)
        assert not aten.cuda.current_stream().query()
        aten.cuda.synchronize()
        assert halves.tolist() == list(range(8))
        columns = aten.zeros((8, 2), pin_memory=True)
        columns[:, 1].copy_(whole, non_blocking=True)
        assert columns.tolist() == [[0.0, float(i)] for i in range(8)]
        y.fill_(2)
        x.copy_(y, non_blocking=True)
        assert x.tolist() == [1.0] * 8
        aten.cuda.synchronize()
        assert x.tolist() == [2.0] * 8
        """,
        lazy=True,
    )


def test_a_copy_from_other_memory_may_be_changed_at_once():
    check(
        """
        x = aten.ones(8)
        y = x.to("cuda", non_blocking=True)
        x.fill_(5)
        assert y.tolist() == [1.0] * 8
        """,
        lazy=True,
    )


def test_a_pinned_block_is_reused_when_its_copies_are_done():
    check(
        """
        side = aten.cuda.Stream()
        x = aten.ones(8, pin_memory=True)
        address = x.data_ptr()
        with aten.cuda.stream(side):
            y = x.to("cuda", non_blocking=True)
        del x
        other = aten.full((8,), 9.0, pin_memory=True)
        assert other.data_ptr() != address
        side.synchronize()
        assert aten.empty(8, pin_memory=True).data_ptr() == address
        with aten.cuda.stream(side):
            assert y.tolist() == [1.0] * 8
        """,
        lazy=True,
    )


def test_a_pinned_block_without_copies_is_reused_at_once():
    check(
        """
        x = aten.ones(8, pin_memory=True)
        address = x.data_ptr()
        x.to("cuda")
        del x
        assert aten.empty(100, pin_memory=True).data_ptr() == address
        assert aten.empty(100, pin_memory=True).data_ptr() != 0
        big = aten.empty(1 << 20, pin_memory=True)
        assert big.data_ptr() != address
        """
    )


def test_a_pinned_block_waits_for_streams_that_are_announced():
    check(
        """
        side = aten.cuda.Stream()
        x = aten.ones(8, pin_memory=True)
        address = x.data_ptr()
        aten.zeros(1, device="cuda")
        with aten.cuda.stream(side):
            aten.zeros(8, device="cuda").fill_(1)
        x.record_stream(side)
        del x
        assert aten.empty(8, pin_memory=True).data_ptr() != address
        side.synchronize()
        assert aten.empty(8, pin_memory=True).data_ptr() == address
        """,
        lazy=True,
    )


def test_a_block_that_two_devices_use_waits_for_both():
    check(
        """
        x = aten.ones(8, pin_memory=True)
        address = x.data_ptr()
        a, b = x.to("cuda:0", non_blocking=True), x.to("cuda:1", non_blocking=True)
        del x
        assert aten.cuda.current_device() == 0
        aten.cuda.synchronize(0)
        assert aten.empty(8, pin_memory=True).data_ptr() != address
        aten.cuda.synchronize(1)
        assert aten.empty(8, pin_memory=True).data_ptr() == address
        assert a.tolist() == b.tolist() == [1.0] * 8
        """,
        devices=2,
        lazy=True,
    )
