"""schemas/autocast.yaml, read independently of opgen."""

from __future__ import annotations

from pathlib import Path

import yaml

FILE = Path(__file__).resolve().parents[2] / "schemas" / "autocast.yaml"


def casts(device: str) -> dict[str, str]:
    """Returns the cast of each operator in the regions of a device."""
    entries = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return {op: entry["cast"] for entry in entries if device in entry["devices"] for op in entry["ops"]}
