"""The rule by which each operator treats a batch: declared in the batching file, or derived from its entry.

* An operator that is defined by others needs none: these have rules.
* Pointwise operators, by their tag, functor or iterator, take all examples at once, with aligned shapes.
* An operator of one tensor whose other arguments include dimensions or sizes takes all examples at once, with
  the dimensions shifted and the sizes extended by one.
* A reduction of a whole tensor is the form of the operator that takes a dimension, of the flattened examples.
* All others are called for each example.

Arguments' names are only trusted in opgen's own schemas, whose rules the tests compare with loops.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from opgen.model.batching import DeclaredRule
from opgen.model.function import Function
from opgen.model.program import Program
from opgen.model.schema import Argument, Kind
from opgen.model.types import Base
from opgen.template_views import autogen, names
from opgen.template_views.source import Source

_BY_DIM = "dDlfps"  # roles of dimensions and sizes
_ITERATOR = "TensorIteratorBase"
_ONE_DIM = re.compile(r"dim\d?|dimension")
_CALLED = re.compile(r"\bat::(\w+)\(")
_WRITTEN = re.compile(r"\bself\.(\w+)_\(")
_HELPER = re.compile(r"\bbatching::(\w+)\(")
_DEFINED = re.compile(r"^inline [^(\n]*?(\w+)\(", re.MULTILINE)
_DECLARED_KINDS = {
    "loop": "Loop",
    "leading": "Leading",
    "pointwise": "Pointwise",
    "folded": "Folded",
    "": "Composite",
    "composite": "Composite",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Rule:
    """As ops/runtime/Batching.h describes it. `via`: the operator that is called instead."""

    kind: str
    roles: str = ""
    via: Function | None = None
    formula: str = ""
    rank: int = 0


class Helpers:
    """The functions for formulas, which are in headers of the subjects, ops/*/batching.h."""

    def __init__(self, sources: Iterable[Source]):
        self._of: dict[str, tuple[str, str]] = {}
        for source in sources:
            if source.path.endswith("/batching.h"):
                text, place = source.content.decode(), source.path[source.path.index("ATen/") :]
                self._of |= dict.fromkeys(_DEFINED.findall(text), (place, text))

    def headers(self, formula: str) -> set[str]:
        return {self._of[name][0] for name in _HELPER.findall(formula)}

    def called(self, formula: str) -> set[str]:
        """Returns the operators that a formula calls, itself or by helpers."""
        texts = [formula, *(self._of[name][1] for name in _HELPER.findall(formula))]
        found = {name for text in texts for name in (*_CALLED.findall(text), *_WRITTEN.findall(text))}
        return {name.removesuffix("_symint") for name in found}


class Rules:
    """The rules of a program's operators. `shipped`: the folder of opgen's own schemas."""

    def __init__(self, program: Program, helpers: Helpers, shipped: str):
        self._program, self._helpers, self._shipped = program, helpers, shipped
        self._functional: dict[str, list[Function]] = defaultdict(list)  # by the name without overload
        for function in program.functions:
            if function.kind is Kind.functional:
                self._functional[function.qualified_root_name].append(function)
        self._bases = {names.base(f) for f in program.functions}
        self._callable = {names.base(f) for f in program.functions if not f.manual_cpp_binding}

    def of(self, function: Function) -> Rule:
        if function.kind is Kind.out or function.kind is Kind.scratch:
            return Rule("WritesOut")
        declared = self._declared(function)
        if declared is not None:
            return self._of_declared(function, declared) or Rule("Loop")
        if function.has_kernel("CompositeImplicitAutograd"):
            return Rule("Composite")
        if self._is_pointwise(function):
            return Rule("Pointwise", _roles(function))
        is_shipped = function.span.path.rpartition("/")[0] == self._shipped
        derived = self._of_one_tensor(function) if is_shipped else None
        if derived is not None:
            return derived
        is_explicit = function.has_kernel("CompositeExplicitAutograd") and not _has_own_kernel(function)
        return Rule("Composite" if (is_explicit and is_shipped) or self._is_made(function) else "Loop")

    def _declared(self, function: Function) -> DeclaredRule | None:
        rules = self._program.batching or {}
        exact, of_all = rules.get(function.qualified_name), rules.get(str(function.name.name))
        # Overloads have arguments of their own, so that a formula isn't for all.
        return exact or (of_all if of_all is not None and not of_all.formula else None)

    def _of_declared(self, function: Function, declared: DeclaredRule) -> Rule | None:
        """Returns the rule; None where an operator that it calls isn't in the library, or has no C++ function
        that is generated.
        """
        roles = _roles(function, declared.roles)
        if declared.kind == "as":
            via = self._program.by_name.get(declared.detail)  # which isn't only of the selection
            if via is None or names.base(via) not in self._bases:
                return None
            return Rule("Pointwise", roles, via) if len(via.schema.arguments.all) == len(roles) else None
        if not self._helpers.called(declared.formula) <= self._callable:
            return None
        rank = int(declared.detail) if declared.kind == "folded" else 0
        return Rule(_DECLARED_KINDS[declared.kind], roles, formula=declared.formula, rank=rank)

    def _is_made(self, function: Function) -> bool:
        """Whether its kernel is generated: it calls another operator and copies."""
        return autogen.made_kernel(function, self._program) is not None

    def _is_pointwise(self, function: Function) -> bool:
        arguments = function.schema.arguments.all
        if any(a.type.as_list() is not None and a.type.is_tensor_like() for a in arguments):
            return False
        if any(_role(a) in _BY_DIM for a in arguments):
            return False
        group = self._program.group_of.get(function.qualified_name)
        out = group.out if group is not None else function
        by_iterator = group is not None and out.structured_inherits == _ITERATOR
        return "pointwise" in function.tags or bool(out.ufunc_inner_loop) or by_iterator

    def _of_one_tensor(self, function: Function) -> Rule | None:
        tensors = [a for a in function.schema.arguments.all if a.type.is_tensor_like()]
        if len(tensors) != 1 or tensors[0].type.as_list() is not None:
            return None
        roles = _roles(function)
        if set(roles) & set(_BY_DIM):
            return Rule("Leading", roles)
        by_dim = self._form_with_dim(function)
        return None if by_dim is None else Rule("Flattened", roles, by_dim)

    def _form_with_dim(self, function: Function) -> Function | None:
        """Returns the overload that reduces a dimension where this one reduces all of the tensor."""
        returns = function.schema.returns
        gives_new = function.kind is Kind.functional and len(returns) == 1 and returns[0].alias is None
        if not gives_new or "view_copy" in function.tags:
            return None
        own = {a.name for a in function.schema.arguments.all}
        for other in self._functional[function.qualified_root_name]:
            given = other.schema.arguments.all
            has_dim = any(a.name == "dim" and a.type.is_like(Base.int) for a in given)
            rest = [a for a in given if a.name not in own and a.name != "dim"]
            if has_dim and own <= {a.name for a in given} and all(a.default is not None for a in rest):
                return other
        return None


def _has_own_kernel(function: Function) -> bool:
    """Whether a backend has a kernel of its own."""
    return function.part_of_structured_group or any(
        not str(key).startswith("Composite") for key in (function.dispatch or {})
    )


def _roles(function: Function, declared: Mapping[str, str] | None = None) -> str:
    """Returns the letters of the arguments, as ops/runtime/Batching.h explains them."""
    roles = "".join((declared or {}).get(a.name) or _role(a) for a in function.schema.arguments.all)
    if "s" not in roles:
        roles = roles.replace("S", ".")  # of windows
    return roles.replace("q", "Q") if function.root_name.endswith("_backward") else roles


def _role(argument: Argument) -> str:
    type, name = argument.type, argument.name
    if name == "reduction":
        return "q"
    if type.is_tensor_like():
        return "t"
    if type.is_like(Base.MemoryFormat):
        return "m"
    if not (type.is_like(Base.int) or type.is_like(Base.SymInt)):
        return "."
    if type.as_list() is None:
        return ("f" if type.is_nullable() else "d") if _ONE_DIM.fullmatch(name) else "."
    if name == "dim":
        return "D" if type.is_nullable() or argument.default is not None else "l"
    if name == "dims":
        return "l"
    return "s" if name in ("size", "input_sizes") else "S" if name == "stride" else "."
