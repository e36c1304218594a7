"""${view.name}: operators for ${view.extends}, found at ${view.namespaces} once this module is imported."""

import ctypes
import pathlib

import ${view.extends}

_path = pathlib.Path(__file__).parent / "lib" / "lib${view.name}.so"
# Loading the library registers its operators; it stays loaded as long as the process lives.
_library = ctypes.CDLL(str(_path))
ops = ${view.extends}.ops
