"""Names that a library can have: it names a Python package, a C++ namespace, a file and a CMake target."""

from __future__ import annotations

import keyword
import re
import sys

from opgen.check.names import MAX_NAME
from opgen.check.reserved_names import CPP_KEYWORDS, is_macro

_FORM = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")

# Names such as `std1` are reserved for later versions of C++; the rest are those of ATen's headers.
_CPP_NAMESPACES = re.compile(r"std\d*|posix|at|c10|caffe2|torch")
# First CMake's own, then those of generated trees, then system libraries.
_TARGETS = re.compile(
    "all|clean|depend|edit_cache|help|install|package|package_source|preinstall|rebuild_cache|test"
    "|core|cpu|cuda|flags|glue|python_module|simd_.*"
    "|c|dl|gcc_s|gomp|m|pthread|rt"
)
# Packages that the library imports, and opgen itself.
_PACKAGES = frozenset(("numpy", "opgen"))


def fault(name: str) -> str | None:
    """Returns why a library can't have this name; None where it can."""
    if not _FORM.fullmatch(name):
        return "expected a lower-case identifier, with single '_' between its words, as in my_ops"
    if len(name) > MAX_NAME:
        return f"a name has at most {MAX_NAME} characters"
    if name in CPP_KEYWORDS:
        return "this is a keyword of C++'s, so it cannot name a namespace"
    if keyword.iskeyword(name):
        return "this is a keyword of Python's, so it cannot name a module"
    if _CPP_NAMESPACES.fullmatch(name):
        return "this is a namespace of C++'s or of the library's own headers"
    if is_macro(name):
        return "this is a macro of the C library, so it cannot name a namespace"
    if name in sys.stdlib_module_names or name in _PACKAGES:
        return "Python has a module of this name, and only one of the two could be imported"
    if _TARGETS.fullmatch(name):
        return "CMake has this name for a target or a library of the system"
    return None
