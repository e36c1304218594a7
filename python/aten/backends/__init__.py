"""Settings of the libraries that devices compute with."""

from __future__ import annotations

from . import cuda as cuda
