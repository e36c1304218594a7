"""Derivatives: each fault is reported at its position, and no other with it."""

from __future__ import annotations

import pytest
from derivatives_examples import FUNCTIONS, IN_PLACE, OPTIONS, PLAIN, F, G, entry, faults

# The text between « and » is the place of the fault.
CASES = {
    "unknown name": ("OPG960", entry(F, "self: grad * «ohter»")),
    "unknown name in a quoted formula": ("OPG960", entry(F, 'self: "grad ? 1 : «slef»"')),
    "unknown name in a folded formula": ("OPG960", entry(F, 'self: "grad *', "  other *", '  «ohter»"')),
    "unknown name in a block": ("OPG960", entry(F, "self: |", "  grad *", "  «ohter»")),
    "unknown name after escapes": ("OPG960", entry(F, 'self: "g(\\"a b\\", \\x67rad) * «slef»"')),
    "unknown name after quotes": ("OPG960", entry(F, "self: 'g(''a b'', ''c'') * «slef»'")),
    "unknown name under a key": ("OPG960", entry(F, "dispatch:", "  Default:", "    self: grad * «m»")),
    "result of one among several": ("OPG960", entry(PLAIN, "self: grad * «result»")),
    "named gradient in a formula of one": ("OPG960", entry(F, "self: «grad_result»")),
    "retain_variables in a forward formula": (
        "OPG960",
        entry(F, "self: grad", "result: g(self_t, «retain_variables»)"),
    ),
    "scattered options in a backward formula": ("OPG960", entry(OPTIONS, "self: grad.to(«dtype»)")),
    "unknown argument": ("OPG937", entry(F, "«slef»: grad")),
    "unknown argument among others": ("OPG937", entry(F, "self, «ohter»: f_backward(grad)")),
    "field misspelt": ("OPG937", entry(F, "self: grad", '«output_diferentiability»: "[True]"')),
    "result where results are named": ("OPG940", entry(G, "self: grads[0] + grads[1]", "«result0»: self_t")),
    "formula for an integer": ("OPG939", entry(F, "self, «n»: grad")),
    "formula for tensor options": ("OPG939", entry(OPTIONS, "«options»: grad")),
    "both sides in one key": ("OPG938", entry(F, "«self, result»: grad")),
    "non_differentiable result": ("OPG941", entry(F, "self: grad", "result: «non_differentiable»")),
    "index of grads": ("OPG950", entry(G, "self: grads[0] * «grads»[3]")),
    "index of grads, one without": (
        "OPG950",
        entry(G, "output_differentiability: [True, True, False]", "self: grads[0] * «grads»[2]"),
    ),
    "grad and grads": ("OPG951", entry(G, "self: grads[0] * grads[1] + «grad»")),
    "grads and names": ("OPG951", entry(G, "self: grad_a + «grads»[1]")),
    "only the first": ("OPG952", entry(G, "self: «grads»[0]")),
    "gradient that is not there": (
        "OPG953",
        entry(G, "output_differentiability: [True, True, False]", "self: grad_a + «grad_index»"),
    ),
    "mask": ("OPG954", entry(F, "self, other: f_backward(grad, «grad_input_mask»[2])")),
    "plain sizes": ("OPG955", entry(F, "self: grad.expand(self.«sizes»())")),
    "plain size of a number": ("OPG955", entry(F, "self: grad / self.«size»(-1)")),
    "strides of another": ("OPG956", entry(F, "self: f_backward(grad, «other».sym_strides())")),
    "strides in place": ("OPG956", entry(IN_PLACE, "self: f_backward(grad, «self».sym_strides())")),
    "wrap_opt_if without condition": ("OPG957", entry(F, "self: f_backward(grad, «wrap_opt_if(self)»)")),
    "wrap_opt_if of what is not saved": (
        "OPG957",
        entry(F, "self: f_backward(grad, «wrap_opt_if(grad, grad_input_mask[0])»)"),
    ),
    "auto for an argument": ("OPG958", entry(F, "self: «auto_linear»")),
    "base name in a forward formula": ("OPG970", entry(F, "self: grad", "result: self_t * «self»")),
    "tangent of what has none": ("OPG971", entry(F, "self: grad", "result: self_t + «other_t»")),
    "no tangent": ("OPG972", entry(F, "self: grad", "result: «self_p * 2»")),
    "self after it was written over": (
        "OPG973",
        entry(IN_PLACE, "self: grad", "result: self_t * «self_p»"),
    ),
    "auto_element_wise of two": ("OPG974", entry(F, "self, other: grad", "result: «auto_element_wise»")),
    "auto_element_wise in place": ("OPG974", entry(IN_PLACE, "self: grad", "result: «auto_element_wise»")),
    "auto_linear of two": (
        "OPG975",
        entry(PLAIN, "self: grads[0] + grads[1]", "result0: «auto_linear»", "result1: self_t"),
    ),
    "not all results": ("OPG976", entry(PLAIN, "self: grads[0] + grads[1]", "«result0»: self_t")),
    "auto without input": ("OPG977", entry(F, "result: «auto_linear»")),
    "length": ("OPG942", entry(G, "output_differentiability: «[»True, False]")),
    "in place": ("OPG943", entry(IN_PLACE, "output_differentiability: [«False»]")),
    "condition for several": ("OPG944", entry(G, 'output_differentiability: «[»"n > 1"]')),
    "ignored": ("OPG946", entry(F, "output_differentiability: [False]", "«self»: grad")),
    "bracket": ("OPG920", entry(F, "self: grad * «(»self + other")),
    "bracket of another kind": ("OPG920", entry(F, "self: grad * «(»self]")),
    "closing bracket": ("OPG920", entry(F, "self: grad«)»")),
    "string": ("OPG921", entry(F, 'self: not_implemented(«"»f)')),
    "statement": ("OPG922", entry(F, "self: grad«;» exit(1)")),
    "end of the function": ("OPG920", entry(F, "self: grad; «}» int x() { return 1")),
    "comment": ("OPG922", entry(F, "self: grad «//» self")),
    "open comment": ("OPG922", entry(F, "self: grad «/*» self")),
    "preprocessor": ("OPG922", entry(F, "self: |", "  grad", "  «#»include <x.h>")),
    "preprocessor in other words": ("OPG922", entry(F, "self: |", "  grad", "  «%:»include <x.h>")),
    "raw string": ("OPG921", entry(F, 'self: h(«R"(x)"», grad)')),
    "backslash": ("OPG922", entry(F, "self: grad «\\» self")),
    "assignment": ("OPG922", entry(F, "self: other «=» grad")),
    "keyword that is no first word": ("OPG922", entry(F, "self: grad * «return» other")),
    "keyword in the place of a member": ("OPG922", entry(F, "self: grad.«delete»")),
    "keyword": ("OPG922", entry(F, "self: «return» grad")),
    "not_implemented without name": ("OPG923", entry(F, "self: «not_implemented()»")),
    "list as formula": ("OPG913", entry(F, "self: «[»grad]")),
    "empty formula": ("OPG914", entry(F, "self: «''»")),
    "two formulas": ("OPG915", entry(F, "self: grad", "«other, self»: grad")),
    "key with a hole": ("OPG912", entry(F, "«self, »: grad").replace("«self, »", "«'self, '»")),
    "no formulas under a key": ("OPG916", entry(F, "dispatch:", "  Default: «grad»")),
    "dispatch of nothing": ("OPG916", entry(F, "dispatch: «CPU»")),
    "unknown key": ("OPG917", entry(F, "dispatch:", "  Default:", "    self: grad", "  «AutogradCUDNN»: {}")),
    "beside dispatch": ("OPG918", entry(F, "«self»: grad", "dispatch:", "  Default:", "    other: grad")),
    "empty key": ("OPG935", entry(F, "dispatch:", "  Default:", "    self: grad", "  «AutogradCPU»: {}")),
    "no default": ("OPG936", entry(F, "«dispatch»:", "  AutogradCPU:", "    self: grad")),
    "differentiability of another kind": (
        "OPG919",
        entry(F, "output_differentiability: «maybe»", "self: grad"),
    ),
    "two entries": ("OPG932", entry(F, "self: grad") + f"- name: «{F}»\n  other: grad\n"),
    "unknown operator": ("OPG930", entry("«ff»(Tensor self) -> Tensor", "self: grad")),
    "unknown overload": ("OPG930", entry("«f.Scalar»(Tensor self) -> Tensor", "self: grad")),
    "other name": ("OPG931", entry(F.replace("other", "«othr»"), "self: grad")),
    "other type": ("OPG931", entry(F.replace("int n", "«SymInt» n"), "self: grad")),
    "other default": ("OPG931", entry(F.replace("mode=None", "mode=«''»"), "self: grad")),
    "default too many": ("OPG931", entry(F.replace("int n", "int n=«1»"), "self: grad")),
    "no default here": ("OPG931", entry(F.replace("str? mode=None", "«str? mode»"), "self: grad")),
    "other annotation": ("OPG931", entry(F.replace("Tensor self", "«Tensor(a)» self"), "self: grad")),
    "other return": ("OPG931", entry(F.replace("-> Tensor", "-> «Tensor[]»"), "self: grad")),
    "argument missing": ("OPG931", f"- name: «{F.replace(', int n', '')}»\n  self: grad\n"),
    "other order": (
        "OPG931",
        f"- name: «{F.replace('Tensor other, int n', 'int n, Tensor other')}»\n  self: grad\n",
    ),
    "slip in a function": ("OPG961", entry(F, "self: «zeros_lik»(self)")),
    "slip in a method": ("OPG962", entry(F, "self: grad.«scalr_type»()")),
}


