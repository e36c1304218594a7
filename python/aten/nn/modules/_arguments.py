"""The base of modules that keep their arguments and call one function with them."""

from __future__ import annotations

from collections.abc import Iterable

from .module import Module

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class ArgumentsModule(Module):
    """A module whose arguments are its attributes. `_shown` is what repr() shows of them."""

    _shown = ""

    def _keep(self, arguments: dict[str, Any]) -> None:
        """Initialises the module with the arguments, the locals of its __init__."""
        super().__init__()
        del arguments["self"]
        self.__dict__.update(arguments)

    def extra_repr(self) -> str:
        return self._shown.format_map(self.__dict__)


class InplaceModule(ArgumentsModule):
    """Of such modules, one that shows `inplace` only if it is true."""

    def extra_repr(self) -> str:
        return ", ".join(filter(None, (super().extra_repr(), "inplace=True" if self.inplace else "")))


class OnlyInplaceModule(InplaceModule):
    """Of these, one without other arguments."""

    def __init__(self, inplace: bool = False) -> None:
        self._keep(locals())


def repeated(value: Any, count: int) -> tuple[Any, ...]:
    """The value `count` times, or the values of an iterable."""
    return tuple(value) if isinstance(value, Iterable) else (value,) * count


def _ntuple(n: int, name: str = "parse") -> Callable[[Any], tuple[Any, ...]]:
    def parse(x: Any) -> tuple[Any, ...]:
        return repeated(x, n)

    parse.__name__ = parse.__qualname__ = name
    parse.__doc__ = f"A value {n} times, or the values of an iterable."
    return parse


_single, _pair = _ntuple(1, "_single"), _ntuple(2, "_pair")
_triple, _quadruple = _ntuple(3, "_triple"), _ntuple(4, "_quadruple")


def _reverse_repeat_tuple(t: Iterable[Any], n: int) -> tuple[Any, ...]:
    """The values from the last one, each n times: a convolution's padding as functional.pad takes it."""
    return tuple(x for x in reversed(tuple(t)) for _ in range(n))
