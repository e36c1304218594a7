"""Lets PyTorch's test files be imported with this library as their `torch`.

`torch.testing._internal` and the few modules that it needs come from a PyTorch installation or source tree,
as files of the tests; names that this library doesn't have come from the tables of stubs.py; all the rest is
this library.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import stubs


class NotHere(NotImplementedError):
    """A test used what this library doesn't have."""


class Absent(type):
    """The class of classes that can be named, subclassed, read from and tested for, but not called."""

    def __call__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotHere(f"{cls.__module__}.{cls.__qualname__} is not here")

    def __getattr__(cls, name: str) -> type:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return absent(f"{cls.__module__}.{cls.__qualname__}", name)

    def __enter__(cls) -> NoReturn:
        cls()

    def __exit__(cls, *args: object) -> None:
        pass

    def __iter__(cls) -> NoReturn:
        cls()

    def __repr__(cls) -> str:
        return f"{cls.__module__}.{cls.__qualname__}"


def absent(module: str, name: str) -> type:
    return Absent(name, (), {"__module__": module})


def _below(place: str, roots: Any) -> bool:
    return any(place == root or place.startswith(f"{root}.") for root in roots)


class Files:
    """Finds the modules of PyTorch's that are not this library's: its test helpers, and absent modules."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        top, _, place = name.partition(".")
        if top != "torch" or not place:
            return None
        if place in stubs.REPLACED:
            return ModuleSpec(name, _Other(f"torch.{stubs.REPLACED[place]}"))  # type: ignore[arg-type]
        if _below(place, stubs.HELPERS):
            return self._file(name, place)
        if _below(place, stubs.ABSENT_MODULES):
            return ModuleSpec(name, self, origin="absent", is_package=True)  # type: ignore[arg-type]
        return None

    def _file(self, name: str, place: str) -> ModuleSpec | None:
        at = self.tree / place.replace(".", "/")
        if place == stubs.UNRUN:
            made = ModuleSpec(name, None, is_package=True)
            made.submodule_search_locations = [str(at)]
            return made
        if (at / "__init__.py").exists():
            found = SourceFileLoader(name, str(at / "__init__.py"))
            made = ModuleSpec(name, found, origin=found.path, is_package=True)
            made.submodule_search_locations = [str(at)]
        else:
            found = SourceFileLoader(name, str(at.with_suffix(".py")))
            made = ModuleSpec(name, found, origin=found.path)
        made.has_location = True
        return made

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        place = module.__name__.partition(".")[2]
        vars(module).update(stubs.VALUES.get(place, {}))

        def __getattr__(name: str) -> Any:
            if name.startswith("__") and name.endswith("__"):
                raise AttributeError(name)
            if _is_module(f"{place}.{name}"):
                return importlib.import_module(f"torch.{place}.{name}")
            made = absent(module.__name__, name)
            setattr(module, name, made)
            return made

        vars(module)["__getattr__"] = __getattr__


class _Other:
    """Loads a module that stands for another one."""

    def __init__(self, name: str) -> None:
        self.name = name

    def create_module(self, spec: ModuleSpec) -> None:
        pass

    def exec_module(self, module: ModuleType) -> None:
        found = importlib.import_module(self.name)
        vars(found).update(stubs.VALUES.get(self.name.partition(".")[2], {}))
        sys.modules[module.__name__] = found


def _is_module(place: str) -> bool:
    named = [*stubs.ABSENT_MODULES, *stubs.VALUES]
    return any(each == place or each.startswith(f"{place}.") for each in named)


def install(tree: Path) -> None:
    """Makes this library `torch`, with what the tests need besides.

    tree: the folder `torch` of a PyTorch installation or source tree.
    """
    import aten.torch

    aten.torch.install(replace=True)
    sys.meta_path.insert(0, Files(tree))  # type: ignore[arg-type]
    import torch

    torch.__file__ = str(tree / "__init__.py")
    torch.finfo = _finfo(torch.finfo)
    for place in stubs.ABSENT_MODULES:
        importlib.import_module(f"torch.{place}")
    torch.serialization.add_safe_globals(
        value for value in vars(torch.nn.modules).values() if isinstance(value, type)
    )
    for place, names in stubs.ABSENT_NAMES.items():
        module = importlib.import_module(f"torch.{place}".rstrip("."))
        for name in names.split():
            if not hasattr(module, name):
                setattr(module, name, absent(module.__name__, name))
    for place, values in stubs.VALUES.items():
        if _below(place, (*stubs.ABSENT_MODULES, *stubs.HELPERS)):
            continue
        module = importlib.import_module(f"torch.{place}".rstrip("."))
        for name, value in values.items():
            if not hasattr(module, name):
                setattr(module, name, value)
    importlib.import_module("torch.testing._utils")
    for place, names in stubs.BORROWED.items():
        _borrow(tree, place, names.split())
    for name in ("gradcheck", "gradgradcheck"):
        setattr(torch.autograd, name, _without_batches(getattr(torch.autograd, name)))


def forget_hooks() -> None:
    """Removes the hooks of all modules, which tests do by replacing PyTorch's own private variables."""
    from aten.nn.modules import _hooks

    for name in _hooks._PLACES:
        getattr(_hooks.everywhere, name).clear()
    _hooks.everywhere._is_full_backward_hook = None


def _without_batches(check: Any) -> Any:
    """The helpers ask for the check of batched gradients in each test; none is made here."""

    def checked(*args: Any, **kwargs: Any) -> Any:
        return check(*args, **{**kwargs, "check_batched_grad": False})

    return checked


def _finfo(known: Any) -> Any:
    """The helpers keep the limits of dtypes that aren't here as constants."""
    return lambda dtype=None: (
        known() if dtype is None else absent("", "") if type(dtype) is Absent else known(dtype)
    )


def _borrow(tree: Path, place: str, names: list[str]) -> None:
    """Adds the names that PyTorch's file of a module has to this library's module."""
    path = (tree / place.replace(".", "/")).with_suffix(".py")
    spec = importlib.util.spec_from_file_location(f"torch.{place}_of_pytorch", path)
    source = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(source)
    name = f"torch.{place}"
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError:
        module = sys.modules[name] = source
        parent, _, last = name.rpartition(".")
        setattr(sys.modules[parent], last, module)
    for each in names:
        if not hasattr(module, each):
            setattr(module, each, getattr(source, each))
