"""DLPack's order of streams: a consumer's waits for the producer's, copies for the consumer included."""

from __future__ import annotations

import host
import pytest
from streams import PRELUDE

pytestmark = pytest.mark.skipif(not host.is_built(), reason="build/cuda_host is not built")


def run(program: str, **settings) -> str:
    outcome = host.run(program, **settings)
    assert outcome.returncode == 0, outcome.stderr
    assert host.unreviewed(outcome.reports) == []
    return outcome.stdout


CONSUME = """
source = aten.zeros([4096], device="cuda:0") + 3
device = arguments.get("dl_device", (2, 0))[1]
consumer = streams.make_stream(device)
if stream == "handle":
    arguments["stream"] = streams.handle_of(device, consumer)
elif stream is not None:
    arguments["stream"] = stream
capsule = source.__dlpack__(**arguments)
if stream == "handle":
    streams.use_stream(device, consumer)
print(aten.from_dlpack(capsule).cpu()[0].item())
"""


@pytest.mark.parametrize("stream", [None, 1, "handle"])
@pytest.mark.parametrize("arguments", [{}, {"copy": True}, {"dl_device": (2, 1)}], ids=str)
def test_the_consumers_stream_waits_for_the_tensor(stream, arguments):
    program = f"stream, arguments = {stream!r}, {arguments!r}\n{PRELUDE}{CONSUME}"
    assert run(program, devices=2, lazy=True) == "3.0\n"


DEFAULT = """
side = streams.make_stream(0)
streams.use_stream(0, side)
source = aten.zeros([4096], device="cuda:0") + 3
capsule = source.__dlpack__(stream=stream)
streams.use_stream(0, 0)
streams.synchronize(0, 0)
print(streams.is_done(0, side))
"""


# None means the default stream; -1 that nothing is to be ordered.
@pytest.mark.parametrize(("stream", "is_ordered"), [(None, True), (1, True), (-1, False)])
def test_the_default_stream_waits_for_a_side_stream_unless_the_consumer_asks_for_nothing(stream, is_ordered):
    program = f"stream = {stream!r}\n{PRELUDE}{DEFAULT}"
    assert run(program, lazy=True) == f"{int(is_ordered)}\n"


REFUSED = """
import aten

source = aten.zeros([4], device="cuda")
try:
    source.__dlpack__(stream=stream)
except (BufferError, TypeError) as error:
    print(type(error).__name__, error)
"""


UNKNOWN = "BufferError aten.Tensor.__dlpack__(): DLPack: stream must be None, -1, 1 or a stream's handle"
PER_THREAD = "BufferError aten.Tensor.__dlpack__(): DLPack: the per-thread default stream, 2, isn't supported"
NO_NUMBER = "TypeError __dlpack__(): argument 'stream': expected int or None, got str"


@pytest.mark.parametrize(
    ("stream", "message"),
    [(0, f"{UNKNOWN}, got 0"), (-2, f"{UNKNOWN}, got -2"), (2, PER_THREAD), ("1", NO_NUMBER)],
)
def test_streams_that_are_none(stream, message):
    assert run(f"stream = {stream!r}\n{REFUSED}") == f"{message}\n"


IMPORT = """
class Producer:
    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()

    def __dlpack__(self, stream=None, **others):
        self.stream = stream
        return self.tensor.__dlpack__(stream=stream, **others)


for device in (0, 1):
    producer = Producer(aten.zeros([4], device=f"cuda:{device}"))
    aten.from_dlpack(producer)
    print(producer.stream)
    side = streams.make_stream(device)
    streams.use_stream(device, side)
    aten.from_dlpack(producer)
    print(producer.stream == streams.handle_of(device, side))
"""


def test_an_import_names_the_stream_that_is_current_on_the_tensors_device():
    assert run(PRELUDE + IMPORT, devices=2) == "1\nTrue\n" * 2
