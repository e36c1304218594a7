"""The options that only `opgen breaking` has, including those of its table in the configuration."""

from __future__ import annotations

from pathlib import Path

import click

from opgen.breaking import allow
from opgen.breaking.finding import DEFAULT_AUDIENCES, Audience
from opgen.breaking.version import Version
from opgen.commands import options

_NAMES = [a.value for a in Audience]
AUDIENCES_HELP = (
    f"For whom nothing may break: {', '.join(_NAMES)}."
    f"  [default: {','.join(a.value for a in DEFAULT_AUDIENCES)}]"
)
deprecated_option = click.option(
    "--deprecated",
    type=click.Path(path_type=Path),
    metavar="F",
    help="The file of deprecated Python signatures; else deprecated.yaml beside FILE.",
)


class Configured(options.Configured):
    table = "breaking"


def audiences(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[Audience, ...]:
    if value is None:
        return DEFAULT_AUDIENCES
    words = [word.strip() for word in value.split(",")]
    unknown = [word for word in words if word not in _NAMES]
    if unknown:
        raise click.BadParameter(f"'{unknown[0]}' is none of {', '.join(_NAMES)}")
    return tuple(a for a in Audience if a.value in words)


def versions(
    ctx: click.Context, option: click.Parameter, value: tuple[str, str] | None
) -> tuple[Version, Version] | None:
    if value is None:
        return None
    old, new = map(Version.parse, value)
    if old is None or new is None:
        raise click.BadParameter(f"'{value[0] if old is None else value[1]}' is no version, as 1.2.3 is one")
    if new < old:
        raise click.BadParameter(f"{new} comes before {old}; the older version is named first")
    return old, new


def reason(ctx: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Checks that a reason is one line of text: it becomes a string of the configuration."""
    if value is not None and not (value.strip() and value.isprintable()):
        raise click.BadParameter("a reason is a line of text")
    return value


def expiry(ctx: click.Context, option: click.Parameter, value: str | None) -> str | None:
    try:
        allow.end_of(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return value
