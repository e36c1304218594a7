"""Words that torchgen also finds inside longer ones ('rand' in 'operands'), where they say nothing about the
operator. Where they stand by themselves, other rules report what is missing, as errors that --fix may fix.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from opgen.check import examples as ex
from opgen.check import places
from opgen.diagnostics import Diagnostic, Rule, Severity, Span
from opgen.model import DEFAULT_NAMESPACE, DeviceCheck, Function, Kind, Program

PARTIAL_WORD = Rule(
    "OPG318",
    "word-inside-a-word",
    Severity.warning,
    "No word of a name contains 'rand', 'dropout', 'functional' or '_foreach': torchgen takes it for that"
    " word, and refuses the operator.",
    ex.func("swap_operands(Tensor self, Tensor other) -> Tensor"),
    ex.func("swap_sides(Tensor self, Tensor other) -> Tensor"),
)
RULES = (PARTIAL_WORD,)

SEEDED_TAG = "nondeterministic_seeded"
_RANDOM = ("rand", "randn", "randint", "randperm")
_DROPOUT = ("dropout",)
# These take the state of the generator as an argument, which determines what they return.
_STATELESS = "_philox_"
_NOT_RANDOM = frozenset({"_cudnn_init_dropout_state"})  # PyTorch's, called dropout, but not random


def has_word(text: str, words: Iterable[str]) -> bool:
    """Whether one of `words` stands between the underscores and dots of a name."""
    return not set(re.split("[_.]", text)).isdisjoint(words)


def random_names(function: Function) -> Iterator[tuple[str, str, bool]]:
    """Yields the names that torchgen takes for those of a random operator: the part that it finds, the name,
    and whether the part is a word of it.
    """
    if function.namespace != DEFAULT_NAMESPACE:
        return
    name = str(function.name)
    if "rand" in name and _STATELESS not in name:
        yield "rand", name, has_word(name, _RANDOM)
    if "backward" in name or str(function.name.name) in _NOT_RANDOM:
        return
    for text in (name, *(a.name for a in function.schema.arguments.all)):
        if "dropout" in text:
            yield "dropout", text, has_word(text, _DROPOUT)


def is_foreach(function: Function) -> bool:
    return function.root_name.startswith("_foreach") and has_word(function.root_name, ("foreach",))


def partial_words(function: Function, program: Program) -> Iterator[Diagnostic]:
    overload = function.name.overload
    named = "functional" in overload and not has_word(overload, ("functional",))
    if named and function.kind is not Kind.functional:
        yield _refused(function, "functional", overload, "asks for a functional operator")
    begins = function.root_name.startswith("_foreach") and not is_foreach(function)
    if begins and function.device_check is not DeviceCheck.NoCheck:
        yield _refused(function, "_foreach", str(function.name), "asks for device_check: NoCheck")


def part_of_random(function: Function, part: str, name: str) -> Diagnostic:
    """Returns the fault of a name in which torchgen finds the name of a random operator."""
    help = f"add the tag if the operator is random; if it isn't, {_RENAME}"
    return _refused(function, part, name, f"asks for the tag {SEEDED_TAG}", help)


_RENAME = "rename it, or ignore this if torchgen does not read the file"


def _refused(function: Function, part: str, name: str, asks: str, help: str = _RENAME) -> Diagnostic:
    message = f"torchgen would refuse '{name}': it finds '{part}' in it, and {asks}"
    return PARTIAL_WORD.at(_place(function, part, name), message, help)


def _place(function: Function, part: str, name: str) -> Span:
    layout = places.layout(function)
    argument = layout.arguments.get(name)
    begin, text = (layout.name[0], str(function.name)) if argument is None else (argument.name[0], name)
    start = begin + text.index(part)
    return places.inside(function, (start, start + len(part)), "func")
