"""PyTorch and the library in one process, imported in either order."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import pytest

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch isn't installed")

PROGRAM = """
    import {first}, {second}
    import aten, torch

    # both compute
    a, t = aten.arange(6.).reshape(2, 3), torch.arange(6.).reshape(2, 3)
    assert aten.mm(a, a.t()).tolist() == torch.mm(t, t.t()).tolist()
    assert aten.ones(200, 200).matmul(aten.ones(200, 200)).sum().item() == 200**3
    assert torch.ones(200, 200).matmul(torch.ones(200, 200)).sum().item() == 200**3

    # each throws its own exceptions
    for library, x in ((aten, a), (torch, t), (aten, a)):
        try:
            library.mm(x, x)
        except RuntimeError as error:
            assert "cannot be multiplied" in str(error), error
        else:
            raise AssertionError("nothing thrown")
        try:
            library.sum(x, 5)
        except IndexError as error:
            assert "out of range" in str(error)
        else:
            raise AssertionError("nothing thrown")

    # tensors go over without a copy, in both directions, and outlive their makers
    there = torch.from_dlpack(a)
    assert there.data_ptr() == a.data_ptr() and there.shape == (2, 3)
    there[0, 0] = 7
    assert a[0, 0].item() == 7
    here = aten.from_dlpack(t.t())
    assert here.data_ptr() == t.data_ptr() and here.stride() == (1, 3)
    here.add_(1)
    assert t[0, 0].item() == 1
    expected = here.tolist()
    del t, a
    assert here.tolist() == expected and there[0, 0].item() == 7
    assert aten.from_dlpack(torch.from_dlpack(here)).tolist() == expected

    # neither takes the other's tensors for its own; the message says how they go over
    try:
        aten.add(here, there)
    except TypeError as error:
        assert "from_dlpack" in str(error) or "Tensor" in str(error), error
    else:
        raise AssertionError("nothing thrown")

    # schemas and dispatch don't mix
    assert aten.ops.aten.add.Tensor is not torch.ops.aten.add.Tensor
    assert isinstance(torch.ops.aten.add.Tensor(there, there), torch.Tensor)
    assert isinstance(aten.ops.aten.add.Tensor(here, here), aten.Tensor)
    aten.manual_seed(0), torch.manual_seed(0)
    assert aten.rand(3).shape == torch.rand(3).shape
    print("good")
"""


@needs_torch
@pytest.mark.parametrize(("first", "second"), [("torch", "aten"), ("aten", "torch")])
def test_both_orders(python: Callable[..., str], first: str, second: str) -> None:
    assert python(PROGRAM.replace("{first}", first).replace("{second}", second)) == "good\n"


@needs_torch
def test_threads_of_both(python: Callable[..., str]) -> None:
    program = """
        import threading
        import aten, torch

        def work(library):
            for _ in range(50):
                x = library.ones(300, 300)
                assert (x + x).sum().item() == 180000

        threads = [threading.Thread(target=work, args=(lib,)) for lib in (aten, torch, aten, torch)]
        for t in threads: t.start()
        for t in threads: t.join()
        print("good")
    """
    assert python(program) == "good\n"
