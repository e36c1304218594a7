"""Output: a command's result on stdout, and messages on stderr."""

from __future__ import annotations

import sys
from pathlib import Path

from opgen.colours import coloured
from opgen.diagnostics import InputError, shown, visible


def emit(text: str, output: Path | None = None) -> None:
    """Prints the command's result, or writes it to `output`."""
    try:
        if output is None:
            # A terminal might interpret the text, or be unable to show it.
            encoding = sys.stdout.encoding or "utf-8"
            plain = visible(text).encode(encoding, "backslashreplace").decode(encoding)
            sys.stdout.write(coloured(plain, sys.stdout))
            sys.stdout.flush()
        else:
            output.write_text(text, encoding="utf-8", errors="backslashreplace")
    except BrokenPipeError:
        raise
    except OSError as error:
        where = "standard output" if output is None else shown(str(output))
        raise InputError(f"{where}: {error.strerror or error}") from None


def say(text: str) -> None:
    """Prints one or more lines on stderr."""
    if text:
        plain = visible(text) if text.endswith("\n") else f"{visible(text)}\n"
        sys.stderr.write(coloured(plain, sys.stderr))
        sys.stderr.flush()
