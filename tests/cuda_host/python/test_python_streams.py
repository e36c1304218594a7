"""aten.cuda: streams and events."""

from __future__ import annotations

from device_programs import check, needs_device

pytestmark = needs_device


def test_a_stream_is_current_within_its_context():
    check(
        """
        cuda = aten.cuda
        side, default = cuda.Stream(), cuda.default_stream()
        assert cuda.current_stream() == default and default.cuda_stream == 0
        assert side != default and side.cuda_stream != 0 and hash(side) != hash(default)
        with cuda.stream(side):
            assert cuda.current_stream() == side and hash(cuda.current_stream()) == hash(side)
            with cuda.stream(None):
                assert cuda.current_stream() == side
            with default:
                assert cuda.current_stream() == default
        assert cuda.current_stream() == default
        cuda.set_stream(side)
        cuda.set_stream(None)
        assert cuda.current_stream() == side
        assert isinstance(cuda.current_stream(), cuda.Stream) and isinstance(side, aten.Stream)
        assert side.__cuda_stream__() == (0, side.cuda_stream)
        assert f"{side.cuda_stream:#x}" in repr(side)
        """
    )


def test_a_stream_of_another_device_makes_its_device_current():
    check(
        """
        cuda = aten.cuda
        side = cuda.Stream("cuda:1")
        assert side.device == aten.device("cuda:1") and side.device_index == 1
        with cuda.stream(side):
            assert cuda.current_device() == 1 and cuda.current_stream() == side
            assert cuda.current_stream(0) == cuda.default_stream(0)
        assert cuda.current_device() == 0 and cuda.current_stream(1) == cuda.default_stream(1)
        """,
        devices=2,
    )


def test_work_waits_for_what_it_is_told_to():
    # Lazy: a stream runs when something waits for it, the others first.
    check(
        """
        cuda = aten.cuda
        first, second, third = cuda.Stream(), cuda.Stream(), cuda.Stream()
        x = aten.zeros(8, device="cuda")
        cuda.synchronize()
        with cuda.stream(first):
            x.fill_(1)
        assert not first.query()
        event = first.record_event()
        assert not event.query()
        second.wait_event(event)
        with cuda.stream(second):
            x.copy_(x * 2)
        third.wait_stream(second)
        with cuda.stream(third):
            y = x + 1
        third.synchronize()
        assert first.query() and event.query() and third.query()
        with cuda.stream(third):
            assert y.tolist() == [3.0] * 8
        """,
        lazy=True,
    )


def test_work_that_nobody_ordered_is_not_ordered():
    # The test above fails without its waits.
    check(
        """
        cuda = aten.cuda
        first, second = cuda.Stream(), cuda.Stream()
        x = aten.zeros(8, device="cuda")
        cuda.synchronize()
        with cuda.stream(first):
            x.fill_(1)
        with cuda.stream(second):
            assert (x + 1).tolist() == [1.0] * 8
        """,
        lazy=True,
    )


def test_events_measure_time_if_they_were_made_for_it():
    check(
        """
        def refused(f, kind, text):
            try:
                f()
            except kind as error:
                assert text in str(error), error
            else:
                raise AssertionError(text)

        begin, end = aten.cuda.Event(enable_timing=True), aten.cuda.Event(enable_timing=True)
        assert begin.query() and begin.cuda_event == 0 and "uninitialized" in repr(begin)
        begin.synchronize()
        refused(lambda: begin.elapsed_time(end), ValueError, "recorded")
        begin.record()
        aten.zeros(8, device="cuda")
        end.record(aten.cuda.current_stream())
        refused(lambda: begin.elapsed_time(end), RuntimeError, "completed")
        end.synchronize()
        assert begin.elapsed_time(end) > 0 and begin.cuda_event != 0 and begin.device.index == 0
        plain = aten.cuda.Event()
        plain.record()
        plain.synchronize()
        refused(lambda: plain.elapsed_time(end), ValueError, "enable_timing")
        refused(lambda: aten.cuda.Event(interprocess=True), NotImplementedError, "processes")
        refused(lambda: begin.record("cuda"), TypeError, "Stream")
        aten.cuda.Event(blocking=True, enable_timing=True).record()
        """,
        lazy=True,
    )


def test_an_event_stays_with_its_device_and_any_device_waits_for_it():
    check(
        """
        event = aten.cuda.Event()
        event.record(aten.cuda.current_stream(1))
        assert event.device.index == 1
        event.wait(aten.cuda.Stream(0))
        try:
            event.record(aten.cuda.current_stream(0))
        except RuntimeError as error:
            assert "device 1" in str(error)
        else:
            raise AssertionError
        """,
        devices=2,
    )


def test_streams_of_other_libraries_are_used():
    check(
        """
        cuda = aten.cuda
        owner = cuda.Stream()
        outside = cuda.ExternalStream(owner.cuda_stream)
        assert outside.cuda_stream == owner.cuda_stream and isinstance(outside, cuda.Stream)
        assert cuda.get_stream_from_external(owner.cuda_stream).cuda_stream == owner.cuda_stream
        x = aten.zeros(8, device="cuda")
        cuda.synchronize()
        with cuda.stream(outside):
            assert cuda.current_stream() == outside
            x.fill_(3)
        assert not owner.query()
        owner.synchronize()
        assert outside.query() and x.tolist() == [3.0] * 8
        """,
        lazy=True,
    )


def test_a_tensor_is_kept_for_streams_of_its_device_only():
    check(
        """
        x = aten.zeros(2, device="cuda")
        x.record_stream(aten.cuda.Stream())
        try:
            aten.zeros(2).record_stream(aten.cuda.Stream())
        except RuntimeError as error:
            assert "cpu" in str(error)
        else:
            raise AssertionError
        """
    )
