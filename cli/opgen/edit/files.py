"""Replacing a user's file atomically."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from opgen.diagnostics import InputError, shown


def replace_file(path: Path, before: bytes, after: bytes) -> None:
    """Replaces the contents of a file and keeps its permissions; of a link, the target is replaced."""
    target = Path(os.path.realpath(path))
    try:
        if not os.access(target, os.W_OK):
            raise PermissionError(0, "the file may not be written")
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as new:
            new.write(after)
            new.flush()
            os.fsync(new.fileno())
        try:
            shutil.copymode(target, new.name)
            if target.read_bytes() != before:
                raise InputError(
                    f"{shown(str(path))}: the file changed while it was being fixed; it is left as it is"
                )
            os.replace(new.name, target)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(new.name)
    except OSError as error:
        raise InputError(f"{shown(str(path))}: {error.strerror or error}; the file is as it was") from None
