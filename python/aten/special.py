"""Special mathematical functions."""

from . import _C

if hasattr(_C, "_special"):
    globals().update(
        {n.removeprefix("special_"): f for n, f in vars(_C._special).items() if not n.startswith("__")}
    )
