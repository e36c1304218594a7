"""The rules of derivatives that look into formulas, apart from the code that applies them."""

from __future__ import annotations

from functools import partial

from opgen.check.derivatives.rules import IN_PLACE, TWO, rule
from opgen.diagnostics import Severity

_rule = partial(rule, ignorable=True)

UNKNOWN_NAME = _rule(
    "OPG960",
    "formula-unknown-name",
    "A formula speaks of the operator's arguments and results, of gradients (backward) or of tangents and"
    " primals (forward), and of constants.",
    "  self: grad * ohter\n",
)
UNKNOWN_FUNCTION = _rule(
    "OPG961",
    "formula-unknown-function",
    "A function that nothing declares, but for one letter, is probably a slip of the pen.",
    "  self: zero_like(self)\n",
    "  self: zeros_like(self)\n",
    severity=Severity.warning,
)
UNKNOWN_METHOD = _rule(
    "OPG962",
    "formula-unknown-method",
    "A method that tensors don't have, but for one letter, is probably a slip of the pen.",
    "  self: grad.to(self.scalar_typ())\n",
    "  self: grad.to(self.scalar_type())\n",
    severity=Severity.warning,
)
SAVED_LIST = rule(
    "OPG963",
    "formula-saves-list",
    "What a backward formula takes is saved, and of lists only those of numbers and of tensors can be.",
    "  self: g(grad, modes)\n",
    "  self: grad\n",
    "f(Tensor self, str[] modes) -> Tensor",
)
NAME_RULES = (UNKNOWN_NAME, UNKNOWN_FUNCTION, UNKNOWN_METHOD, SAVED_LIST)

INDEX = _rule(
    "OPG950",
    "grads-index",
    "'grads' has one gradient for each differentiable result, in order, from grads[0].",
    "  self: grads[0] + grads[2]\n",
    "  self: grads[0] + grads[1]\n",
    TWO,
)
MIXED = _rule(
    "OPG951",
    "grads-mixed",
    "The formulas of an operator take gradients in one way: 'grad', 'grads[i]' or 'grad_NAME'.",
    "  self: grads[0] + grads[1]\n  other: grad\n",
    "  self: grads[0] + grads[1]\n  other: grads[0]\n",
    TWO,
)
ONLY_FIRST = _rule(
    "OPG952",
    "grads-only-first",
    "With nothing but grads[0], 'grad' is what is meant: it says that the other results have no gradient.",
    "  self: grads[0]\n",
    "  self: grad\n",
    TWO,
)
NO_GRADIENT = _rule(
    "OPG953",
    "gradient-of-undifferentiable",
    "'grad_NAME' is the gradient of a result that is a tensor and not marked as without gradient.",
    "  output_differentiability: [True, False]\n  self: grad_a + grad_b\n",
    "  output_differentiability: [True, False]\n  self: grad_a\n",
    TWO,
)
MASK = _rule(
    "OPG954",
    "grad-input-mask",
    "'grad_input_mask' has one flag for each argument that its formula is for.",
    "  self, other: g(grad, grad_input_mask[2])\n",
    "  self, other: g(grad, grad_input_mask[1])\n",
    TWO,
)
PLAIN_SIZES = _rule(
    "OPG955",
    "formula-plain-sizes",
    "Sizes and strides are saved as SymInts: .sym_sizes(), .sym_size(i), .sym_strides().",
    "  self: grad.expand(self.sizes())\n",
    "  self: grad.expand_symint(self.sym_sizes())\n",
    TWO,
)
STRIDES = _rule(
    "OPG956",
    "formula-strides",
    "The strides of an argument are there only for its own gradient, which is computed for it alone; in an"
    " in-place operator, those of 'self' are gone.",
    "  self: g(grad, other.sym_strides())\n",
    "  other: g(grad, other.sym_strides())\n",
    TWO,
)
WRAP = _rule(
    "OPG957",
    "wrap-opt-if",
    "wrap_opt_if(x, condition) takes an argument or result and a condition of grad_input_mask.",
    "  self, other: g(grad, wrap_opt_if(self))\n",
    "  self, other: g(grad, wrap_opt_if(self, grad_input_mask[1]))\n",
    TWO,
)
AUTO_BACKWARD = _rule(
    "OPG958",
    "auto-backward",
    "auto_linear and auto_element_wise make forward formulas out of backward ones: they stand under results.",
    "  self: auto_linear\n",
    "  self: grad\n",
    TWO,
)
SYMINT_CALL = _rule(
    "OPG959",
    "formula-symint-call",
    "Methods and operators that take SymInts, which .sym_sizes() and .sym_strides() are, end in _symint.",
    "  self: grad.expand(self.sym_sizes())\n",
    "  self: grad.expand_symint(self.sym_sizes())\n",
    TWO,
)
GRADIENT_RULES = (
    *(INDEX, MIXED, ONLY_FIRST, NO_GRADIENT, MASK, PLAIN_SIZES, STRIDES, WRAP, AUTO_BACKWARD),
    SYMINT_CALL,
)

