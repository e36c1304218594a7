"""The subcommands, and running one: its faults become messages and exit codes."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence

import click

from opgen.commands import exit_codes
from opgen.diagnostics import InputError, did_you_mean, shown

# In the order of the help text. A module has the click command as `command`.
COMMANDS = {
    "validate": "Check a functions file; every fault in one run.",
    "dump": "Print the expanded model as JSON.",
    "generate": "Write a library's sources.",
    "build": "Generate, compile, and make a wheel.",
    "breaking": "Find what would break users of an older version.",
    "dispatch": "Print an operator's computed dispatch table.",
    "explain": "Say where an operator comes from, or what a rule means.",
    "schema": "Print JSON Schemas for editors.",
    "init": "Begin a project of your own.",
}
_COMPLETION = "_OPGEN_COMPLETE"  # set by a shell that completes a command line


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in COMMANDS if importlib.util.find_spec(f"opgen.commands.{name}") is not None]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"opgen.commands.{name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name.startswith("-") or self.get_command(ctx, name) is not None:
            return super().resolve_command(ctx, args)
        help = did_you_mean(name, self.list_commands(ctx)) or "`opgen -h` lists them"
        raise click.UsageError(f"there is no command '{name}'; {help}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(None, "-V", "--version", package_name="opgen", message="%(prog)s %(version)s")
def cli() -> None:
    """Operator declarations in, a standalone tensor library out."""


def load(arguments: Sequence[str] | None = None) -> None:
    """Imports the module of the subcommand that the command line names."""
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0] in COMMANDS:
        with contextlib.suppress(Exception):  # the import fails again, with a message, when the command runs
            importlib.import_module(f"opgen.commands.{given[0]}")


def run(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code, after printing all messages (unless the reader has closed the stream)."""
    try:
        code, message = _outcome(sys.argv[1:] if arguments is None else arguments)
        if message:
            from opgen.report import streams

            streams.say(message)
        return code
    except OSError:
        return exit_codes.USAGE


def _outcome(arguments: Sequence[str]) -> tuple[int, str]:
    """Returns the exit code, and the message of the error that ended the command."""
    try:
        return _invoke(arguments), ""
    except click.ClickException as error:
        return error.exit_code, _usage(error)
    except (KeyboardInterrupt, click.Abort):
        return exit_codes.INTERRUPTED, "interrupted"
    except InputError as error:
        return exit_codes.USAGE, f"opgen: {error}"
    except BrokenPipeError:  # the reader of our output has closed it
        return exit_codes.USAGE, ""
    except OSError as error:  # a path that no system call takes, a disk that is full, ...
        where = shown(str(error.filename or "cannot go on"))
        return exit_codes.USAGE, f"opgen: {where}: {error.strerror or error}"
    except MemoryError:
        return exit_codes.USAGE, "opgen: not enough memory"
    except Exception as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # Python before 3.12, in a class body
            return exit_codes.INTERRUPTED, "interrupted"
        return exit_codes.BUG, _bug(error)


def _invoke(arguments: Sequence[str]) -> int:
    # Not cli.main(), which exits with the code for findings on a broken pipe.
    if _COMPLETION in os.environ:
        cli.main(arguments, prog_name="opgen", complete_var=_COMPLETION)
    try:
        with cli.make_context("opgen", list(arguments)) as context:
            result = cli.invoke(context)
    except click.exceptions.Exit as stop:
        result = stop.exit_code
    sys.stdout.flush()
    return result if isinstance(result, int) else 0


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):  # since click 8.2
        return error.format_message()
    said = f"Error: {shown(error.format_message())}"
    if context is None:
        return said
    help = f"Try '{context.command_path} {context.help_option_names[0]}' for help."
    return f"{context.get_usage()}\n{help}\n\n{said}"


def _bug(error: Exception) -> str:
    if os.environ.get("OPGEN_TRACEBACK"):
        import traceback

        return "".join(traceback.format_exception(error)).rstrip("\n")
    what = shown(f"{type(error).__name__}: {error}")
    return f"opgen: internal error: {what}\nThis is a bug of opgen; OPGEN_TRACEBACK=1 shows more."
