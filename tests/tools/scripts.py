"""Programs in Python that tests put in the place of others."""

from __future__ import annotations

import sys
from pathlib import Path

# No `#!` with the interpreter: its path may contain a space.
_HEAD = """#!/bin/sh
'''exec' "{python}" "$0" "$@"
' '''
"""


def executable(path: Path, text: str) -> None:
    """Writes a program of this text, which this interpreter runs."""
    path.write_text(_HEAD.format(python=sys.executable) + text)
    path.chmod(0o755)
