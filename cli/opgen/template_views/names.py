"""Identifiers in generated C++: operators' structs, kernels and signature constants."""

from __future__ import annotations

import zlib
from functools import lru_cache

from opgen.model.function import Function
from opgen.template_views.atoms import Ident


def _unambiguous(function: Function) -> str:
    name = function.name.unambiguous()
    return name if function.namespace == "aten" else f"{function.namespace}_{name}"


def struct(function: Function) -> Ident:
    """Returns the name of an operator's struct, at::_ops::<this>."""
    return Ident(_unambiguous(function))


def kernel_symbol(key: str, function: Function) -> Ident:
    """Returns at::kernels::<this>, the wrapper that the dispatcher calls for `key`."""
    return Ident(f"{key}_{_unambiguous(function)}")


def signature_name(cpp_type: str) -> Ident:
    """Returns the constant for a C++ signature; named by its digest, so that adding a signature renames no
    other.
    """
    return Ident(f"s{zlib.crc32(cpp_type.encode()):08x}_{zlib.adler32(cpp_type.encode()):08x}")


@lru_cache(maxsize=8192)
def base(function: Function) -> Ident:
    """Returns the name of the operator's header ATen/ops/<this>.h, shared by all forms and overloads of a
    name.
    """
    root = function.root_name
    return Ident(root if function.namespace == "aten" else f"{function.namespace}_{root}")
