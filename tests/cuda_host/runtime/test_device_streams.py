"""Streams and events are those of their device, whichever is current."""

from __future__ import annotations

import host
import pytest
from streams import PRELUDE

pytestmark = pytest.mark.skipif(not host.is_built(), reason="build/cuda_host is not built")


def prints(program: str, **settings) -> str:
    outcome = host.run(program, **settings)
    assert outcome.returncode == 0, outcome.stderr
    assert host.unreviewed(outcome.reports) == []
    return outcome.stdout


COPIES = """
import aten

first = aten.zeros([4096]).to("cuda:0")
second = aten.zeros([4096]).to("cuda:1")
pending = (first + 3) * 2
moved = pending.to("cuda:1") + 1
second.copy_(pending)
print((second * 1).cpu()[0].item(), moved.cpu()[0].item())
"""


def test_a_copy_to_another_device_waits_for_what_it_copies():
    assert prints(COPIES, devices=2, lazy=True) == "6.0 7.0\n"


WAITS = """
import aten

x = aten.zeros([8]).to("cuda:1")
stream = aten.cuda.current_stream("cuda:1")
stream.synchronize()
y = x + 5
print(stream.query())
stream.synchronize()
print(stream.query())
"""


def test_the_default_stream_of_a_device_that_is_not_current_is_waited_for():
    assert prints(WAITS, devices=2, lazy=True) == "False\nTrue\n"


RECORDS = f"{PRELUDE}\naten.zeros([1]).to('cuda:1')\nprint(streams.records_on_both(0, 1))\n"


def test_an_event_is_recorded_on_streams_of_one_device():
    assert prints(RECORDS, devices=2) == "0\n"
