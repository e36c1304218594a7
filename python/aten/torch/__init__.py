"""Programs that import torch get this library: by `install()`, or by `python -m aten.torch program.py` for
programs that don't call it.

`torch` and its submodules are then this package's own modules, or views of them with the few names that only
PyTorch has. This holds in the calling process and in the processes that `multiprocessing` starts from it.
"""

from __future__ import annotations

import sys
from importlib import util

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from ._finder import Finder

__all__ = ["install", "uninstall"]

_PACKAGE = __name__.rpartition(".")[0]
_installed: Finder | None = None


def install(replace: bool = False) -> None:
    """Lets `import torch` give this library, in this process. Installing it again changes nothing.

    replace: whether it may stand before a PyTorch that is installed; without it that is an ImportError. A
    PyTorch that the process has imported is never replaced, as its modules import one another later, too.
    """
    global _installed
    if _installed is not None:
        return
    _refuse_pytorch(replace)
    from ._finder import Finder
    from ._texts import use_pytorchs

    _installed = Finder()
    sys.meta_path.insert(0, _installed)
    use_pytorchs()


def uninstall() -> None:
    """Undoes install(): `import torch` finds what it found before. Modules that have `torch` keep it."""
    global _installed
    if _installed is None:
        return
    if _installed in sys.meta_path:
        sys.meta_path.remove(_installed)
    for name in [n for n in sys.modules if n == "torch" or n.startswith("torch.")]:
        del sys.modules[name]
    from ._texts import use_own

    use_own()
    _installed = None


def _refuse_pytorch(replace: bool) -> None:
    command = f"python -m {__name__} --replace program.py"
    imported = sys.modules.get("torch")
    if imported is not None:
        raise ImportError(
            f"{__name__}.install(): this process has imported torch from {_place(imported.__spec__)}. Call "
            f"it before any import of torch, or run the program by {command}"
        )
    found = None if replace else util.find_spec("torch")
    if found is not None and found.origin is not None:  # a folder without Python files has no origin
        raise ImportError(
            f"{__name__}.install(): PyTorch is installed ({_place(found)}), and 'import torch' would no "
            f"longer give it. To use {_PACKAGE} all the same: install(replace=True), or {command}"
        )


def _place(spec: object) -> str:
    return getattr(spec, "origin", None) or "an unknown place"
