"""Plans of Fourier transforms that the cache drops stay until queued transforms are done with them."""

from __future__ import annotations

import host
import pytest
from streams import PRELUDE

pytestmark = pytest.mark.skipif(not host.is_built("caching"), reason="build/cuda_host is not built")

DROPPED = """
lines = np.random.default_rng(0).standard_normal((2, 47)) + 0j
expected = np.fft.fft(lines)
x = aten.from_numpy(lines).to("cuda:0")
aten.fft.fft(x).cpu()  # makes the plan, on the default stream
side = streams.make_stream(0)
streams.use_stream(0, side)
pending = aten.fft.fft(x)
assert not streams.is_done(0, side)
streams.use_stream(0, 0)
other = aten.ones([200], dtype=aten.complex128, device="cuda:1")
for n in range(1, 140):  # more plans than are cached
    aten.fft.fft(other[:n])
# What was freed would be given out again.
kept = [aten.ones([n], dtype=aten.float64, device="cuda:0") for n in (16, 64, 128, 256, 512)]
aten.cuda.synchronize("cuda:1")
streams.synchronize(0, 0)
streams.use_stream(0, side)
np.testing.assert_allclose(pending.cpu().numpy(), expected, rtol=0, atol=1e-12)
"""


def test_a_plan_stays_while_a_stream_uses_it():
    outcome = host.run(PRELUDE + DROPPED, devices=2, lazy=True, allocator="caching")
    assert outcome.returncode == 0, outcome.stderr
    assert host.unreviewed(outcome.reports) == []
