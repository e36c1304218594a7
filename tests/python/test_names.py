"""PyTorch's public names: each is here, or has a reviewed reason; docs/reference/names.md says so."""

from __future__ import annotations

import aten
import pytest
from aten._absent import ABSENT, REASONS, reason_of

torch = pytest.importorskip("torch")

import names_page  # noqa: E402

MISSING = names_page.missing(aten, torch)


@pytest.mark.parametrize("place", MISSING)
def test_every_missing_name_has_a_reason(place: str) -> None:
    unexplained = [n for n in MISSING[place] if reason_of(place, n) is None]
    assert not unexplained, f"add them, or a reason to python/aten/_absent.py: {' '.join(unexplained)}"


@pytest.mark.parametrize("place", MISSING)
def test_no_reason_is_for_a_name_that_is_here(place: str) -> None:
    listed = {n for names in ABSENT[place].values() for n in names.split()}
    stale = sorted(listed - set(MISSING[place]))
    assert not stale, f"remove them from python/aten/_absent.py: {' '.join(stale)}"


def test_the_page_is_current() -> None:
    text = names_page.PAGE.read_text(encoding="utf-8")
    assert text == names_page.page(aten, torch), "python tests/tools/names_page.py writes it"


@pytest.mark.parametrize(
    ("place", "name"),
    [
        (aten, "sparse_coo_tensor"),
        (aten, "while_loop"),
        (aten.Tensor, "to_sparse"),
        (aten.ones(1), "to_sparse"),
    ],
)
def test_the_error_says_what_to_use(place: object, name: str) -> None:
    assert not hasattr(place, name)
    with pytest.raises(AttributeError, match=f"'{name}': PyTorch has it, but here there are .*; use "):
        getattr(place, name)


def test_the_error_of_another_name_is_plain() -> None:
    with pytest.raises(AttributeError, match=r"module 'aten' has no attribute 'nothing'$"):
        _ = aten.nothing
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
        _ = aten.ones(1).nothing


def test_every_kind_is_used() -> None:
    assert set(REASONS) == {kind for kinds in ABSENT.values() for kind in kinds}
