"""Short-time Fourier transforms against PyTorch, and their inverse."""

from __future__ import annotations

from typing import Any

import aten
import numpy as np
import pytest

SIGNAL = np.random.default_rng(2).normal(size=(2, 300))
WINDOW = np.hanning(34)[1:-1].copy()
OPTIONS: list[dict[str, Any]] = [
    {"n_fft": 32},
    {"n_fft": 32, "hop_length": 10, "normalized": True},
    {"n_fft": 32, "onesided": False, "pad_mode": "constant"},
    {"n_fft": 40, "win_length": 32},
    {"n_fft": 40, "win_length": 32, "center": False},
    {"n_fft": 40, "win_length": 32, "center": False, "align_to_window": True},
]


def window_of(given: bool, win_length: int | None, n_fft: int) -> np.ndarray | None:
    return WINDOW if given and (win_length or n_fft) == WINDOW.size else None


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("windowed", [True, False])
@pytest.mark.parametrize("batched", [True, False])
def test_as_pytorch(options: dict[str, Any], windowed: bool, batched: bool) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch, the oracle, is not installed")
    signal = SIGNAL if batched else SIGNAL[0]
    window = window_of(windowed, options.get("win_length"), options["n_fft"])
    ours = aten.stft(
        aten.from_numpy(signal.copy()),
        **options,
        window=None if window is None else aten.from_numpy(window.copy()),
        return_complex=True,
    )
    theirs = torch.stft(
        torch.from_numpy(signal),
        **options,
        window=None if window is None else torch.from_numpy(window),
        return_complex=True,
    )
    assert tuple(ours.stride()) == tuple(theirs.stride())
    np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("onesided", [True, False])
@pytest.mark.parametrize("normalized", [True, False])
def test_there_and_back(onesided: bool, normalized: bool) -> None:
    given = {"hop_length": 8, "window": aten.from_numpy(WINDOW.copy()), "normalized": normalized}
    signal = aten.from_numpy(SIGNAL.copy())
    spectrum = aten.ops.aten.stft.center(signal, 32, **given, onesided=onesided, return_complex=True)
    back = aten.ops.aten.istft.default(spectrum, 32, **given, onesided=onesided, length=SIGNAL.shape[1])
    np.testing.assert_allclose(back.numpy(), SIGNAL, rtol=1e-10, atol=1e-10)


def test_windows_that_do_not_overlap_are_no_way_back() -> None:
    spectrum = aten.ops.aten.stft.default(aten.ones(64), 16, hop_length=8, return_complex=True)
    window = aten.zeros(16)
    with pytest.raises(RuntimeError, match="undetermined"):
        aten.istft(spectrum, 16, hop_length=8, window=window)


@pytest.mark.parametrize(
    "options",
    [{"n_fft": 0}, {"n_fft": 400}, {"n_fft": 16, "hop_length": 0}, {"n_fft": 16, "win_length": 17}],
    ids=str,
)
def test_windows_that_do_not_fit(options: dict[str, Any]) -> None:
    with pytest.raises(RuntimeError, match="stft: expected"):
        aten.stft(aten.ones(300), **options, center=False, return_complex=True)
