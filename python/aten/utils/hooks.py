"""Hooks of modules and optimizers, by number, and the handles that remove them."""

from __future__ import annotations

import weakref
from collections import OrderedDict

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = ["RemovableHandle"]

Hooks = OrderedDict  # weakly referenced by handles, which dicts can't be


class RemovableHandle:
    """Removes a hook, by remove() or at the end of a with block."""

    _next_id = 0

    def __init__(self, hooks: Any, *marks: Any) -> None:
        self.id = RemovableHandle._next_id
        RemovableHandle._next_id += 1
        self._dicts = [weakref.ref(d) for d in (hooks, *marks)]

    def remove(self) -> None:
        """Takes the hook off."""
        for reference in self._dicts:
            hooks = reference()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __getstate__(self) -> Any:
        return self.id, [reference() for reference in self._dicts]

    def __setstate__(self, state: Any) -> None:
        self.id, dicts = state
        self._dicts = [weakref.ref(Hooks() if d is None else d) for d in dicts]
        RemovableHandle._next_id = max(RemovableHandle._next_id, self.id + 1)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()


def add(hooks: Any, hook: Any, prepend: bool = False, marks: Any = ()) -> RemovableHandle:
    """Adds a hook, to be called after those that are there, or with `prepend` before them; `marks` has pairs
    of a dict and whether the hook's number is to be in it."""
    handle = RemovableHandle(hooks, *(marked for marked, _ in marks))
    hooks[handle.id] = hook
    for marked, wanted in marks:
        if wanted:
            marked[handle.id] = True
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle
