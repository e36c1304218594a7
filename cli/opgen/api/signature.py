"""What all calling conventions have in common: a signature with its parameters, and its C++ text."""

from __future__ import annotations

from dataclasses import dataclass, replace

from opgen.api.ctype import CType
from opgen.model import Argument, TensorOptions


@dataclass(frozen=True, slots=True)
class Param:
    """One C++ parameter. `argument` is the schema's argument; TensorOptions are four."""

    name: str
    ctype: CType
    default: str | None = None
    argument: Argument | TensorOptions | None = None

    def decl(self) -> str:
        if self.default is None:
            return f"{self.ctype.text} {self.name}"
        return f"{self.ctype.text} {self.name}={self.default}"

    def defn(self) -> str:
        return f"{self.ctype.text} {self.name}"

    def without_default(self) -> Param:
        return self if self.default is None else replace(self, default=None)


@dataclass(frozen=True, slots=True)
class Signature:
    """A C++ function; `const` marks a method that does not change its object."""

    name: str
    returns: CType
    params: tuple[Param, ...]
    const: bool = False

    def decl(self, name: str | None = None) -> str:
        """Returns `at::Tensor add(const at::Tensor & self, const at::Scalar & alpha=1)`, or the same with
        another `name`.
        """
        params = ", ".join([p.decl() for p in self.params])
        return f"{self.returns.text} {name or self.name}({params}){' const' if self.const else ''}"

    def defn(self, name: str | None = None) -> str:
        """Returns the declaration without defaults."""
        params = ", ".join([p.defn() for p in self.params])
        return f"{self.returns.text} {name or self.name}({params}){' const' if self.const else ''}"

    def type(self) -> str:
        """Returns the function type, `at::Tensor (const at::Tensor &, const at::Scalar &)`."""
        return f"{self.returns} ({', '.join(self.param_types())})"

    def param_types(self) -> tuple[str, ...]:
        return tuple([p.ctype.text for p in self.params])