@pytest.mark.parametrize("case", CASES)
def test_the_fault_is_where_it_stands(case):
    code, marked = CASES[case]
    start, end = marked.index("«"), marked.index("»") - 1
    text = marked.replace("«", "").replace("»", "")
    found = faults(text)
    assert [d.code for d in found] == [code], found
    line, column = text.count("\n", 0, start) + 1, start - (text.rfind("\n", 0, start) + 1) + 1
    assert found[0].span[1:3] == (line, column)
    assert found[0].span[3:] == (line, column + end - start)


@pytest.mark.parametrize(
    ("formula", "help"),
    [
        ("grad.sum_to_size(other.sym_sizes())", "write sum_to_size_symint"),
        ("(grad * self).sum_to_size(self.sym_sizes())", "write sum_to_size_symint"),
        ("grad.as_strided(n, self.sym_strides())", "write as_strided_symint"),
        ("grad.f(n + 1, self.sym_sizes(), n)", "write f_symint"),
        ("grad.sum_to_size(other.sizes())", "write .sym_sizes, and sum_to_size_symint"),
        ("helper(grad, other.sizes())", "write .sym_sizes"),
        ("at::expand(grad, other.sym_sizes())", "write expand_symint"),
        ("at::expand_symint(grad, other.sym_sizes())", None),
        ("grad.sum_to_size_symint(other.sym_sizes())", None),
        ("helper(grad, other.sym_sizes())", None),
        ("at::sum_to(grad, other.sym_sizes())", None),
        ("at::numbers(grad, other.sym_sizes())", None),
        ("grad.f(n == 1 ? other.sym_sizes() : g(self))", None),
        ("grad / other.sym_sizes()[0]", None),
    ],
)
def test_symints_go_to_functions_named_so(formula, help):
    declared = FUNCTIONS + "- func: expand(Tensor(a) self, SymInt[] size) -> Tensor(a)\n"
    declared += "- func: numbers(Tensor self, int[] size) -> Tensor\n"
    found = faults(entry(F, f"self: '{formula}'"), declared)
    assert [d.code for d in found] == (
        [] if help is None else ["OPG955" if ".sizes" in formula else "OPG959"]
    )
    assert help is None or (found[0].help or "").startswith(help)
