"""What dir() lists, and with it completion in a shell: a module's names, not what its file imports."""

from __future__ import annotations

import types

import aten
import pytest

MODULES = (aten, aten.linalg, aten.special, aten.fft, aten.nn.functional)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_no_name_is_an_import_of_the_file(module: types.ModuleType) -> None:
    names = dir(module)
    modules = {n: vars(module)[n] for n in names if isinstance(vars(module).get(n), types.ModuleType)}
    assert [n for n, m in modules.items() if m.__name__.partition(".")[0] != "aten"] == []
    assert "annotations" not in names and names == sorted(set(names))


def test_what_is_imported_when_it_is_asked_for_is_listed() -> None:
    assert {"optim", "export", "autocast", "nn", "add", "Tensor", "ops", "float32"} <= set(dir(aten))
