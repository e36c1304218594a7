<%namespace name="stubs" file="/lib/stubs.mako"/>\
# Generated from templates/${view.template}; not to be edited.
from collections.abc import Sequence
from typing import Any, NamedTuple, overload

from ${view.name} import Generator, Stream, Tensor, contiguous_format
from ${view.name} import _bool, _DeviceLike, _dtype, _float, _int, _IntOrInts, _Ints, _layout, _memory_format, _Number
% for p in view.passed_on:
from ${p.origin} import ${p.name} as ${p.name}
% endfor
% for t in view.tuples:

class ${t.name}(NamedTuple):
% for field in t.fields:
    ${field.name}: ${field.type}
% endfor
% endfor

% for f in view.functions:
${stubs.function(f)}\
% endfor
