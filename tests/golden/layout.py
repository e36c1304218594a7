"""`make lint`: checks that the golden generation's lines are broken and indented as clang-format does it.

The templates write the final layout; clang-format only checks it here. Spaces within a line are ignored:
signatures are spelled as in ATen.
"""

from __future__ import annotations

import difflib
import subprocess
import sys
from pathlib import Path

EXPECTED = Path(__file__).resolve().parent / "expected"


def main() -> int:
    files = sorted(f for f in EXPECTED.rglob("*") if f.suffix in (".h", ".cpp", ".cu"))
    differences = [line for file in files for line in misplaced(file)]
    print("\n".join(differences) or f"{len(files)} golden files are laid out as clang-format would")
    return 1 if differences else 0


def misplaced(file: Path) -> list[str]:
    clang_format = Path(sys.executable).with_name("clang-format")
    formatted = subprocess.run([clang_format, file], capture_output=True, text=True, check=True).stdout
    found, wanted = layout(file.read_text()), layout(formatted)
    name = file.relative_to(EXPECTED).as_posix()
    return list(difflib.unified_diff(found, wanted, name, "clang-format", n=0, lineterm=""))


def layout(text: str) -> list[str]:
    """Returns each line's indentation and its characters other than spaces."""
    return [" " * (len(line) - len(line.lstrip())) + "".join(line.split()) for line in text.splitlines()]


if __name__ == "__main__":
    sys.exit(main())
