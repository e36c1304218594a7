"""A schema's arguments in their groups: `self`, tensor options, out arguments and the rest."""

from __future__ import annotations

from opgen.model import Argument, Arguments, Base, BaseType, OptionalType, TensorOptions

_OPTIONS = (
    ("dtype", Base.ScalarType),
    ("layout", Base.Layout),
    ("device", Base.Device),
    ("pin_memory", Base.bool),
)
_OPTION_TYPES = [(name, (BaseType(b), OptionalType(BaseType(b)))) for name, b in _OPTIONS]


def _are_options(arguments: list[Argument]) -> bool:
    return len(arguments) == 4 and all(
        a.name == name and a.type in types for a, (name, types) in zip(arguments, _OPTION_TYPES, strict=True)
    )


def group(positional: list[Argument], keyword: list[Argument]) -> Arguments | None:
    """Returns the arguments in their groups; None when they are out of order."""
    first_out = next(
        (i for i, a in enumerate(keyword) if a.alias is not None and a.alias.write), len(keyword)
    )
    out, keyword = keyword[first_out:], keyword[:first_out]
    if any(a.alias is None or not a.alias.write for a in out):
        return None
    pre: tuple[Argument, ...]
    split = next((i for i, a in enumerate(positional) if a.name == "self"), None)
    if split is None:
        pre, self_arg, post = (), None, tuple(positional)
    else:
        pre, self_arg, post = tuple(positional[:split]), positional[split], tuple(positional[split + 1 :])
    at = [i for i, a in enumerate(keyword) if a.name == "dtype" and _are_options(keyword[i : i + 4])]
    if len(at) > 1:
        return None
    if not at:
        return Arguments(pre, self_arg, post, tuple(keyword), None, (), tuple(out))
    i = at[0]
    options = TensorOptions(*keyword[i : i + 4])
    return Arguments(pre, self_arg, post, tuple(keyword[:i]), options, tuple(keyword[i + 4 :]), tuple(out))
