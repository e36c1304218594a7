"""The dispatcher's convention: schema order, every argument by itself, SymInt as c10::SymInt, no defaults."""

from __future__ import annotations

from functools import lru_cache

from opgen.api import cpp
from opgen.api.ctype import CType
from opgen.api.signature import Param, Signature
from opgen.model import Function, Schema


def name(schema: Schema) -> str:
    return cpp.name(schema)


def params(function: Function, *, symint: bool = True) -> tuple[Param, ...]:
    return cpp.faithful_params(function, symint=symint)


def returns(function: Function) -> CType:
    return cpp.returns(function)


@lru_cache(maxsize=8192)  # cached: nearly every template view asks for it
def signature(function: Function, *, symint: bool = True) -> Signature:
    return Signature(name(function.schema), returns(function), params(function, symint=symint))
