"""The finder of torch's modules: this package's own, or views of them with names added."""

from __future__ import annotations

import sys
from importlib import import_module, util
from importlib.machinery import ModuleSpec
from types import ModuleType

from .. import __version__
from . import _names
from ._reasons import absent

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from importlib.metadata import Distribution
    from typing import Any

# Types of a module's attributes are unknown.
# mypy: disable-error-code="no-any-return"

PACKAGE = __name__.partition(".torch.")[0]
_NOTHING = object()


def exists(place: str) -> bool:
    """Whether there is a module of the place: "" for torch, "nn.init" for torch.nn.init."""
    if not place or place in _names.PLACES:
        return True
    is_public = place in _names.PRIVATE or not any(part.startswith("_") for part in place.split("."))
    return is_public and place != "torch" and _is_own(place)


def module(place: str) -> ModuleType:
    """Returns the package's module of the place, or a view if names or modules are added to it."""
    own = import_module(f"{PACKAGE}.{place}".rstrip(".")) if not place or _is_own(place) else None
    return own if own is not None and place not in _names.PLACES else view(place, own)


def _is_own(place: str) -> bool:
    name = f"{PACKAGE}.{place}"
    try:
        return name in sys.modules or util.find_spec(name) is not None
    except ModuleNotFoundError:  # the part before the last is no package
        return False


def view(place: str, base: ModuleType | None) -> ModuleType:
    """Returns a module with the names of `base`, where there is one, and those that the tables add."""
    # A class of its own with __getattr__ would make all attributes slower.
    made = (type(base) if base is not None else ModuleType)(f"torch.{place}" if place else "torch")
    held = vars(made)
    held.update(__path__=[], __doc__=base and base.__doc__, __file__=getattr(base, "__file__", None))
    if base is not None:
        names = vars(base).items()
        held.update({n: v for n, v in names if n[:2] != "__" and not isinstance(v, ModuleType)})
    for name, value in _names.added(place).items():
        if (place, name) in _names.INSTEAD or not hasattr(base, name):
            held[name] = value

    def __getattr__(name: str) -> Any:
        value = getattr(base, name, _NOTHING)
        if value is _NOTHING or isinstance(value, ModuleType):
            child = f"{place}.{name}" if place else name
            if not exists(child):
                raise AttributeError(absent(place, name), name=name)
            return import_module(f"torch.{child}")
        held[name] = value
        return value

    def __dir__() -> list[str]:
        below = (module.rpartition(".") for module in _names.PLACES if module)
        children = {name for parent, _, name in below if parent == place}
        return sorted({*held, *children, *(dir(base) if base is not None else ())})

    held.update(__getattr__=__getattr__, __dir__=__dir__)
    return made


class Finder:
    """Finds torch and its submodules for the import statement."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: Any = None
    ) -> ModuleSpec | None:
        """ModuleNotFoundError with the reason for a module of torch's that isn't here."""
        top, _, place = name.partition(".")
        if top != "torch":
            return None
        if not exists(place):
            parent, _, last = place.rpartition(".")
            # Without the module's name: `from torch import x` hides the text of an error that has it.
            raise ModuleNotFoundError(absent(parent, last))
        origin = f"{PACKAGE} {__version__}"
        return ModuleSpec(name, self, origin=origin, is_package=True)  # type: ignore[arg-type]  # as a loader

    def find_distributions(self, context: Any = None) -> Iterator[Distribution]:
        """Finds the distribution torch for importlib.metadata, except in a program's own list of folders."""
        name = getattr(context, "name", None)
        if name in (None, "torch") and getattr(context, "path", sys.path) is sys.path:
            from ._distribution import TorchDistribution

            yield TorchDistribution()

    def create_module(self, spec: ModuleSpec) -> None:
        """Takes the usual module, for which exec_module() puts another one."""

    def exec_module(self, made: ModuleType) -> None:
        found = module(made.__name__.partition(".")[2])
        if found.__name__ == made.__name__:  # a view
            found.__spec__, found.__loader__ = made.__spec__, self  # type: ignore[assignment]  # as a loader
        sys.modules[made.__name__] = found
