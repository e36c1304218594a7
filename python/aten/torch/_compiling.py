"""What programs decorate functions with to have them compiled: they run as they are."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple, get_origin
from typing import Final as Final

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable

_noted: set[str] = set()


class TracerWarning(Warning):
    """Warnings of PyTorch's tracer, which are never given here."""


class Error(Exception):
    """Errors of TorchScript, which are never raised here."""


class Attribute(NamedTuple):
    """A value with the type that TorchScript would give it."""

    value: Any
    type: Any


def is_instance(obj: Any, target_type: Any) -> bool:
    """isinstance() of the type without what is in brackets: of `list` for `list[int]`."""
    wanted = target_type if isinstance(target_type, tuple) else (target_type,)
    kinds: Any = tuple(get_origin(one) or one for one in wanted)
    return isinstance(obj, kinds)


def compile(model: Callable[..., Any] | None = None, **options: Any) -> Callable[..., Any]:
    """Returns the function or module as it is, and says so once per process.

    options: those of torch.compile, which change nothing.
    """
    _note("torch.compile")
    return model if model is not None else lambda function: function


def script(obj: Any, *args: Any, **kwargs: Any) -> Any:
    """Returns the function, class or module as it is, and says so once per process. It can't be saved as
    TorchScript."""
    _note("torch.jit.script")
    return obj


def _note(name: str) -> None:
    if name not in _noted:
        _noted.add(name)
        warnings.warn(f"{name}: nothing compiles programs here; what it is given runs as it is", stacklevel=3)
