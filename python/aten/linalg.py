"""Linear algebra."""

from . import _C
from ._C import LinAlgError as LinAlgError

if hasattr(_C, "_linalg"):
    globals().update(
        {n.removeprefix("linalg_"): f for n, f in vars(_C._linalg).items() if not n.startswith("__")}
    )
