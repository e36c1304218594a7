"""Names of operators: `add`, `add_`, `__iand__`, each perhaps with an overload (`add.Tensor`)."""

from __future__ import annotations

from dataclasses import dataclass, replace

# Only for these X, `__iX__` is the in-place form of `__X__` (Python's augmented assignments).
AUGMENTED = frozenset("add sub mul div mod pow lshift rshift and xor or".split())

FUNCTIONAL_SUFFIX = "_functional"


@dataclass(frozen=True, slots=True)
class BaseName:
    """A name without overload. `base` is shared by the functional, in-place and dunder forms.

    `functional` marks `<base>_functional`, the functional twin of an operator that mutates its arguments.
    """

    base: str
    inplace: bool = False
    dunder: bool = False
    functional: bool = False

    @classmethod
    def parse(cls, text: str) -> BaseName:
        """Parses a name. `text` must be a non-empty identifier, as the parser ensures; str() returns it."""
        if len(text) > 4 and text.startswith("__") and text.endswith("__") and "_" not in text[2:-2]:
            base = text[2:-2]
            if base[0] == "i" and base[1:] in AUGMENTED:
                return cls(base[1:], inplace=True, dunder=True)
            return cls(base, dunder=True)
        if text.endswith("_") and len(text) > 1:
            return cls(text[:-1], inplace=True)
        if text.endswith(FUNCTIONAL_SUFFIX) and text != FUNCTIONAL_SUFFIX:
            return cls(text[: -len(FUNCTIONAL_SUFFIX)], functional=True)
        return cls(text)

    def __str__(self) -> str:
        if self.dunder:
            return f"__{'i' if self.inplace else ''}{self.base}__"
        return self.base + ("_" if self.inplace else FUNCTIONAL_SUFFIX if self.functional else "")


@dataclass(frozen=True, slots=True)
class OperatorName:
    """A name with its overload ("" when it has none)."""

    name: BaseName
    overload: str = ""

    @classmethod
    def parse(cls, text: str) -> OperatorName:
        name, _, overload = text.partition(".")
        return cls(BaseName.parse(name), overload)

    def __str__(self) -> str:
        return f"{self.name}.{self.overload}" if self.overload else str(self.name)

    def unambiguous(self) -> str:
        """Returns `add_Tensor`, the identifier of the operator's struct."""
        return f"{self.name}_{self.overload}" if self.overload else str(self.name)

    def without_inplace(self) -> OperatorName:
        return OperatorName(BaseName(self.name.base, dunder=self.name.dunder), self.overload)

    def with_overload(self, overload: str) -> OperatorName:
        """Returns the same name, not in-place, with another overload."""
        return replace(self.without_inplace(), overload=overload)
