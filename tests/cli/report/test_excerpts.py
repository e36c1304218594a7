"""The excerpt of a diagnostic is short, whatever the line's length, with the carets under the range."""

from __future__ import annotations

import random

import pytest
from opgen.diagnostics import Report, Span
from opgen.report.text_format import excerpt, flat

WIDTH = 140
PIECES = ("x", "word ", "\t", "\u202e", "\x1b", "ä", "\U0001f600", "(Tensor self, int dim=0) -> Tensor")


def lines(seed: int) -> tuple[str, int, int]:
    """Returns a line and a range of it."""
    choose = random.Random(seed)
    line = "".join(choose.choices(PIECES, k=choose.choice((1, 3, 20, 200, 2000))))
    start = choose.choice((0, len(line) - 1, choose.randrange(len(line))))
    end = choose.choice((start, start + 1, len(line), choose.randint(start, len(line))))
    return line, start, end


@pytest.mark.parametrize("first", range(0, 2000, 500))
def test_lines_of_any_length(first):
    for seed in range(first, first + 500):
        line, start, end = lines(seed)
        report = Report(sources={"f": lambda line=line: ["", line]})
        _, text, carets = excerpt(report, Span("f", 2, start + 1, 2, end + 1))
        text, carets = text.removeprefix("2 | "), carets.removeprefix("  | ")
        left, marked = text[: carets.index("^")], text[carets.index("^") : len(carets)]
        right = text[len(carets) :] if end > start else text[carets.index("^") :]
        shown = "" if start == end else marked

        assert len(text) <= WIDTH + len("......")
        assert flat(line[start:end]).startswith(shown) and (shown or start == end)
        cut = shown != flat(line[start:end])
        assert (right == "...") if cut else flat(line[end:]).startswith(right.removesuffix("..."))
        assert flat(line[:start]).endswith(left.removeprefix("..."))
        if len(flat(line)) <= WIDTH:
            assert text == flat(line)
        else:
            assert text.startswith("...") or text.endswith("...")
        assert carets.strip() == "^" * max(1, len(shown))


def test_a_range_that_goes_on_in_the_next_line():
    report = Report(sources={"f": lambda: ["x" * 1000, "y"]})
    _, text, carets = excerpt(report, Span("f", 1, 901, 2, 2))
    assert text.startswith("1 | ...") and text.endswith("x" * 100) and len(text) < WIDTH + 10
    assert carets.count("^") == 100 and len(carets) == len(text)