BASE_NAME = _rule(
    "OPG970",
    "forward-base-name",
    "A forward formula says whether it takes the value of an argument (x_p) or its tangent (x_t).",
    "  self: grad\n  result: self_t * self\n",
    "  self: grad\n  result: self_t * self_p\n",
)
NO_TANGENT = _rule(
    "OPG971",
    "forward-unknown-tangent",
    "Tangents and primals are those of arguments that have a backward formula.",
    "  self: grad\n  result: self_t + other_t\n",
    "  self, other: grad\n  result: self_t + other_t\n",
)
CONSTANT = _rule(
    "OPG972",
    "forward-without-tangent",
    "A forward formula takes at least one tangent, unless the operator's only input is a list of them.",
    "  self: grad\n  result: self_p * 2\n",
    "  self: grad\n  result: self_t * 2\n",
)
ORIGINAL = _rule(
    "OPG973",
    "forward-original-self",
    "In an in-place operator 'self' was written over: its value is 'result' now, and the one from before is"
    " original_self_p.",
    "  self: grad\n  result: self_t * self_p\n",
    "  self: grad\n  result: self_t * original_self_p\n",
    IN_PLACE,
)
ELEMENT_WISE = _rule(
    "OPG974",
    "auto-element-wise",
    "auto_element_wise is for an operator of one differentiable input and one result, not in-place.",
    "  self, other: grad\n  result: auto_element_wise\n",
    "  self: grad\n  result: auto_element_wise\n",
)
LINEAR = _rule(
    "OPG975",
    "auto-linear",
    "auto_linear is for an operator with one differentiable result.",
    "  self: grad_a + grad_b\n  a: auto_linear\n  b: self_t\n",
    "  self: grad_a + grad_b\n  a: self_t\n  b: self_t\n",
    TWO,
)
MISSING = _rule(
    "OPG976",
    "forward-missing-result",
    "With a forward formula for one result, all differentiable results have one.",
    "  self: grad_a + grad_b\n  a: self_t\n",
    "  self: grad_a + grad_b\n  a: self_t\n  b: self_t\n",
    TWO,
)
NO_INPUT = _rule(
    "OPG977",
    "forward-without-input",
    "auto_linear and auto_element_wise need the arguments that have a backward formula.",
    "  self: non_differentiable\n  result: auto_linear\n",
    "  self: grad\n  result: auto_linear\n",
)
LIST_RESULT = rule(
    "OPG982",
    "forward-list-result",
    "A forward formula is for a tensor, for several, or for one list of tensors.",
    "  self: g(grads)\n  a, b: g(self_t)\n",
    "  self: g(grads)\n  a: g(self_t)\n  b: h(self_t)\n",
    "f(Tensor self) -> (Tensor[] a, Tensor b)",
)
FORWARD_RULES = (
    *(BASE_NAME, NO_TANGENT, CONSTANT, ORIGINAL, ELEMENT_WISE, LINEAR, MISSING, NO_INPUT),
    LIST_RESULT,
)
