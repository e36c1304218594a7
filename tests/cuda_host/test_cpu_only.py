"""docs/cuda.md lists the operators that have kernels for the CPU and none for CUDA."""

from __future__ import annotations

from pathlib import Path

import yaml
from cpu_only import listed

SCHEMAS = Path(__file__).parents[2] / "schemas" / "native_functions.yaml"


def keys_of(entry: dict) -> set[str]:
    return {key.strip() for keys in entry.get("dispatch", {}) for key in keys.split(",")}


def test_the_page_lists_them() -> None:
    entries = yaml.safe_load(SCHEMAS.read_text(encoding="utf-8"))
    names = set()
    for entry in entries:
        keys = keys_of(entry)
        if "CPU" in keys and "CUDA" not in keys and not any(k.startswith("Composite") for k in keys):
            names.add(entry["func"].partition("(")[0].partition(".")[0])
    assert listed() == names
