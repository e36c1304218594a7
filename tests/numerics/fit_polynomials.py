"""Fits the polynomials of ops/math anew and compares them with those in the code.

python tests/numerics/fit_polynomials.py                # a row of Markdown for each; takes minutes
python tests/numerics/fit_polynomials.py atan           # only those whose names contain this
python tests/numerics/fit_polynomials.py atan --digits  # and the new coefficients, as C++ has them
python tests/numerics/fit_polynomials.py --write        # writes the table of ops/math/README.md
"""

from __future__ import annotations

import argparse

from mpmath import mp, mpf
from readme import write
from remez import POINTS_PER_TERM, minimax, rounded
from target import BITS, Target
from targets import targets


def worst(errors: list[mpf], bits: int) -> float:
    """The greatest error in the least unit that the result may have in its last place."""
    return float(max(abs(error) for error in errors) * mpf(2) ** bits)


def literal(term: mpf, type: str) -> str:
    head, _, exponent = float(term).hex().partition("p")
    return head.rstrip("0").rstrip(".") + "p" + exponent + ("f" if type == "float" else "")


def compare(target: Target) -> tuple[str, list[str]]:
    """The row of a polynomial, and the coefficients of the new fit."""
    code = target.coefficients()
    grid = target.grid(POINTS_PER_TERM * len(code))
    best, own = minimax(grid, len(code))[0], rounded(grid, len(code), BITS[target.type])
    figures = [worst(grid.errors(terms), target.bits()) for terms in (code, own, best)]
    agreeing = sum(a == b for a, b in zip(code, target.interpolation(len(code)), strict=True))
    ends = ", ".join(mp.nstr(mpf(end), 4) for end in (target.low, target.high))
    cells = [
        f"`{target.name}`", target.type, target.file, f"`{target.formula}`", f"[{ends}]", str(len(code)),
        *(f"{figure:.2g}" for figure in figures),
        "interpolation" if agreeing == len(code) else target.origin,
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |", [literal(term, target.type) for term in own]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--digits", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    found = []
    for target in targets():
        if options.name in target.name:
            row, digits = compare(target)
            print(row, *([", ".join(digits)] if options.digits else []), sep="\n", flush=True)
            found.append(row)
    if options.write:
        write("polynomials", found)


if __name__ == "__main__":
    main()
