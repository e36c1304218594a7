"""Signatures as atoms: the lists that templates print."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from opgen.api.signature import Signature
from opgen.template_views.atoms import Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class SignatureAtoms:
    types: Cpp
    params: Cpp
    args: Cpp


def atoms(signature: Signature) -> SignatureAtoms:
    params = signature.params
    return SignatureAtoms(
        types=join([p.ctype.text for p in params]),
        params=join([p.defn() for p in params]),
        args=join([p.name for p in params]),
    )


def join(parts: Iterable[str]) -> Cpp:
    return Cpp(", ".join(parts))


def comma(text: str) -> Cpp:
    """Returns `text` after a comma; nothing when it is empty."""
    return Cpp(f", {text}" if text else "")
