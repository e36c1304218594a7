"""Fourier transforms: long and prime lengths, out=, and errors."""

from __future__ import annotations

import aten
import numpy as np
import pytest

RANDOM = np.random.default_rng(1)


@pytest.mark.parametrize("n", [4096, 65536, 6561, 10007, 2 * 10007, 3 * 5 * 7 * 11 * 13])
def test_long_lines_as_numpys(n: int) -> None:
    x = RANDOM.normal(size=n)
    half = aten.fft.rfft(aten.from_numpy(x))
    expected = np.fft.rfft(x)
    assert np.abs(half.numpy() - expected).max() < 1e-13 * np.abs(expected).max() * np.log2(n)
    back = aten.fft.irfft(half, n)
    assert np.abs(back.numpy() - x).max() < 1e-13 * np.log2(n)


def test_threads_do_not_change_results() -> None:
    x = aten.from_numpy(RANDOM.normal(size=(64, 1000)).astype(np.float32))
    threads = aten.get_num_threads()
    try:
        made = []
        for n in (1, 2):
            aten.set_num_threads(n)
            made.append(aten.fft.fft(x).numpy())
    finally:
        aten.set_num_threads(threads)
    assert np.array_equal(*made)


def test_frequencies_are_written_to_out() -> None:
    out = aten.empty(0, dtype=aten.float64)
    assert aten.ops.aten.fft_fftfreq.out(5, 0.5, out=out) is out
    assert np.allclose(out.numpy(), np.fft.fftfreq(5, 0.5))
    assert aten.ops.aten.fft_rfftfreq.out(5, 0.5, out=out) is out
    assert np.allclose(out.numpy(), np.fft.rfftfreq(5, 0.5))
    with pytest.raises(RuntimeError, match="floating point or complex"):
        aten.ops.aten.fft_fftfreq.out(5, out=aten.empty(0, dtype=aten.int64))


def test_arguments_that_make_no_sense() -> None:
    x = aten.ones(4)
    for call in (
        lambda: aten.fft.fft(x, 0),
        lambda: aten.fft.fft(aten.ones(0)),
        lambda: aten.fft.irfft(x[:1]),
    ):
        with pytest.raises(RuntimeError, match="Invalid number of data points"):
            call()
    with pytest.raises(RuntimeError, match="Invalid normalization mode"):
        aten.fft.fft(x, norm="twice")
    with pytest.raises(RuntimeError, match="Unsupported dtype"):
        aten.fft.fft(x.to(aten.float16))
    with pytest.raises(RuntimeError, match="real input"):
        aten.fft.rfft(x.to(aten.complex64))
    with pytest.raises(IndexError):
        aten.fft.fft(x, dim=1)
