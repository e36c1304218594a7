"""The cache of device memory gives out again what nothing uses any more."""

from __future__ import annotations

import host
import pytest
from streams import PRELUDE

pytestmark = pytest.mark.skipif(not host.is_built("caching"), reason="build/cuda_host is not built")

FREED_WHILE_USED = """
memory = streams.allocate(owner, 4096)
at = streams.address(memory)
user = streams.make_stream(device) if is_side_stream else 0
streams.set_device(device)
streams.use_stream(device, user)
pending = aten.zeros([64], device=f"cuda:{device}") + 1
assert not streams.is_done(device, user)
streams.record_use(memory, device, user)
streams.use_stream(device, 0)
streams.set_device(0)
streams.release(memory)
assert (aten.ones([4], device="cuda:0") + 1).cpu()[0].item() == 2.0
print(streams.address(streams.allocate(owner, 4096)) == at)
"""


@pytest.mark.parametrize(
    ("owner", "device", "is_side_stream"),
    [(0, 0, True), (1, 1, True), (0, 1, True), (0, 1, False)],
    ids=["side stream", "while another device is current", "of another device", "its default stream"],
)
def test_memory_that_a_stream_uses_is_not_given_out_before_that_is_done(owner, device, is_side_stream):
    settings = f"owner, device, is_side_stream = {owner}, {device}, {is_side_stream}\n"
    program = settings + PRELUDE + FREED_WHILE_USED
    outcome = host.run(program, devices=2, lazy=True, allocator="caching")
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout == "False\n"
    assert host.unreviewed(outcome.reports) == []
