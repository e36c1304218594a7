"""${view.name}: operators for ${view.extends}, found at ${view.namespaces} once this module is imported. Those
without a leading underscore are also functions of this module, or methods of ${view.extends}.Tensor."""

import ctypes as _ctypes
import pathlib as _pathlib

from ${view.extends} import ops as ops
from ${view.extends}._library import declarations as _declarations
from ${view.extends}._library import extensions as _extensions

_path = _pathlib.Path(__file__).parent
# Loading the library registers its operators; it stays loaded as long as the process lives.
_library = _ctypes.CDLL(str(_path / "lib" / "lib${view.name}.so"))
_declarations.add(_path / "declarations.txt")

# Where it goes, the operator, whether `input` is its `self`, the names of several results, and what inspect.signature
# and help() say.
_extensions.add(
    __name__,
    (
% for m in view.members:
        (${m.place}, ${m.operator}, ${m.takes_input}, ${m.fields}, ${m.signature}, ${m.doc}),
% endfor
    ),
)
