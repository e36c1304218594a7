"""Runs a program that imports torch with this library instead.

python -m aten.torch [--replace] program.py [argument ...]
python -m aten.torch [--replace] -m module [argument ...]
python -m aten.torch [--replace] -c code [argument ...]

--replace   also where PyTorch is installed, which is an error otherwise
"""

from __future__ import annotations

import os
import runpy
import sys

from . import install
from ._arguments import Arguments

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str]) -> None:
    """Runs the program of the command line."""
    words = list(arguments)
    replace = words[:1] == ["--replace"]
    if replace:
        del words[0]
    kind = words.pop(0) if words[:1] in (["-m"], ["-c"]) else ""
    if words[:1] in ([], ["-h"], ["--help"]) or (not kind and words[0].startswith("-")):
        asked = words[:1] in (["-h"], ["--help"])
        print(f"{__doc__}".strip(), file=sys.stdout if asked else sys.stderr)
        raise SystemExit(0 if asked else 2)
    try:
        install(replace)
    except ImportError as error:
        raise SystemExit(str(error)) from None
    run(kind, words)


def run(kind: str, words: list[str]) -> None:
    """Runs a file, a module ("-m") or code ("-c") as Python would."""
    program = words[0]
    sys.argv = Arguments(words if kind != "-c" else ["-c", *words[1:]])
    if kind == "-m":
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    elif kind == "-c":
        module = type(sys)("__main__")
        sys.modules["__main__"] = module
        exec(compile(program, "<string>", "exec"), vars(module))
    else:
        if not getattr(sys.flags, "safe_path", False) and os.path.isfile(program):
            sys.path[0] = os.path.dirname(os.path.realpath(program))
        runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
