"""The content of a batching file: how operators treat a batch, where it can't be derived from entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class DeclaredRule:
    """`kind` is a word of the file: loop, leading, pointwise, folded, as, composite, or empty where there is
    only a formula, by which the operator is computed unless the kind applies. `detail` is the rank or the
    operator to call. `roles` are given for single arguments, by name.
    """

    kind: str
    detail: str = ""
    formula: str = ""
    roles: Mapping[str, str] = field(default_factory=dict)


Batching = Mapping[str, DeclaredRule]
