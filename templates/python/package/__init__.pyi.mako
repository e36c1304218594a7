<%namespace name="stubs" file="/lib/stubs.mako"/>\
# Generated from templates/${view.template}; not to be edited.
import builtins
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, SupportsIndex, TypeVar, final, overload

from . import amp as amp, autograd as autograd, backends as backends, cpu as cpu, cuda as cuda, fft as fft
from . import library as library
from . import linalg as linalg, nn as nn, serialization as serialization
from . import overrides as overrides, random as random, special as special, utils as utils
from ._C import LinAlgError as LinAlgError
from ._library.schema_checks import SchemaError as SchemaError, SchemaWarning as SchemaWarning, check_schemas as check_schemas
from .amp import GradScaler as GradScaler, autocast as autocast
% for name in view.modules:
from . import ${name} as ${name}
% endfor
% for p in view.passed_on:
from ${p.origin} import ${p.name} as ${p.name}
% endfor

<%include file="header.pyi.part"/>
% for t in view.tuples:
class ${t.name}(NamedTuple):
% for field in t.fields:
    ${field.name}: ${field.type}
% endfor

% endfor
class Tensor:
<%include file="tensor.pyi.part"/>
% for o in view.operators:
    def __${o.name}__(self, other: Tensor | _Number, /) -> Tensor: ...
    def __r${o.name}__(self, other: Tensor | _Number, /) -> Tensor: ...
% if o.inplace:
    def __i${o.name}__(self, other: Tensor | _Number, /) -> Tensor: ...
% endif
% endfor
% for name in view.unary:
    def __${name}__(self) -> Tensor: ...
% endfor
% for name in view.orders:
    def __${name}__(self, other: Tensor | _Number, /) -> Tensor: ...
% endfor
% for name in view.equalities:
    def __${name}__(self, other: object, /) -> Tensor: ...  # type: ignore[override]
% endfor
% for f in view.methods:
${stubs.method(f)}\
% endfor

% for f in view.functions:
${stubs.function(f)}\
% endfor
