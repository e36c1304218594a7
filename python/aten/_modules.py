"""Submodules for each `python_module` of the declarations that has no hand-written file here."""

from __future__ import annotations

import sys
import types

from . import _C


def add(package: types.ModuleType) -> None:
    """Adds the missing submodules to `package`, such as `sparse`; `sparse_mm` becomes `sparse.mm`."""
    modules = {name[1:]: value for name, value in vars(_C).items() if isinstance(value, types.ModuleType)}
    for name, functions in modules.items():
        if name == "VariableFunctions" or hasattr(package, name):
            continue
        module = types.ModuleType(f"{package.__name__}.{name}", f"Functions of {name}.")
        found = {n.removeprefix(f"{name}_"): f for n, f in vars(functions).items() if not n.startswith("__")}
        vars(module).update(found)
        sys.modules[module.__name__] = module
        setattr(package, name, module)
