"""The exit codes of `opgen`; 0 is success."""

from __future__ import annotations

FINDINGS = 1
USAGE = 2
BUG = 3
TOOLCHAIN = 4
INTERRUPTED = 130
