"""The table of overloads as a data file, and the page that sums it up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from core_aten_absent import reason_for

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "core-aten.md"
DATA = Path(__file__).parents[1] / "ops" / "pytorch" / "core_aten.txt"
DTYPES = ("float32", "float64", "int64", "bool", "bfloat16", "complex64")
ASPECTS = (*DTYPES, "meta", "gradients", "forms", "errors")
Lines = dict[str, dict[str, str]]

HEAD = """\
# Core ATen, overload by overload

Every overload is compared with PyTorch's. PyTorch tags {core} overloads as `core`: exported models decompose
to these. The tests record every call that PyTorch makes below autograd while it runs the samples of its
operator database and their backward passes, and make the same calls with this library.

| column | what is compared |
|---|---|
| a dtype | samples of this dtype: values, dtype, shape, strides, mutated arguments, shared memory |
| meta | the result on the Meta device with that on the CPU: shape, dtype, strides |
| gradients | those of all floating-point arguments, in float64 |
| forms | the in-place and out= forms on the same arguments |
| errors | an error of PyTorch is an exception of the same kind |

*passing*: all calls agree; where PyTorch rounds intermediate values, ours is its float64 result, rounded
once. *partly*: some differ, for a reason that `tests/ops/pytorch/recorded_differences.py` gives. *not
called*: PyTorch's samples make no such call, or there is no such form; `tests/ops` compares these with NumPy.

`tests/ops/pytorch/core_aten.txt` has a line for each overload, and a run of all tests of a column fails if
one gets worse. This command writes it, and this page:

    ATEN_ALL_SAMPLES=1 pytest tests/ops/pytorch/test_recorded_calls.py -n auto --write-core-aten

## Summary

"""
COMMENT = """\
# How each overload compares with PyTorch's, in the columns {aspects}.
# +: all calls agree; ~: some differ; .: PyTorch makes no such call; !: not declared here; *: a core overload.
# Written by --write-core-aten: docs/reference/core-aten.md says how.
"""
SIGNS = {"passing": "+", "partly": "~", "-": ".", "missing": "!"}
WORDS = {sign: word for word, sign in SIGNS.items()}
KINDS = ("passing", "partly", "not called", "missing")
CORE, ABSENT = "*", "not declared: "


def data(lines: Lines, aspects: Sequence[str], absent: Iterable[str], core: set[str]) -> str:
    """Returns the content of the data file."""
    text = COMMENT.format(aspects=" ".join(aspects))
    for name in sorted(lines):
        signs = "".join(SIGNS[lines[name][aspect]] for aspect in aspects)
        text += f"{signs} {CORE if name in core else ' '}{name}\n"
    return text + "".join(f"{ABSENT}{name}\n" for name in sorted(absent))


def _rows(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if not line.startswith(("#", ABSENT)):
            signs, _, name = line.partition(" ")
            yield name, signs


def read(text: str, aspects: Sequence[str]) -> Lines:
    """Returns the lines of a data file, without those of overloads that are not declared."""
    return {
        name.strip(f"{CORE} "): dict(zip(aspects, (WORDS[sign] for sign in signs), strict=True))
        for name, signs in _rows(text)
    }


def read_core(text: str) -> set[str]:
    return {name.removeprefix(CORE) for name, _ in _rows(text) if name.startswith(CORE)}


def read_absent(text: str) -> set[str]:
    """Returns the overloads that PyTorch's samples reach and this library doesn't declare."""
    return {line.removeprefix(ABSENT) for line in text.splitlines() if line.startswith(ABSENT)}


def page(lines: Lines, aspects: Sequence[str], absent: Iterable[str], core: set[str]) -> str:
    parts = [HEAD.format(core=len(core)), *summary(lines, aspects, core)]
    partly = {name: cells for name, cells in lines.items() if standing(cells) == "partly"}
    parts += ["\n## Where some calls differ\n\n", table(partly, aspects)]
    return "".join([*parts, "\n## Not declared\n\n", absent_table(sorted(absent))])


def summary(lines: Lines, aspects: Sequence[str], core: set[str]) -> Iterator[str]:
    yield f"| overloads | number | {' | '.join(KINDS)} |\n{'|---' * (len(KINDS) + 2)}|\n"
    for title, of in (("core", core), ("others", lines.keys() - core)):
        yield counted(title, [standing(lines[name]) for name in of])
    yield f"\n| column | number | {' | '.join(KINDS)} |\n{'|---' * (len(KINDS) + 2)}|\n"
    for aspect in aspects:
        words = [cells[aspect] for cells in lines.values()]
        yield counted(aspect, ["not called" if word == "-" else word for word in words])


def counted(title: str, words: Sequence[str]) -> str:
    return f"| {title} | {len(words)} | {' | '.join(str(words.count(kind)) for kind in KINDS)} |\n"


def standing(cells: dict[str, str]) -> str:
    """Returns the status of a whole line."""
    words = set(cells.values())
    for word in ("missing", "partly", "passing"):
        if word in words:
            return word
    return "not called"


def table(lines: Lines, aspects: Sequence[str]) -> str:
    rows = [f"| overload | {' | '.join(aspects)} |", "|---" * (len(aspects) + 1) + "|"]
    rows += [f"| `{n}` | {' | '.join(cells[a] for a in aspects)} |" for n, cells in sorted(lines.items())]
    return "\n".join(rows) + "\n"


def absent_table(names: Sequence[str]) -> str:
    """Returns the last table; an overload without a reason is missing."""
    rows = [(name, reason_for(name)) for name in names]
    missing = sum(why is None for _, why in rows)
    head = "Of the overloads that PyTorch's samples reach, and of those of the same operators, the library"
    head += f" does not\ndeclare {len(rows)}: {len(rows) - missing} with a reason, {missing} missing.\n"
    cells = [f"| `{name}` | {why or 'missing'} |" for name, why in rows]
    return head + "\n".join(["", "| overload | why not |", "|---|---|", *cells]) + "\n"


if __name__ == "__main__":  # writes the page of what the data file has
    content = DATA.read_text(encoding="utf-8")
    PAGE.write_text(page(read(content, ASPECTS), ASPECTS, read_absent(content), read_core(content)), "utf-8")
