"""A user's program for type checkers: after `# is` is the revealed type, after `# error` the kind of the
expected error. test_typing.py compares; nothing runs this.
"""

# ruff: noqa: B015, F821

from typing import Any

import aten
import aten.nn.functional as F
from aten.library import DispatchKeySet, Library
from aten.utils._python_dispatch import TorchDispatchMode

# Tensors and their properties
x = aten.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=aten.float32)
reveal_type(x)  # is aten.Tensor
reveal_type(x.shape)  # is aten.Size
reveal_type(x.shape[0])  # is int
reveal_type(x.dtype)  # is aten.dtype
reveal_type(x.device.type)  # is str
reveal_type(x.size(0))  # is int
reveal_type(x.size())  # is aten.Size
reveal_type(x.stride())  # is tuple[int, ...]
reveal_type(x.grad)  # is aten.Tensor | None
reveal_type(x.requires_grad)  # is bool
reveal_type([row.sum() for row in x])  # is list[aten.Tensor]
x.ndim = 4  # error misc

# Python's operators
reveal_type(x + 1)  # is aten.Tensor
reveal_type(2.5 * x)  # is aten.Tensor
reveal_type(x @ x.T)  # is aten.Tensor
reveal_type(x**2)  # is aten.Tensor
reveal_type(-x)  # is aten.Tensor
reveal_type(x < 1)  # is aten.Tensor
reveal_type(x == 1)  # is aten.Tensor
reveal_type(x[0, ..., None])  # is aten.Tensor
x += 1
x["key"] < "text"  # error operator
x + "text"  # error operator

# Functions and methods
reveal_type(aten.add(x, 1, alpha=2))  # is aten.Tensor
reveal_type(aten.zeros(2, 3))  # is aten.Tensor
reveal_type(aten.zeros((2, 3), dtype=aten.int64, device="cpu"))  # is aten.Tensor
reveal_type(x.view(-1))  # is aten.Tensor
reveal_type(x.view(aten.int32))  # is aten.Tensor
reveal_type(x.sum(dim=(0, 1), keepdim=True))  # is aten.Tensor
reveal_type(x.to(aten.float64))  # is aten.Tensor
reveal_type(x.to("cpu", aten.float64))  # is aten.Tensor
reveal_type(aten.split(x, 1))  # is tuple[aten.Tensor, ...]
reveal_type(aten.equal(x, x))  # is bool
reveal_type(aten.sort(x).values)  # is aten.Tensor
values, indices = aten.topk(x, 1)
reveal_type(indices)  # is aten.Tensor
reveal_type(x.type())  # is str
reveal_type(x.nonzero(as_tuple=True))  # is tuple[aten.Tensor, ...]
reveal_type(aten.numel(x))  # is int
aten.add(x, "text")  # error arg-type
aten.zeros("text")  # error arg-type
aten.sum(x, axes=1)  # error call-overload
aten.exp()  # error call-arg
aten.exponential(x)  # error attr-defined
x.exponential()  # error attr-defined

# Submodules, modes, operators
reveal_type(F.softmax(x, -1))  # is aten.Tensor
reveal_type(F.gelu(x, approximate="tanh"))  # is aten.Tensor
reveal_type(F.relu(F.linear(x, x)))  # is aten.Tensor
F.softmax(dim=0)  # error call-arg
reveal_type(F.interpolate(x, scale_factor=2.0, mode="bilinear"))  # is aten.Tensor
reveal_type(F.normalize(F.conv2d(x, x, padding="same"), dim=-1))  # is aten.Tensor
F.mse_loss(x, x, reduction=1)  # error arg-type
reveal_type(aten.cuda.is_available())  # is bool
reveal_type(aten.finfo(aten.float32).eps)  # is float
reveal_type(aten.default_generator.get_state())  # is aten.Tensor
reveal_type(aten.ops.aten.add)  # is aten._C.OpOverloadPacket
reveal_type(aten.ops.aten.add.Tensor)  # is aten._C.OpOverload
reveal_type(aten.ops.aten.add.Tensor.tags)  # is list[aten._tags.Tag]
reveal_type(aten.ops.aten.add.Tensor._schema.arguments[0].name)  # is str
reveal_type(aten.Tag.pointwise)  # is aten._tags.Tag
with aten.no_grad(), aten.set_grad_enabled(True):
    pass


@aten.no_grad()
def doubled(t: aten.Tensor) -> aten.Tensor:
    return t * 2


reveal_type(doubled(x))  # is aten.Tensor
doubled("text")  # error arg-type


class Log(TorchDispatchMode):
    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        return func(*args, **(kwargs or {}))


library = Library("mine", "DEF")
reveal_type(library.define("scale(Tensor self, float by) -> Tensor"))  # is str
library.impl("scale", lambda self, by: self * by, "CPU")
library.impl("scale", 3)  # error arg-type
reveal_type(DispatchKeySet.of(x).has("CPU"))  # is bool

# Autograd
reveal_type(aten.autograd.grad(x, [x], allow_unused=True)[0])  # is aten.Tensor
aten.autograd.grad(x, 3)  # error arg-type
aten.autograd.backward((x, x), retain_graph=True)
x.backward(aten.ones(2), create_graph=True, inputs=[x])
x.backward("text")  # error arg-type
reveal_type(x.grad_fn)  # is aten._C._Node | None
reveal_type(x.register_hook(lambda g: g * 2))  # is aten._C._RemovableHandle
x.register_hook(3)  # error arg-type
reveal_type(aten.autograd.graph.get_gradient_edge(x).output_nr)  # is int
reveal_type(aten.autograd.forward_ad.unpack_dual(x).tangent)  # is aten.Tensor | None
with aten.autograd.detect_anomaly(), aten.autograd.graph.save_on_cpu():
    pass


class Cube(aten.autograd.Function):
    @staticmethod
    def forward(ctx: aten.autograd.function.FunctionCtx, t: aten.Tensor) -> aten.Tensor:
        ctx.save_for_backward(t)
        ctx.power = 3
        return t * t * t

    @staticmethod
    def backward(ctx: aten.autograd.function.FunctionCtx, grad: aten.Tensor) -> aten.Tensor:
        ctx.save_for_backward(3)  # error arg-type
        return grad * 3


Cube.apply(x).sum().backward()
