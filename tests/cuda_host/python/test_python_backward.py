"""Backward runs on the forward's streams, ordered by events."""

from __future__ import annotations

import pytest
from device_programs import check, needs_device

pytestmark = needs_device


def test_nodes_run_on_their_forwards_streams():
    check(
        """
        side = aten.cuda.Stream()
        seen = []

        class Double(aten.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, grad):
                seen.append(aten.cuda.current_stream())
                return grad * 2

        x = aten.ones(4, device="cuda", requires_grad=True)
        with aten.cuda.stream(side):
            y = Double.apply(x)
        aten.cuda.current_stream().wait_stream(side)
        Double.apply(y).sum().backward()
        assert seen == [aten.cuda.default_stream(), side]
        assert aten.cuda.current_stream() == aten.cuda.default_stream()
        assert x.grad.tolist() == [4.0] * 4
        """
    )


@pytest.mark.parametrize("order", range(3))
def test_gradients_of_several_streams_are_ordered(order: int):
    # Lazy: without events, what another stream makes is not there yet.
    check(
        """
        streams = [aten.cuda.Stream() for _ in range(3)]
        x = aten.ones(4, device="cuda", requires_grad=True)
        w = aten.full((4,), 3.0, device="cuda", requires_grad=True)
        current = aten.cuda.current_stream()
        parts = []
        for i, stream in enumerate(streams):
            stream.wait_stream(current)
            with aten.cuda.stream(stream):
                parts.append((x * w * (i + 1)).exp() * 0 + x * w * (i + 1))
        for stream in streams:
            current.wait_stream(stream)
        total = parts[0] + parts[1] + parts[2]
        with aten.cuda.stream(aten.cuda.Stream()):
            aten.cuda.current_stream().wait_stream(current)
            total.sum().backward()
            assert x.grad.tolist() == [18.0] * 4 and w.grad.tolist() == [6.0] * 4
        """,
        lazy=True,
        order=order,
    )


def test_grad_is_ready_for_the_callers_stream():
    check(
        """
        side = aten.cuda.Stream()
        with aten.cuda.stream(side):
            x = aten.ones(4, device="cuda", requires_grad=True)
            y = (x * x * x).sum()
        aten.cuda.current_stream().wait_stream(side)
        (g,) = aten.autograd.grad(y, x, create_graph=True)
        assert g.tolist() == [3.0] * 4
        (h,) = aten.autograd.grad(g.sum(), x)
        assert h.tolist() == [6.0] * 4
        """,
        lazy=True,
    )


def test_gradients_cross_devices():
    check(
        """
        x = aten.ones(4, device="cuda:0", requires_grad=True)
        side = aten.cuda.Stream("cuda:1")
        with aten.cuda.stream(side):
            y = x.to("cuda:1") * 5
            z = y.sum()
        with aten.cuda.device(1):
            aten.cuda.current_stream(1).wait_stream(side)
            z.backward()
        assert x.grad.device == x.device and x.grad.tolist() == [5.0] * 4
        host = aten.ones(4, requires_grad=True)
        (host.cuda() * 2).cpu().sum().backward()
        assert host.grad.tolist() == [2.0] * 4
        """,
        devices=2,
        lazy=True,
    )


def test_a_failing_node_leaves_the_callers_stream():
    check(
        """
        class Fail(aten.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 1

            @staticmethod
            def backward(ctx, grad):
                raise KeyError("no")

        x = aten.ones(4, device="cuda:1", requires_grad=True)
        with aten.cuda.stream(aten.cuda.Stream("cuda:1")):
            y = Fail.apply(x).sum()
        try:
            y.backward()
        except KeyError:
            pass
        else:
            raise AssertionError
        assert aten.cuda.current_device() == 0
        assert aten.cuda.current_stream(1) == aten.cuda.default_stream(1)
        """,
        devices=2,
    )
