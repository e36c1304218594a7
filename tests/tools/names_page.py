"""docs/reference/names.md: PyTorch's public names beside this library's, and why some are not here.

python tests/tools/names_page.py    writes the page, with the installed library and PyTorch
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "names.md"
HEAD = """\
# Names of PyTorch

This page compares the public names of PyTorch {version}'s Python package with this library's. It is made by

    python tests/tools/names_page.py

and a test fails if a name of PyTorch's is neither here nor in the list below, `python/aten/_absent.py`. An
AttributeError for one of these names says the same as this page.

"""


def places(package: Any) -> dict[str, Any]:
    """Returns what is compared: the package, Tensor and the modules of functions."""
    return {
        "": package,
        "Tensor": package.Tensor,
        "linalg": package.linalg,
        "special": package.special,
        "fft": package.fft,
        "nn.functional": package.nn.functional,
    }


def public_names(place: Any) -> list[str]:
    """Returns the names without a leading underscore and, of a class, the special methods that it adds."""
    dunder = [n for n in dir(place) if n.startswith("__") and n.endswith("__")]
    # Python sets these on a class once somebody asks for them, or pickles one of its objects.
    special = [n for n in dunder if not hasattr(object, n) and n not in ("__annotations__", "__slotnames__")]
    # onnx is there once a program has imported it.
    named = [n for n in dir(place) if not n.startswith("_") and n != "onnx"]
    return named + (special if isinstance(place, type) else [])


def missing(package: Any, theirs: Any) -> dict[str, list[str]]:
    """Returns PyTorch's names that are not here, by place."""
    ours = places(package)
    return {
        where: [n for n in public_names(place) if not hasattr(ours[where], n)]
        for where, place in places(theirs).items()
    }


def page(package: Any, theirs: Any) -> str:
    """Returns the page's text."""
    from aten._absent import REASONS, reason_kind

    lacking = missing(package, theirs)
    parts = [HEAD.format(version=theirs.__version__.partition("+")[0])]
    parts.append("| in | PyTorch's names | here | not here |\n|---|---|---|---|\n")
    for where, place in places(theirs).items():
        total = len(public_names(place))
        absent = len(lacking[where])
        parts.append(f"| `{shown(where)}` | {total} | {total - absent} | {absent} |\n")
    for where, names in lacking.items():
        if not names:
            continue
        parts.append(f"\n## Not in `{shown(where)}`\n\n| because | names |\n|---|---|\n")
        for kind, reason in REASONS.items():
            listed = [n for n in names if reason_kind(where, n) == kind]
            if listed:
                parts.append(f"| {reason} | {' '.join(f'`{n}`' for n in listed)} |\n")
    return "".join(parts)


def shown(where: str) -> str:
    return f"aten.{where}" if where else "aten"


def main() -> int:
    """Writes the page."""
    import aten
    import torch

    PAGE.write_text(page(aten, torch), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
