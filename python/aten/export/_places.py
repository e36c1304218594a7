"""The user's lines: the innermost outside of this package."""

from __future__ import annotations

from types import FrameType
from typing import Any

_PACKAGE = __file__.rpartition("export")[0]
_of_package: dict[str, bool] = {}  # by file


def _is_ours(file: str) -> bool:
    found = _of_package[file] = file.startswith((_PACKAGE, "<frozen "))
    return found


def user_place(frame: FrameType | None) -> Any:
    """The innermost line outside of this package, as (code, line)."""
    while frame is not None:
        code = frame.f_code
        file = code.co_filename
        ours = _of_package.get(file)
        if ours is None:
            ours = _is_ours(file)
        if not ours:
            return code, frame.f_lineno
        frame = frame.f_back
    return None


def place_of(error: BaseException) -> Any:
    """The innermost line outside of this package that an error passed, as (code, line)."""
    found, step = None, error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if not _is_ours(code.co_filename):
            found = code, step.tb_lineno
        step = step.tb_next
    return found
