# Generated from templates/${view.template}; not to be edited.
<%include file="header.pyi.part"/>
% for t in view.tuples:
class ${t.name}(NamedTuple):
% for field in t.fields:
    ${field.name}: ${field.type}
% endfor

% endfor
class Tensor:
<%include file="tensor.pyi.part"/>
% for name in view.operators:
    def __${name}__(self, other: Tensor | _Number) -> Tensor: ...
    def __r${name}__(self, other: Tensor | _Number) -> Tensor: ...
    def __i${name}__(self, other: Tensor | _Number) -> Tensor: ...
% endfor
% for name in view.comparisons:
    def __${name}__(self, other: object) -> Tensor: ...  # type: ignore[override]
% endfor
% for f in view.methods:
% if f.overloaded:
    @overload
% endif
    def ${f.name}(${f.params}) -> ${f.returns}: ...
% endfor

% for f in view.functions:
% if f.overloaded:
@overload
% endif
def ${f.name}(${f.params}) -> ${f.returns}: ...
% endfor
