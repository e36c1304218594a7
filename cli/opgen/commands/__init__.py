"""The `opgen` command. Each subcommand is a module of its own, imported only when it runs."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence

import click

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

EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_BUG = 3
EXIT_TOOLCHAIN = 4
EXIT_INTERRUPTED = 130


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in COMMANDS if importlib.util.find_spec(f"{__name__}.{name}") is not None]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(ctx):
            return None
        return importlib.import_module(f"{__name__}.{name}").command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="opgen", message="%(prog)s %(version)s")
def cli() -> None:
    """Operator declarations in, a standalone tensor library out."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command line and ends the process with the documented exit code."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    from opgen.diagnostics import InputError

    try:
        result = cli.main(args=arguments, prog_name="opgen", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return EXIT_INTERRUPTED
    except InputError as error:
        click.echo(f"opgen: {error}", err=True)
        return EXIT_USAGE
    except BrokenPipeError:
        # Whoever read our output has closed it; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_USAGE
    except OSError as error:  # a path that no system call takes, a disk that is full, ...
        click.echo(f"opgen: {error.filename or 'cannot go on'}: {error.strerror or error}", err=True)
        return EXIT_USAGE
    except MemoryError:
        click.echo("opgen: not enough memory", err=True)
        return EXIT_USAGE
    except Exception as error:
        return _bug(error)


def _bug(error: Exception) -> int:
    if os.environ.get("OPGEN_TRACEBACK"):
        import traceback

        traceback.print_exc()
    else:
        kind = type(error).__name__
        message = (
            f"opgen: internal error: {kind}: {error}\nThis is a bug of opgen; OPGEN_TRACEBACK=1 shows more."
        )
        click.echo(message, err=True)
    return EXIT_BUG
