"""All sample rows: the calls of each operator, and its NumPy reference.

An operator's rows are in the module of its subject, the folder of ops/ that defines it (`scan.py`), or, for
large subjects, in one of several modules (`loss.py`, `loss_margin.py`, `loss_pairs.py`). These may be in
folders (`composed/views_copies.py`).
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages

from rows import Row

MODULES = tuple(
    import_module(found.name) for found in walk_packages(__path__, f"{__name__}.") if not found.ispkg
)
ROWS: tuple[Row, ...] = tuple(row for module in MODULES for row in module.ROWS)
