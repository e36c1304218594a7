"""How a schema spells a tensor that is written to, for messages that suggest it."""

from __future__ import annotations

import string
from collections.abc import Collection
from dataclasses import replace

from opgen.check import fixes
from opgen.model import Alias, Argument, Function


def argument(function: Function, read_only: Argument) -> str:
    """Returns a read-only argument as one that is written to."""
    return annotated(read_only, alias_set(function, read_only))


def annotated(argument: Argument, letter: str) -> str:
    return str(replace(argument, alias=Alias((letter,), write=True)))


def alias_set(function: Function, read_only: Argument, given: Collection[str] = ()) -> str:
    """Returns the alias set in which an argument can be written to: its own, else that of a return that is
    written to, else one that no other argument is in, nor in `given`.
    """
    others = [a.alias for a in function.schema.arguments.all if a is not read_only and a.alias is not None]
    taken = {*given, *(letter for alias in others for letter in (*alias.set, *alias.after))}
    own = read_only.alias.set if read_only.alias is not None else ()
    returned = "".join(r.alias.set[0] for r in function.schema.returns if r.alias is not None and r.is_write)
    letters = (c for c in (*own, *returned, *string.ascii_lowercase) if c.isalpha() and c not in taken)
    return next(letters, "a")


def returned(function: Function, index: int, argument: Argument) -> tuple[str, fixes.Edits]:
    """Returns how the return `index` becomes the argument that is written to: in words, and as edits if the
    return is a plain Tensor that only lacks the annotation.
    """
    assert argument.alias is not None
    alias = replace(argument.alias, shorthand=False)
    expected, returns = f"Tensor({alias})", function.schema.returns
    help, edits = f"write {expected}", fixes.returned(function, index, expected)
    if argument.alias.shorthand:  # its letter is one that no return has
        help += f", and {replace(argument, alias=alias)}"
        edits += fixes.annotation(function, argument.name, f"({alias})")
    plain = index < len(returns) and str(returns[index]) == "Tensor"
    single = not function.name.name.inplace or len(returns) == 1
    return help, edits if plain and single else ()
