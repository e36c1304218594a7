"""Write the oracles of the C++ tests as plain text: PyTorch's dispatch tables, and its run-time schemas.

write_dispatch_cases.py tables CASES.json.gz OUT.txt    for test_dispatch_table
write_dispatch_cases.py schemas OUT.txt                 for test_schema; needs an interpreter with torch
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path


def tables(cases: Path) -> list[str]:
    """Returns lines `fallback KEY KIND`, `keys KEY...`, then cases: `case KEY...`, `slot KEY KERNEL RULE`,
    `end`.
    """
    with gzip.open(cases, "rt") as file:
        data = json.load(file)
    lines = [
        f"fallback {key} {'fallthrough' if kind == 'fallthrough' else 'kernel'}"
        for key, kind in data["fallbacks"].items()
    ]
    parts = {"python_dispatcher": data["python_dispatcher_runtime_keys"], "extended": data["runtime_keys"]}
    for part, keys in parts.items():
        lines.append("keys " + " ".join(keys))
        for case in data[part]:
            lines.append("case " + " ".join(case["register"]))
            lines += [f"slot {key} {slot[0]} {slot[1]}" for key, slot in case["table"].items() if slot]
            lines.append("end")
    return lines


def schemas() -> list[str]:
    """Returns every schema that PyTorch has at run time, as it prints them."""
    import torch

    return sorted({str(schema) for schema in torch._C._jit_get_all_schemas()})


def main(arguments: list[str]) -> int:
    match arguments:
        case ["tables", cases, out]:
            lines = tables(Path(cases))
        case ["schemas", out]:
            lines = schemas()
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    Path(out).write_text("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
