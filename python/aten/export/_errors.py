"""The errors: for programs that can't be read or run, and for functions that can't be recorded."""

from __future__ import annotations


class ProgramError(RuntimeError):
    """Raised for a program that can't be read or run; the message names the node and its operator."""

    def __init__(self, message: str) -> None:
        """Escapes control characters, since names and stack traces come from the program."""
        super().__init__("".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in message))


class ExportError(RuntimeError):
    """Raised for a function that can't be recorded or made a graph; the message names the line and module."""
