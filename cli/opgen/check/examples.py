"""Pieces that the rules' examples are made of."""

F = "- func: f(Tensor self) -> Tensor\n"
F_ = "- func: f_(Tensor(a!) self) -> Tensor(a!)\n"
F_OUT = "- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
KERNELS = "  dispatch:\n    CPU, CUDA: f_out\n"
STRUCTURED = F + "  structured_delegate: f.out\n" + F_OUT + "  structured: True\n" + KERNELS


def func(*schemas: str) -> str:
    return "".join(f"- func: {schema}\n" for schema in schemas)
