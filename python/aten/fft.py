"""Fourier transforms."""

from . import _C

if hasattr(_C, "_fft"):
    globals().update({n.removeprefix("fft_"): f for n, f in vars(_C._fft).items() if not n.startswith("__")})
