"""The fields that only structured operators have: `precomputed` and `ufunc_inner_loop`."""

from __future__ import annotations

import re

from opgen.diagnostics import did_you_mean
from opgen.model import Argument, Precomputed, UfuncKey, UfuncLoop
from opgen.model.dtypes import DTYPE_SETS, DTYPES
from opgen.parse import entry_rules as rules
from opgen.parse import schema_text
from opgen.parse.cursor import is_identifier
from opgen.parse.entry import Entry
from opgen.parse.nodes import Node, Scalar, Sequence, describe

_UFUNC = re.compile(r"(\w+) \(([\w, ]*)\)\Z", re.ASCII)


def precomputed(entry: Entry) -> Precomputed | None:
    node = entry.fields["precomputed"]
    if not isinstance(node, Sequence) or not node.items:
        entry.wrong_kind("precomputed", "a list of lines 'argument -> type name'")
        return None
    replace: dict[str, tuple[Argument, ...]] = {}
    add: tuple[Argument, ...] = ()
    for index, item in enumerate(node.items):
        span = entry.source.span(item)
        if not isinstance(item, Scalar):
            entry.fault(rules.PRECOMPUTED, span, f"a precomputed line is text, but this is {describe(item)}")
            continue
        name, arrow, declarations = item.value.rpartition(" -> ")
        if not arrow and index != len(node.items) - 1:
            entry.fault(rules.PRECOMPUTED, span, "only the last line may have no '->'")
        elif arrow and not is_identifier(name):
            entry.fault(rules.PRECOMPUTED, span, f"'{name}' is no argument's name")
        else:
            arguments = _declarations(entry, item, declarations, len(item.value) - len(declarations))
            if arrow and ", ".join(part.strip() for part in declarations.split(",")) != declarations:
                entry.fault(rules.PRECOMPUTED, span, "declarations are separated by ', '")
            elif arrow:
                replace[name] = arguments
            else:
                add = arguments
    return Precomputed(replace, add)


def _declarations(entry: Entry, scalar: Scalar, text: str, offset: int) -> tuple[Argument, ...]:
    arguments = []
    for part in text.split(","):
        start = offset + len(part) - len(part.lstrip())
        offset += len(part) + 1
        argument, faults = schema_text.parse_argument(part.strip())
        if argument is None or argument.default is not None or argument.alias is not None:
            span = entry.source.inside(scalar, start, start + max(1, len(part.strip())))
            why = faults[0].message if faults else "neither default nor annotation is possible here"
            entry.fault(rules.PRECOMPUTED, span, f"expected 'type name': {why}")
        else:
            arguments.append(argument)
    return tuple(arguments)


def ufunc_inner_loop(entry: Entry) -> dict[UfuncKey, UfuncLoop]:
    node = entry.fields["ufunc_inner_loop"]
    loops: dict[UfuncKey, UfuncLoop] = {}
    if isinstance(node, Sequence):
        entry.wrong_kind("ufunc_inner_loop", "a mapping of keys to functors")
        return loops
    if isinstance(node, Scalar):  # one functor for every device
        loop = _ufunc_loop(entry, UfuncKey.Generic, node)
        return {} if loop is None else {loop.key: loop}
    for key_node, value in node.pairs:
        word = key_node.value
        if word not in UfuncKey.__members__:
            help = did_you_mean(word, UfuncKey.__members__)
            entry.fault(rules.UFUNC_KEY, entry.source.span(key_node), f"there is no ufunc key '{word}'", help)
            continue
        loop = _ufunc_loop(entry, UfuncKey[word], value)
        if loop is not None:
            loops[loop.key] = loop
    return loops


def _ufunc_loop(entry: Entry, key: UfuncKey, node: Node) -> UfuncLoop | None:
    match = _UFUNC.match(node.value) if isinstance(node, Scalar) else None
    if not isinstance(node, Scalar) or match is None or not is_identifier(match[1]):
        message = f"expected 'functor (dtypes)', but this is {describe(node)}"
        entry.fault(rules.UFUNC_LOOP, entry.source.span(node), message)
        return None
    dtypes: dict[str, None] = {}
    offset = match.start(2)
    for part in match[2].split(","):
        word = part.strip()
        span = entry.source.inside(node, offset + len(part) - len(part.lstrip()), offset + len(part))
        offset += len(part) + 1
        if word in DTYPE_SETS:
            dtypes.update(dict.fromkeys(DTYPE_SETS[word]))
        elif word in DTYPES:
            dtypes[word] = None
        else:
            help = did_you_mean(word, (*DTYPES, *DTYPE_SETS))
            entry.fault(rules.UFUNC_DTYPE, span, f"there is no dtype '{word}'", help)
    return UfuncLoop(key, match[1], tuple(dtypes), node.value)
