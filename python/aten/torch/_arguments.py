"""The arguments of a program, which let processes that it spawns have this library as torch, too."""

from __future__ import annotations

from . import install

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


class Arguments(list):  # type: ignore[type-arg]  # list[str] is no base class for pickle
    """sys.argv. multiprocessing sends it to a new process before that imports the program again."""

    def __reduce__(self) -> tuple[Any, ...]:
        return received, (list(self),)


def received(words: list[str]) -> Arguments:
    """Installs this library as torch in a new process, whose parent process was allowed to."""
    install(replace=True)
    return Arguments(words)
