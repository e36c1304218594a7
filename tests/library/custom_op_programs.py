"""Programs with custom operators, for this package and for PyTorch: `T` is the package, `op` its
custom_op."""

from __future__ import annotations

from typing import Any


def run(package: Any, program: str) -> Any:
    """Runs the program and returns its `result`, or the class and the text of its error."""
    names: dict[str, Any] = {
        "T": package,
        "Tensor": package.Tensor,
        "op": package.library.custom_op,
        "library": package.library,
        "__name__": "program",
    }
    try:
        exec(compile(program, "program", "exec", dont_inherit=True), names)
    except Exception as error:
        return type(error).__name__, str(error)
    return _plain(names["result"])


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if hasattr(value, "detach"):
        return value.detach().tolist()
    return value if isinstance(value, (int, float, bool, type(None))) else str(value)


SCHEMAS = [
    "(x: Tensor) -> Tensor",
    "(x: Tensor, *, n: int = 3, f: float = 0.5) -> None",
    "(x: 'Tensor', n: 'int | None' = None) -> 'tuple[Tensor, int, float, bool]'",
    "(x: Tensor | None, xs: list[Tensor], ys: list[Tensor | None]) -> list[Tensor]",
    "(n: list[int], m: list[int] | None, f: list[float], b: list[bool] | None = None) -> Tensor",
    "(s: str = 'x', u: str | None = None, v: int | float | bool = 2, w: bool = True) -> int",
    "(d: T.dtype = T.float64, e: T.device = T.device('cpu'), h: T.dtype | None = None) -> float",
    "(x: Tensor) -> tuple[Tensor]",
    "(x: Tensor) -> tuple[list[Tensor], int | float | bool]",
]

WRONG_SIGNATURES = {
    "(x) -> Tensor": "()",
    "(x: Tensor)": "()",
    "(x: dict) -> Tensor": "()",
    "(x: list[str]) -> Tensor": "()",
    "(x: list[Tensor] | None) -> Tensor": "()",
    "(x: tuple[int, int]) -> Tensor": "()",
    "(x: Tensor) -> dict": "()",
    "(x: Tensor) -> Tensor | None": "()",
    "(*x: Tensor) -> Tensor": "()",
    "(x: Tensor, /) -> Tensor": "()",
    "(x: int) -> Tensor": "('x',)",
    "(x: 'Nothing') -> Tensor": "()",
    "(x: Tensor, y: int = ()) -> Tensor": "()",
    "(x: Tensor) -> None": "('z',)",
    "(x: Tensor) -> int": "'all'",
    "(x: Tensor, *, y: Tensor) -> Tensor": "()",
}

_CUBE = """
@op("programs::cube", mutates_args=())
def cube(x: Tensor) -> Tensor:
    return T.from_numpy(x.detach().numpy() ** 3)

def save(ctx, inputs, output):
    ctx.save_for_backward(*inputs)

cube.register_autograd(lambda ctx, g: g * 3 * ctx.saved_tensors[0] ** 2, setup_context=save)
x = T.tensor([1.0, -2.0, 3.0], dtype=T.float64, requires_grad=True)
"""

