"""The `opgen` command: how its process begins and ends. What it does is in group.py and the modules of the
subcommands, which are imported only when they run.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # that of typing, whose import takes a while, in which nothing catches Ctrl-C
if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_BUG = 3
EXIT_TOOLCHAIN = 4
EXIT_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command line and ends the process with the documented exit code."""
    try:
        import signal

        ours = (
            signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )  # else whoever began us ignores it
        if ours:
            signal.signal(signal.SIGINT, _leave)
    except KeyboardInterrupt:
        _leave()
    sys.unraisablehook = _unraisable
    _open_streams()
    from opgen.commands import group

    group.load(arguments)
    try:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run(arguments)
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    if ours:
        signal.signal(signal.SIGINT, _leave)
    _close_streams()
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line; the exit code."""
    from opgen.commands import group

    return group.run(arguments)


def _leave(*_signal: object) -> None:
    """While modules are imported, and when all is done, there is nothing to clean up, and Python would show
    where it was.
    """
    os._exit(EXIT_INTERRUPTED)


def _unraisable(error: sys.UnraisableHookArgs) -> None:
    """Python prints what is raised in a destructor or in a callback of its import system, and goes on."""
    if issubclass(error.exc_type, KeyboardInterrupt):
        _leave()
    sys.__unraisablehook__(error)


def _open_streams() -> None:
    """Where a standard stream is closed, what is opened next would get its number, and be taken for it."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDONLY)  # so that writing fails, as it would
            os.dup2(nothing, number)
            if nothing != number:
                os.close(nothing)
            mode, buffering = ("r", -1) if number == 0 else ("w", 1)
            setattr(sys, name, open(number, mode, buffering, errors="backslashreplace", closefd=False))  # noqa: SIM115


def _close_streams() -> None:
    """What cannot be written is given up: at its end Python would try again, and have its own exit code."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
