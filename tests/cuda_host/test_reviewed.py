"""The list of reviewed reports allows what was reviewed, and nothing beside it."""

from __future__ import annotations

import host
import pytest

GUESS = ("cuda/Atomic.cuh:54 void at::native::atomic_detail::combine_word<unsigned int, float, Multiply>",)
OTHER = ("cuda/indexing/scatter.cu:40 at::native::scatter_cuda::Multiply::operator",)
ASSIGN = ("cuda/indexing/scatter.cu:60 at::native::scatter_cuda::Assign::operator",)


def race(what: str, place: tuple[str, ...], other: tuple[str, ...], space: str = "global") -> host.Report:
    text = f"{what} in {space} memory: thread 1 of block 0, before that thread 0 of block 0, at 0x10"
    return host.Report("race", "scatter_lines", "cuda/indexing/scatter.cu:153", place, other, text)


def test_every_entry_has_a_reason() -> None:
    assert len(host.reviewed()) > 0
    assert all(len(review.reason) > 20 for review in host.reviewed())


@pytest.mark.parametrize(
    "report",
    [
        race("read after atomic", GUESS, GUESS),
        race("atomic after read", GUESS, GUESS),
        race("write after write", ASSIGN, ASSIGN),
    ],
)
def test_what_was_reviewed_is_allowed(report: host.Report) -> None:
    assert host.is_reviewed(report)


@pytest.mark.parametrize(
    "report",
    [
        race("read after write", GUESS, OTHER),  # a plain write of other code
        race("atomic after write", GUESS, OTHER),
        race("write after atomic", OTHER, GUESS),
        race("read after atomic", OTHER, GUESS),  # nothing compares what was read there
        race("read after write", GUESS, GUESS),  # the swap is no atomic one
        race("read after atomic", GUESS, GUESS, space="shared"),
        race("write after write", ASSIGN, OTHER),
        race("read after write", ASSIGN, ASSIGN),
        race("read after atomic", (*OTHER, *GUESS), GUESS),  # in a function that it calls
    ],
)
def test_other_races_at_the_same_place_are_faults(report: host.Report) -> None:
    assert host.unreviewed([report]) == [report]
