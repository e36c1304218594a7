"""Anomaly detection: errors of the backward pass with the stack of the forward call."""

from __future__ import annotations

from .. import _C


def is_anomaly_enabled() -> bool:
    """Whether anomaly detection is enabled."""
    return _C._anomaly_enabled()


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly detection checks gradients for NaN."""
    return _C._anomaly_checks_nan()


def set_anomaly_enabled(mode: bool, check_nan: bool = True) -> None:
    """Sets anomaly detection from now on: see set_detect_anomaly."""
    _C._set_anomaly(bool(mode), bool(check_nan))


class set_detect_anomaly:
    """Sets anomaly detection immediately; as a context manager, until the end of the block.

    While it is enabled, every recorded operator saves the Python stack, which is slow. An error in its
    backward pass then also prints a warning with that stack. With `check_nan`, a NaN gradient is a
    RuntimeError.
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self._before = is_anomaly_enabled(), is_anomaly_check_nan_enabled()
        self._wanted = bool(mode), bool(check_nan)
        _C._set_anomaly(*self._wanted)

    def __enter__(self) -> None:
        _C._set_anomaly(*self._wanted)

    def __exit__(self, *error: object) -> None:
        _C._set_anomaly(*self._before)


class detect_anomaly:
    """Enables anomaly detection in its scope: see set_detect_anomaly."""

    def __init__(self, check_nan: bool = True) -> None:
        self._check_nan = bool(check_nan)
        self._before: list[tuple[bool, bool]] = []

    def __enter__(self) -> None:
        self._before.append((is_anomaly_enabled(), is_anomaly_check_nan_enabled()))
        _C._set_anomaly(True, self._check_nan)

    def __exit__(self, *error: object) -> None:
        _C._set_anomaly(*self._before.pop())
