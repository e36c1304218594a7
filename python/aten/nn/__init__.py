"""Neural networks: modules, parameters, and the functions in `functional`."""

from __future__ import annotations

from . import functional as functional

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from . import attention as attention
    from . import init as init
    from . import modules as modules
    from . import parameter as parameter
    from . import utils as utils
    from ._summary import summary as summary
    from .modules import *  # noqa: F403
    from .parameter import Buffer as Buffer
    from .parameter import Parameter as Parameter
    from .parameter import UninitializedBuffer as UninitializedBuffer
    from .parameter import UninitializedParameter as UninitializedParameter

_FUNCTIONS = {"summary": "_summary"}
_SUBMODULES = ("attention", "init", "modules", "parameter", "utils")
_PARAMETERS = ("Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter")


def __getattr__(name: str) -> object:
    """Imports modules when one is used first, as `import aten` would take twice as long with them."""
    from importlib import import_module

    if name in _SUBMODULES:
        return import_module(f"{__name__}.{name}")
    if name in _FUNCTIONS:
        value = globals()[name] = getattr(import_module(f"{__name__}.{_FUNCTIONS[name]}"), name)
        return value
    if name == "__all__":
        return [n for n in __dir__() if not n.startswith("_")]
    place = import_module(f"{__name__}.{'parameter' if name in _PARAMETERS else 'modules'}")
    if not name[:1].isupper() or not hasattr(place, name):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(place, name)
    return value


def __dir__() -> list[str]:
    from . import modules

    classes = (name for name in dir(modules) if name[0].isupper() and name != "TYPE_CHECKING")
    return sorted({"functional", *_SUBMODULES, *_PARAMETERS, *_FUNCTIONS, *classes})
