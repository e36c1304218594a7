"""The content of an autocast file: which operators cast their inputs within autocast, and to what."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from opgen.diagnostics import Span
from opgen.model.dispatch import DispatchKey

# The devices whose regions an autocast file may name.
DEVICES = ("CPU", "CUDA")


class Cast(enum.Enum):
    """What happens to the inputs, or instead of it."""

    lower_precision = "lower_precision"
    float32 = "float32"
    float32_dtype = "float32_dtype"  # the optional argument `dtype` is set
    float32_overload = "float32_overload"  # the overload with a last argument `dtype` is called
    promote = "promote"
    refused = "refused"  # an error, which names another operator


@dataclass(frozen=True, slots=True)
class AutocastEntry:
    """`ops` and `instead` are names with their places; `instead` is for refused operators."""

    cast: Cast
    devices: tuple[str, ...]
    ops: tuple[tuple[str, Span], ...]
    instead: tuple[str, Span] | None = None


@dataclass(frozen=True, slots=True)
class Autocast:
    """An autocast file, matched: `of` finds the entries of a function by its qualified name and the key."""

    path: str = ""
    entries: tuple[AutocastEntry, ...] = ()
    of: Mapping[str, Mapping[DispatchKey, AutocastEntry]] = field(default_factory=dict)


def key_of(device: str) -> DispatchKey:
    return DispatchKey[f"Autocast{device}"]
