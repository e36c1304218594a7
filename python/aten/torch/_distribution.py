"""The metadata of the distribution torch, for programs that ask for its version."""

from __future__ import annotations

from importlib.metadata import Distribution
from pathlib import Path

from ._version import __version__


class TorchDistribution(Distribution):
    """`importlib.metadata.version("torch")` is torch.__version__. There are no files."""

    def read_text(self, filename: str) -> str | None:
        """The text of METADATA; None for other files."""
        if filename != "METADATA":
            return None
        return f"Metadata-Version: 2.1\nName: torch\nVersion: {__version__}\n"

    def locate_file(self, path: object) -> Path:
        """Where a file of the package is."""
        return Path(__file__).resolve().parents[1] / str(path)
