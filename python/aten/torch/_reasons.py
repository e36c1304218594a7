"""Why torch lacks a name here: texts of errors, and classes whose calls are errors."""

from __future__ import annotations

from .. import __version__, _absent

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any, NoReturn

_PACKAGE = __name__.partition(".torch.")[0]
# What _absent.REASONS has no kind for.
_KINDS = {
    "onnx": f"nothing exports programs here; {_PACKAGE}.export runs those that PyTorch exported",
    "profiler": "no names of ranges are passed to other profilers; profiler.profile records them",
}
# Modules, and names in them, that programs often import.
_MODULES = {
    "_inductor": "nothing compiles programs here",
    "utils.benchmark": "nothing measures programs repeatedly here; use timeit, or profiler.profile",
    "utils.cpp_extension": "extensions are built by opgen build --extend",
    "utils.tensorboard": "nothing writes TensorBoard's logs here; the package tensorboardX does",
}
PAGE = "docs/reference/names.md"


def because(kind: str) -> str:
    """Returns the reason of a kind of absent names."""
    return _KINDS.get(kind) or _absent.REASONS[kind]


def absent(place: str, name: str) -> str:
    """Returns the text of the error for a name that torch, or its module of the place, doesn't have here."""
    full = f"{place}.{name}" if place else name
    reason = _MODULES.get(full) or (_absent.reason_of(place, name) if place in _absent.ABSENT else None)
    if not reason and place.partition(".")[0] == "distributed":
        reason = because("distributed")
    said = f"PyTorch has it, but here {reason}" if reason else f"{PAGE} lists the names that are not here"
    listed = f" (the names that are not here: {PAGE})" if reason else ""
    owner = f"torch.{place}" if place else "torch"
    return f"module {owner!r}, which is {_PACKAGE} {__version__}, has no attribute {name!r}: {said}{listed}"


class Refused(type):
    """The class of classes that can be named, subclassed and tested for, but not called."""

    reason: str

    def __call__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(cls.reason)

    def __getattr__(cls, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}", name=name)
        raise AttributeError(cls.reason, name=name)


def refused(place: str, name: str, reason: str) -> type:
    """Returns a class that stands for a class or function of PyTorch's; a call is a NotImplementedError."""
    module = f"torch.{place}"
    text = f"{module}.{name}: PyTorch has it, but here {reason} (the names that are not here: {PAGE})"
    return Refused(name, (), {"__module__": module, "__doc__": text, "reason": text})
