"""torch.types and torch.jit.annotations: names for the types of arguments."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import IO, Any
from typing import Dict as Dict  # noqa: UP035
from typing import List as List  # noqa: UP035
from typing import Optional as Optional
from typing import Tuple as Tuple  # noqa: UP035

from .. import _C

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined"

_bool, _bytes, _complex, _float, _int, _str = bool, bytes, complex, float, int, str
_device, _dtype, _layout = _C.device, _C.dtype, _C.layout
_size = _C.Size | list[int] | tuple[int, ...]
_TensorOrTensors = _C.Tensor | Sequence[_C.Tensor]
_Number = (int, float, bool)
Number = int | float | bool
FileLike = str | os.PathLike[str] | IO[bytes]
Device = _C.device | str | int | None


class _Broadcasting:
    """`BroadcastingList2[int]`: one value, or a list of two."""

    def __getitem__(self, kind: Any) -> Any:
        return kind | list[kind]


BroadcastingList1 = BroadcastingList2 = BroadcastingList3 = _Broadcasting()


def annotate(the_type: Any, the_value: Any) -> Any:
    """Returns the value."""
    return the_value
