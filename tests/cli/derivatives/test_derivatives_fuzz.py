"""Derivatives files damaged at random: a report and nothing else, with places that are in the file."""

from __future__ import annotations

import random

import pytest
from derivatives_examples import FUNCTIONS, IN_PLACE, OPTIONS, F, G, entry
from front import checked
from opgen.api.autograd import Autograd
from opgen.diagnostics import TooManyFaults
from opgen.parse.derivatives.rules import two_files

TEXT = (
    entry(
        F,
        "self, other: f_backward(grad, self, other.sym_sizes(), wrap_opt_if(self, grad_input_mask[0]), mode)",
        'result: "self_t * other_p /* x */ ? fmap(self_t, [](int i){return -i;}) : zeros_like(self_p)"',
    )
    + entry(G, "dispatch:", "  Default:", "    self: grads[0] + grads[1]", '    rest: not_implemented("g")')
    + "  output_differentiability: [True, True, False]\n"
    + entry(IN_PLACE, "self: grad * self", "result: self_t * original_self_p")
    + entry(OPTIONS, 'output_differentiability: ["!dtype"]', "self: grad.to(self.options())")
)
PIECES = (
    *"()[]{}\"'\\;#:,.<>=+-*/ \n\t%&|!?@$`~^0aé",
    *(
        "self",
        "grad",
        "grads[",
        "result1",
        "_t",
        "_p",
        "auto_linear",
        "auto_element_wise",
        "->",
        "::",
        "/*",
        "*/",
    ),
    *("[](", 'R"(', "dispatch:", "Default", "name: ", "- ", "output_differentiability: ", "[True]", "\n  "),
    *("wrap_opt_if(", ".sym_strides()", "grad_input_mask[9]", "non_differentiable", "//", "%:", "\n- "),
)


def damaged(rng: random.Random) -> str:
    text = TEXT
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at, length = rng.randrange(len(text) + 1), rng.randrange(1, 60)
        match rng.randrange(4):
            case 0:
                text = text[:at] + rng.choice(PIECES) + text[at:]
            case 1:
                text = text[:at] + text[at + length // 8 + 1 :]
            case 2:
                to = rng.randrange(len(text) + 1)
                text = text[:to] + text[at : at + length] + text[to:]
            case 3:
                text = text[:at] + rng.choice(PIECES) * length + text[at:]
    return text


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files(seed):
    rng = random.Random(seed)
    sound = 0
    for _ in range(250):
        text = damaged(rng)
        try:
            program, found = checked(two_files(FUNCTIONS, text))
        except TooManyFaults:
            continue
        lines = text.count("\n") + 1
        here = [d.span for d in found if d.span.path == "DERIVATIVES"]
        assert all(1 <= s.line <= s.end_line <= lines + 1 and s.column >= 1 for s in here)
        if not here:
            sound += 1
            autograd = Autograd(program)
            assert all(
                autograd.of(f) for f in program.functions if f.qualified_name in program.derivatives.of
            )
    assert sound
