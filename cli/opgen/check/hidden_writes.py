"""Arguments whose names say that the operator writes to them, while no annotation does. Autograd and
compilers rely on annotations, and would reorder or drop the write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.check import examples as ex
from opgen.check import places, written_to
from opgen.check.partial_words import has_word
from opgen.diagnostics import Diagnostic, Rule, Severity
from opgen.model import Function, Program

HIDDEN_WRITE = Rule(
    "OPG427",
    "hidden-write",
    Severity.warning,
    "A tensor called output, result, dst or like these is annotated as written to.",
    ex.func("f(Tensor self, Tensor output) -> ()"),
    ex.func("f(Tensor self, Tensor(a!) output) -> ()"),
)
RULES = (HIDDEN_WRITE,)

_RESULT = re.compile(r"(?:(?:out|outputs?|results?|dst)|\w+_out)\d*\Z")
_GRADIENT = re.compile(r"(?:^|_)(?:grads?|d|saved)_")
# There `output` is what the forward operator returned.
_DERIVATIVES = ("backward", "bwd", "grad", "vjp", "jvp")
# PyTorch's: copies of its backends, which nobody but them calls.
_KNOWN = frozenset({"_copy_from", "_copy_from_and_resize", "_propagate_xla_data"})


def hidden_writes(function: Function, program: Program) -> Iterator[Diagnostic]:
    arguments = function.schema.arguments
    named = [
        a for a in arguments.all if _RESULT.match(a.name) and a.type.is_tensor_like() and a.alias is None
    ]
    if not named or function.root_name in _KNOWN or has_word(function.root_name, _DERIVATIVES):
        return
    letters = ""
    for a in named:
        if _GRADIENT.search(a.name) or (a.name == "out" and a in arguments.kwarg_only):
            continue  # the latter is an error of its own
        letters += written_to.alias_set(function, a, letters)
        returned = "; after '*' if it also returns it" if function.schema.returns else ""
        annotated = written_to.annotated(a, letters[-1])
        help = f"write {annotated} if it does{returned}; rename it or ignore this if it doesn't"
        message = f"the name '{a.name}' says that the operator writes to it, but it isn't annotated"
        yield HIDDEN_WRITE.at(places.argument(function, a.name), message, help)
