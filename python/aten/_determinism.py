"""Whether operators without a deterministic implementation are refused.

Nearly all operators give the same bits each time. On CUDA some add in the order in which threads happen to
run; docs/cuda.md lists them.
"""

from __future__ import annotations

from . import _C

_MODES = ("default", "warn", "error")


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """With mode=True, operators use deterministic implementations; those that have none raise a RuntimeError,
    or give a warning with warn_only=True. Holds for the process.
    """
    _C._set_deterministic_mode((1 if warn_only else 2) if mode else 0)


def are_deterministic_algorithms_enabled() -> bool:
    """Whether use_deterministic_algorithms(True) is set."""
    return _C._deterministic_mode() != 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether operators without a deterministic implementation give a warning instead of an error."""
    return _C._deterministic_mode() == 1


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """The same by a mode: "default" (0), "warn" (1) or "error" (2)."""
    if debug_mode in _MODES:
        debug_mode = _MODES.index(str(debug_mode))
    if isinstance(debug_mode, bool) or debug_mode not in (0, 1, 2):
        expected = '"default", "warn", "error", 0, 1 or 2'
        raise RuntimeError(f"set_deterministic_debug_mode(): expected {expected}, got {debug_mode!r}")
    _C._set_deterministic_mode(int(debug_mode))


def get_deterministic_debug_mode() -> int:
    """The mode of set_deterministic_debug_mode(): 0, 1 or 2."""
    return _C._deterministic_mode()
