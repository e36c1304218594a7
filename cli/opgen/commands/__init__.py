"""The `opgen` command: how its process begins and ends. What it does is in group.py and the modules of the
subcommands, which are imported only when they run.
"""

from __future__ import annotations

import os
import sys

from opgen.commands import exit_codes

TYPE_CHECKING = False  # typing's own, whose import takes long, and nothing catches Ctrl-C during it
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command line and ends the process with the documented exit code."""
    try:
        import signal

        ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else our parent ignores it
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
        code = exit_codes.INTERRUPTED
    if ours:
        signal.signal(signal.SIGINT, _leave)
    _close_streams()
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line and returns the exit code."""
    from opgen.commands import group

    return group.run(arguments)


def _leave(*_signal: object) -> None:
    """Exits at once: during imports and after the command nothing needs cleaning up, and Python would print a
    traceback.
    """
    os._exit(exit_codes.INTERRUPTED)


def _unraisable(error: sys.UnraisableHookArgs) -> None:
    """Exits on Ctrl-C in destructors and callbacks of the import system, where Python would only print it."""
    if issubclass(error.exc_type, KeyboardInterrupt):
        _leave()
    sys.__unraisablehook__(error)


def _open_streams() -> None:
    """Opens closed standard streams: else the next file opened would get the descriptor, and the output."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDONLY)  # so that writing to it still fails
            os.dup2(nothing, number)
            if nothing != number:
                os.close(nothing)
            mode, buffering = ("r", -1) if number == 0 else ("w", 1)
            setattr(sys, name, open(number, mode, buffering, errors="backslashreplace", closefd=False))  # noqa: SIM115


def _close_streams() -> None:
    """Closes the streams and drops output that can't be written: at exit Python would try again, and use its
    own exit code.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
