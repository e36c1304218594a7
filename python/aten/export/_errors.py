"""What is raised for programs that cannot be read or run."""

from __future__ import annotations


class ProgramError(RuntimeError):
    """A program that this library cannot read or run; the message names the node and its operator."""
