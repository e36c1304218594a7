"""What is raised for programs that cannot be read or run."""

from __future__ import annotations


class ProgramError(RuntimeError):
    """A program that this library cannot read or run; the message names the node and its operator."""

    def __init__(self, message: str) -> None:
        """Names and traces come from the program: what a terminal would obey is shown as an escape."""
        super().__init__("".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in message))
