"""The key that all forms of one operation share: their signature.

Left out are the overload, what is written to, out arguments, tensor options and names of returns; arguments
that are written but not returned count as further returns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opgen.model import Argument, Arguments, Return, Schema

Texts = tuple[str, ...]
Key = tuple[str, bool, Texts, Texts, Texts, Texts, Texts]

# PyTorch's bernoulli.p lacks the default that its in-place form has, but they are paired.
_MISSING_DEFAULTS = {"bernoulli.p": {"float p": "float p=0.5"}}


def key(schema: Schema, view_copy: bool = False) -> Key:
    """Returns the key. With `view_copy`, a view and its `_copy` or `_scatter` twin have the same key."""
    name = schema.name.name
    base = _without_copy(name.base) if view_copy else name.base
    arguments = schema.arguments
    keyword = arguments.pre_options + arguments.post_options
    return (
        base,
        name.dunder,
        _texts(schema, arguments.pre_self),
        _texts(schema, () if arguments.self_arg is None else (arguments.self_arg,)),
        _texts(schema, arguments.post_self),
        _texts(schema, keyword),
        tuple([str(r.type) for r in schema.returns] + [str(a.type) for a in written_only(schema)]),
    )


def _texts(schema: Schema, arguments: tuple[Argument, ...]) -> tuple[str, ...]:
    texts = [
        f"{a.type} {a.name}" if a.default is None else f"{a.type} {a.name}={a.default}" for a in arguments
    ]
    fixes = _MISSING_DEFAULTS.get(str(schema.name)) if schema.name.overload == "p" else None
    return tuple([fixes.get(t, t) for t in texts]) if fixes else tuple(texts)


def _without_copy(base: str) -> str:
    if base.endswith("_copy"):
        return base.replace("_copy", "")
    return base.replace("scatter", "inverse") if base.endswith("_scatter") else base


def written_only(schema: Schema) -> Iterator[Argument]:
    """Yields arguments that are written to but not returned: `self`, out ones, then other positional ones."""
    arguments = schema.arguments
    first = () if arguments.self_arg is None else (arguments.self_arg,)
    for argument in (*first, *arguments.out, *arguments.post_self):
        if argument.is_write and not any(argument.alias == r.alias for r in schema.returns):
            yield argument


def without_writes(arguments: Arguments) -> Arguments:
    """Returns the arguments without annotations, out arguments and tensor options."""

    def plain(some: tuple[Argument, ...]) -> tuple[Argument, ...]:
        return tuple(replace(a, alias=None) if a.alias is not None else a for a in some)

    self_arg = arguments.self_arg
    return Arguments(
        pre_self=plain(arguments.pre_self),
        self_arg=None if self_arg is None else replace(self_arg, alias=None),
        post_self=plain(arguments.post_self),
        pre_options=plain(arguments.pre_options + arguments.post_options),
    )


def functional_returns(schema: Schema) -> tuple[Return, ...]:
    """Returns the returns of the functional form; arguments that were written to become `<name>_out`."""
    kept = [replace(r, alias=None) for r in schema.returns]
    return tuple(kept + [Return(f"{a.name}_out", a.type) for a in written_only(schema)])


def key_without_defaults(schema: Schema) -> Key:
    """Returns the key without defaults, by which formulas are matched with forms."""
    base, dunder, *arguments, returned = key(schema)
    pre, self_arg, post, keyword = (tuple([text.partition("=")[0] for text in texts]) for texts in arguments)
    return (base, dunder, pre, self_arg, post, keyword, returned)
