"""Puts rows into a table of ops/math/README.md."""

from __future__ import annotations

from headers import ROOT

README = ROOT / "ops/math/README.md"


def rows(table: str) -> list[str]:
    """The rows between the marks of a table, without its head."""
    text = README.read_text(encoding="utf-8")
    return text.partition(f"<!-- {table} -->\n")[2].partition("<!-- end -->")[0].splitlines()[2:]


def write(table: str, new: list[str]) -> None:
    text = README.read_text(encoding="utf-8")
    before, mark, rest = text.partition(f"<!-- {table} -->\n")
    old, end, after = rest.partition("<!-- end -->")
    if not end:
        raise SystemExit(f"{README} has no table {table}")
    head = "\n".join(old.splitlines()[:2])
    README.write_text(before + mark + "\n".join([head, *new]) + "\n" + end + after, encoding="utf-8")
