"""`Tensor!`: short for a tensor that is written to and aliases no other argument."""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from opgen.model import Alias, Argument, Arguments, Return

T = TypeVar("T", Argument, Return)


def expand(arguments: Arguments, returns: tuple[Return, ...]) -> tuple[Arguments, tuple[Return, ...]] | None:
    """Gives each `Tensor!` an alias set of its own; None when there are too few letters."""
    aliases = [*(a.alias for a in arguments.all), *(r.alias for r in returns)]
    everything = [alias for alias in aliases if alias is not None]
    short = sum(alias.shorthand for alias in everything)
    if not short:
        return arguments, returns
    used = {letter for alias in everything for letter in alias.set + alias.after}
    fresh = [letter for letter in string.ascii_lowercase if letter not in used]
    if len(fresh) < short:
        return None
    letters = iter(fresh)
    expanded = replace(
        arguments,
        pre_self=_all(arguments.pre_self, letters),
        self_arg=None if arguments.self_arg is None else _one(arguments.self_arg, letters),
        post_self=_all(arguments.post_self, letters),
        out=_all(arguments.out, letters),
    )
    return expanded, tuple(_one(r, letters) for r in returns)


def _all(arguments: tuple[Argument, ...], letters: Iterator[str]) -> tuple[Argument, ...]:
    return tuple(_one(a, letters) for a in arguments)


def _one(item: T, letters: Iterator[str]) -> T:
    if item.alias is None or not item.alias.shorthand:
        return item
    return replace(item, alias=Alias((next(letters),), write=True, shorthand=True))
