"""All sample rows: the calls of each operator, and its NumPy reference.

An operator's rows are in the module of its subject, the folder of ops/ that defines it (`scan.py`), or, for
large subjects, in one of several modules (`loss.py`, `loss_margin.py`, `loss_pairs.py`).
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from rows import Row

MODULES = tuple(import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))
ROWS: tuple[Row, ...] = tuple(row for module in MODULES for row in module.ROWS)
