"""Operators with derivatives, from which the tests of derivatives are made."""

from front import checked
from opgen.diagnostics import Diagnostic
from opgen.parse.derivatives.rules import two_files

KERNELS = "  dispatch:\n    CPU: f\n"
F = "f(Tensor self, Tensor other, int n, str? mode=None) -> Tensor"
G = "g(Tensor self, Tensor[] rest) -> (Tensor a, Tensor b, Tensor index)"
IN_PLACE = "h_(Tensor(a!) self, Tensor other) -> Tensor(a!)"
PLAIN = "k(Tensor self) -> (Tensor, Tensor)"
FACTORY = (
    "m(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None)"
)
OPTIONS = FACTORY.replace("int n", "Tensor self") + " -> Tensor"
FUNCTIONS = "".join(f"- func: {schema}\n{KERNELS}" for schema in (F, G, IN_PLACE, PLAIN, OPTIONS))
FUNCTIONS += "  category_override: factory\n"  # of the last one, for Python's options


def entry(schema: str, *formulas: str) -> str:
    return "".join([f"- name: {schema}\n", *(f"  {line}\n" for line in formulas)])


def faults(text: str, functions: str = FUNCTIONS) -> list[Diagnostic]:
    return [d for d in checked(two_files(functions, text))[1] if d.span.path == "DERIVATIVES"]
