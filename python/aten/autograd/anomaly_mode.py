"""Errors of the backward pass that show the forward call they come from."""

from __future__ import annotations

from .. import _C


def is_anomaly_enabled() -> bool:
    """Whether forward calls are remembered."""
    return _C._anomaly_enabled()


def is_anomaly_check_nan_enabled() -> bool:
    """Whether gradients that are not a number are an error while forward calls are remembered."""
    return _C._anomaly_checks_nan()


class set_detect_anomaly:
    """Switches anomaly detection at once; as a context manager, until it is left.

    While it is on, every operator that is recorded remembers the Python stack, which is slow. An error in its
    backward pass then warns with that stack, and so does, with `check_nan`, a gradient that is NaN: that is a
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
    """Anomaly detection is on within: see set_detect_anomaly."""

    def __init__(self, check_nan: bool = True) -> None:
        self._check_nan = bool(check_nan)
        self._before: list[tuple[bool, bool]] = []

    def __enter__(self) -> None:
        self._before.append((is_anomaly_enabled(), is_anomaly_check_nan_enabled()))
        _C._set_anomaly(True, self._check_nan)

    def __exit__(self, *error: object) -> None:
        _C._set_anomaly(*self._before.pop())
