"""Pieces that the rules' examples are made of."""


def func(*schemas: str) -> str:
    return "".join(f"- func: {schema}\n" for schema in schemas)


def f(arguments: str, returns: str = "Tensor") -> str:
    return func(f"f({arguments}) -> {returns}")


def entry(schema: str, *fields: str) -> str:
    return func(schema) + "".join(f"  {field}\n" for field in fields)


F = f("Tensor self")
F_OUT = func("f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)")

DERIVATIVES = "# derivatives.yaml\n"
CHECKS = "# checks.yaml\n"
DEPRECATED = "# deprecated.yaml\n"