CALLS = {
    "first derivative": _CUBE
    + "cube(x).sum().backward()\nresult = [x.grad, cube(x).grad_fn.__class__.__name__]",
    "second derivative": _CUBE + "g, = T.autograd.grad(cube(x).sum(), x, create_graph=True)\n"
    "result = [g, *T.autograd.grad((g * g).sum(), x)]",
    "through the namespace": _CUBE + "result = [T.ops.programs.cube(x), T.ops.programs.cube.default(x)]",
    "no grad": _CUBE
    + "with T.no_grad():\n    y = cube(x)\nresult = [y, y.requires_grad, cube(x.detach()).requires_grad]",
    "lists": """
@op("programs::lists", mutates_args=())
def lists(x: Tensor, xs: list[Tensor]) -> tuple[Tensor, list[Tensor]]:
    return x * 2, [t * 3 for t in xs]

lists.register_autograd(lambda ctx, g, gs: (g * 2, [h * 3 for h in gs]))
x = T.ones(2, requires_grad=True)
a, b = lists(x, [x, x])
(a.sum() + b[1].sum()).backward()
result = [a, b, x.grad, lists(x.detach(), [x.detach()])]""",
    "wrong structure of gradients": """
@op("programs::sums", mutates_args=())
def sums(xs: list[Tensor]) -> Tensor:
    return xs[0] + xs[1]

sums.register_autograd(lambda ctx, g: [g])
x = T.ones(2, requires_grad=True)
sums([x, x]).sum().backward()""",
    "keyword-only arguments, defaults": """
@op("programs::scaled", mutates_args=())
def scaled(x: Tensor, n: int = 2, *, by: float = 3.0) -> Tensor:
    return x * by * n

def save(ctx, inputs, keyword_only_inputs, output):
    ctx.factor = inputs[1] * keyword_only_inputs["by"]

scaled.register_autograd(lambda ctx, g: (g * ctx.factor, None), setup_context=save)
x = T.ones(2, requires_grad=True)
(scaled(x).sum() + scaled(x, 3, by=0.5).sum()).backward()
result = [scaled(x), x.grad]""",
    "needs_input_grad": """
seen = []

@op("programs::product", mutates_args=())
def product(x: Tensor, y: Tensor, n: int) -> Tensor:
    return x * y * n

def backward(ctx, g):
    seen.append(ctx.needs_input_grad)
    return g, None, None

product.register_autograd(backward)
x = T.ones(2, requires_grad=True)
product(x, T.ones(2), 3).sum().backward()
result = [seen, x.grad]""",
    "mutation": """
@op("programs::scale_", mutates_args={"x"})
def scale_(x: Tensor, by: float = 2.0) -> None:
    x.mul_(by)

x = T.ones(3)
before = x._version
scale_(x)
result = [x, x._version - before, T.ops.programs.scale_.default._schema]""",
    "mutation without an operator": """
@op("programs::fill_", mutates_args="unknown")
def fill_(x: Tensor, y: Tensor) -> None:
    x.numpy()[:] = y.numpy()

x, y = T.zeros(3), T.ones(3)
before = x._version, y._version
fill_(x, y)
result = [x, x._version - before[0], y._version - before[1]]""",
    "mutation of what backward needs": """
@op("programs::clear_", mutates_args=("x",))
def clear_(x: Tensor) -> None:
    x.numpy()[:] = 0

x = T.ones(2, requires_grad=True)
y = x * 2
z = y * y
clear_(y.detach())
z.sum().backward()""",
    "defined again": """
for by in (2, 3):
    @op("programs::again", mutates_args=())
    def again(x: Tensor) -> Tensor:
        return x * by
result = [again(T.ones(2)), str(again)]""",
    "kernels by device": """
@op("programs::where", mutates_args=(), device_types="cpu")
def where(x: Tensor) -> Tensor:
    return x + 1

where.register_fake(lambda x: x.new_empty(7))
result = [where(T.zeros(2)), where(T.zeros(2, device="meta")).shape]""",
    "a factory": """
@op("programs::made", mutates_args=(), device_types="cpu")
def made(n: int, device: T.device) -> Tensor:
    return T.ones(n)

result = [made(2, "cpu"), made(3, T.device("cpu"))]""",
    "a factory elsewhere": """
@op("programs::made_here", mutates_args=(), device_types="cpu")
def made_here(n: int, device: T.device) -> Tensor:
    return T.ones(n)

made_here(2, "meta")""",
    "a factory without a device": """
@op("programs::nowhere", mutates_args=(), device_types="cpu")
def nowhere(n: int) -> Tensor:
    return T.ones(n)""",
    "a schema": """
@op("programs::given", mutates_args=(), schema="(Tensor x, int n=2) -> (Tensor, Tensor)")
def given(x, n=2):
    return x * n, x + n

result = given(T.ones(2))""",
    "a schema that contradicts": """
op("programs::contradicted", mutates_args=(), schema="(Tensor(a!) x) -> ()")(lambda x: None)""",
    "returns its input": """
@op("programs::same", mutates_args=())
def same(x: Tensor) -> Tensor:
    return x

same(T.ones(2))""",
    "returns a view": """
@op("programs::view", mutates_args=())
def view(x: Tensor) -> Tensor:
    return x[0]

view(T.ones(2))""",
    "returns one tensor twice": """
@op("programs::twice", mutates_args=())
def twice(x: Tensor) -> tuple[Tensor, Tensor]:
    y = x + 1
    return y, y

twice(T.ones(2))""",
    "no gradient": """
@op("programs::flat", mutates_args=())
def flat(x: Tensor) -> Tensor:
    return x * 2

flat(T.ones(2, requires_grad=True)).sum().backward()""",
    "a gradient of a mutation": """
@op("programs::bump_", mutates_args={"x"})
def bump_(x: Tensor) -> None:
    x.add_(1)

bump_.register_autograd(lambda ctx: None)""",
    "functions of the module": """
lib = library.Library("programs_low", "DEF")
lib.define("twice(Tensor x) -> Tensor")
library.register_kernel("programs_low::twice", "cpu", lambda x: T.from_numpy(x.detach().numpy() * 2), lib=lib)
library.register_fake("programs_low::twice", lambda x: x.new_empty(3), lib=lib)
library.register_autograd("programs_low::twice", lambda ctx, g: g * 2, lib=lib)
x = T.ones(2, requires_grad=True)
y = T.ops.programs_low.twice(x)
y.sum().backward()
result = [y, x.grad, T.ops.programs_low.twice(T.ones(2, device="meta")).shape]
lib._destroy()""",
    "functions of the module, for a custom operator": """
@op("programs::both", mutates_args=(), device_types="cuda")
def both(x: Tensor) -> Tensor:
    return x.new_empty(2)

@library.register_kernel("programs::both", ("cpu",))
def _(x):
    return x + 5

library.register_autograd(both, lambda ctx, g: g * 7)
library.register_fake("programs::both")(lambda x: x.new_empty(9))
x = T.ones(2, requires_grad=True)
both(x).sum().backward()
result = [both(x), x.grad]""",
    "a gradient of an operator that mutates": """
library.register_autograd("aten::add_.Tensor", lambda ctx, g: g)""",
    "a name of another kind": "library.register_autograd(3, lambda ctx, g: g)",
}
