"""The switches for deterministic algorithms and for the precision of products, with PyTorch's names."""

from __future__ import annotations

from collections.abc import Iterator

import aten
import pytest


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    yield
    aten.use_deterministic_algorithms(False)
    aten.set_float32_matmul_precision("highest")


def modes(library) -> list[tuple[bool, bool, int]]:
    found = []
    for mode, warn_only in ((False, False), (True, False), (True, True), (False, True)):
        library.use_deterministic_algorithms(mode, warn_only=warn_only)
        found.append(
            (
                library.are_deterministic_algorithms_enabled(),
                library.is_deterministic_algorithms_warn_only_enabled() and mode,
                library.get_deterministic_debug_mode(),
            )
        )
    for debug_mode in (0, 1, 2, "default", "warn", "error"):
        library.set_deterministic_debug_mode(debug_mode)
        found.append((library.are_deterministic_algorithms_enabled(), library.get_deterministic_debug_mode()))
    library.use_deterministic_algorithms(False)
    return found


def test_modes() -> None:
    assert modes(aten)[:4] == [(False, False, 0), (True, False, 2), (True, True, 1), (False, False, 0)]


def test_modes_are_pytorchs() -> None:
    assert modes(aten) == modes(pytest.importorskip("torch"))


@pytest.mark.parametrize("mode", [3, "always", None, 1.5])
def test_an_unknown_mode_is_an_error(mode: object) -> None:
    with pytest.raises(RuntimeError, match=r'expected "default", "warn", "error", 0, 1 or 2, got'):
        aten.set_deterministic_debug_mode(mode)
    assert aten.get_deterministic_debug_mode() == 0


def test_the_cpu_needs_no_other_algorithm() -> None:
    aten.use_deterministic_algorithms(True)
    x = aten.ones(5).index_add(0, aten.tensor([1, 1, 4]), aten.ones(3))
    assert x.tolist() == [1, 3, 1, 1, 2]


def test_precision_and_tf32_are_one_switch() -> None:
    matmul = aten.backends.cuda.matmul
    assert (aten.get_float32_matmul_precision(), matmul.allow_tf32) == ("highest", False)
    aten.set_float32_matmul_precision("medium")
    assert matmul.allow_tf32
    matmul.allow_tf32 = False
    assert aten.get_float32_matmul_precision() == "highest"
    matmul.allow_tf32 = True
    assert aten.get_float32_matmul_precision() == "high"
    with pytest.raises(AttributeError):
        matmul.allow_tf23 = True


@pytest.mark.parametrize("precision", ["low", 1, None])
def test_an_unknown_precision_is_an_error(precision: object) -> None:
    with pytest.raises(ValueError, match='expected "highest", "high" or "medium", got'):
        aten.set_float32_matmul_precision(precision)
