"""Graphs of a trace: at each level they compute what the traced function computed, and name their inputs."""

from __future__ import annotations

import copy
from typing import Any

import aten
import both
import pytest
from aten import nn
from aten.export import ExportError, trace
from aten.export._flattening import flattened
from aten.export._graph import Ref
from aten.nn import functional as F

LEVELS = ("operator", "backend")


def assert_same(got: Any, expected: Any) -> None:
    """Bit for bit, with the same structure."""
    (mine, values), (theirs, wanted) = flattened(got), flattened(expected)
    assert len(values) == len(wanted) and mine.count == theirs.count
    for a, b in zip(values, wanted, strict=True):
        if isinstance(b, aten.Tensor):
            assert a.dtype == b.dtype and a.stride() == b.stride()
            assert aten.equal(a.nan_to_num(), b.nan_to_num()) and aten.equal(a.isnan(), b.isnan())
        else:
            assert a == b


def check(f: Any, *args: Any, again: tuple[Any, ...] | None = None, **kwargs: Any) -> None:
    """The programs of `f` give its results for the traced arguments and for others of the same shapes."""
    for level in LEVELS:
        aten.manual_seed(0)
        program = trace(copy.deepcopy(f), *copy.deepcopy(args), **kwargs).program(level)
        own = copy.deepcopy(f)  # a trace has written to the statistics of its module
        for name, value in own.named_buffers() if isinstance(f, nn.Module) else ():
            for state in (program.state_dict, program.constants):
                if name in state:
                    state[name].copy_(value)
        for given in (args, again or args):
            mine, theirs = copy.deepcopy(given), copy.deepcopy(given)
            aten.manual_seed(1)
            expected = own(*theirs, **kwargs)
            aten.manual_seed(1)
            assert_same(program(*mine, **kwargs), expected)
            assert_same(list(mine), list(theirs))  # writes to arguments


@pytest.mark.parametrize("name", both.NAMES)
def test_networks(name: str) -> None:
    model, args = both.made(both.OURS, name)
    again = both.OURS.MODELS[name][1](2)
    for level in LEVELS:
        program = trace(model, *args).program(level)
        for given in (args, again):
            assert_same(program(*given), model(*given))


def images() -> aten.Tensor:
    return aten.randn(2, 4, 8, 8)


def sequences() -> aten.Tensor:
    return aten.randn(2, 5, 8)


LAYERS: dict[str, tuple[Any, Any]] = {
    "Conv2d": (lambda: nn.Conv2d(4, 6, 3, 2, 1, groups=2), images),
    "Conv2d padding": (lambda: nn.Conv2d(4, 6, 3, padding="same", padding_mode="reflect"), images),
    "ConvTranspose2d": (lambda: nn.ConvTranspose2d(4, 6, 3, 2), images),
    "BatchNorm2d": (lambda: nn.BatchNorm2d(4), images),
    "BatchNorm2d eval": (lambda: nn.BatchNorm2d(4).eval(), images),
    "InstanceNorm2d": (lambda: nn.InstanceNorm2d(4, affine=True), images),
    "GroupNorm": (lambda: nn.GroupNorm(2, 4), images),
    "LayerNorm": (lambda: nn.LayerNorm(8), sequences),
    "RMSNorm": (lambda: nn.RMSNorm(8), sequences),
    "LocalResponseNorm": (lambda: nn.LocalResponseNorm(2), images),
    "Linear": (lambda: nn.Linear(8, 3), sequences),
    "Bilinear": (lambda: nn.Bilinear(8, 8, 3), lambda: (sequences(), sequences())),
    "Dropout": (lambda: nn.Dropout(0.5), sequences),
    "Dropout2d": (lambda: nn.Dropout2d(0.5), images),
    "AlphaDropout": (lambda: nn.AlphaDropout(0.5), sequences),
    "ReLU inplace": (lambda: nn.ReLU(inplace=True), sequences),
    "GELU": (lambda: nn.GELU("tanh"), sequences),
    "RReLU": (lambda: nn.RReLU(), sequences),
    "PReLU": (lambda: nn.PReLU(4), images),
    "GLU": (lambda: nn.GLU(), sequences),
    "Softmax2d": (lambda: nn.Softmax2d(), images),
    "MaxPool2d": (lambda: nn.MaxPool2d(2, return_indices=True), images),
    "AvgPool2d": (lambda: nn.AvgPool2d(3, 2, 1), images),
    "AdaptiveMaxPool2d": (lambda: nn.AdaptiveMaxPool2d(3), images),
    "LPPool2d": (lambda: nn.LPPool2d(2, 2), images),
    "Upsample": (lambda: nn.Upsample(scale_factor=2, mode="bicubic"), images),
    "PixelShuffle": (lambda: nn.PixelShuffle(2), images),
    "Unfold": (lambda: nn.Unfold(3), images),
    "Flatten": (lambda: nn.Flatten(), images),
    "ReflectionPad2d": (lambda: nn.ReflectionPad2d(2), images),
    "ChannelShuffle": (lambda: nn.ChannelShuffle(2), images),
    "Embedding": (lambda: nn.Embedding(9, 3, max_norm=1.0), lambda: aten.randint(0, 9, (4,))),
    "EmbeddingBag": (lambda: nn.EmbeddingBag(9, 3), lambda: aten.randint(0, 9, (2, 4))),
    "GRU": (lambda: nn.GRU(8, 3, 2, bidirectional=True), sequences),
    "LSTM": (lambda: nn.LSTM(8, 6, proj_size=3), sequences),
    "RNN": (lambda: nn.RNN(8, 3), sequences),
    "GRUCell": (lambda: nn.GRUCell(8, 3), lambda: aten.randn(2, 8)),
    "MultiheadAttention": (lambda: nn.MultiheadAttention(8, 2), lambda: (sequences(),) * 3),
    "TransformerDecoderLayer": (
        lambda: nn.TransformerDecoderLayer(8, 2, 8),
        lambda: (sequences(), sequences()),
    ),
    "CrossEntropyLoss": (lambda: nn.CrossEntropyLoss(), lambda: (aten.randn(3, 5), aten.tensor([1, 0, 4]))),
    "CTCLoss": (
        lambda: nn.CTCLoss(),
        lambda: (
            aten.randn(6, 1, 4).log_softmax(2),
            aten.tensor([[1, 2]]),
            aten.tensor([6]),
            aten.tensor([2]),
        ),
    ),
    "TripletMarginLoss": (lambda: nn.TripletMarginLoss(), lambda: (aten.randn(3, 4),) * 3),
}


def given(made: Any) -> tuple[Any, ...]:
    return made if isinstance(made, tuple) else (made,)


@pytest.mark.parametrize("name", LAYERS)
def test_layers(name: str) -> None:
    layer, inputs = LAYERS[name]
    aten.manual_seed(0)
    check(layer(), *given(inputs()), again=given(inputs()))


def gradients(x: aten.Tensor, w: aten.Tensor) -> tuple[aten.Tensor, ...]:
    x, w = x.detach().requires_grad_(), w.detach().requires_grad_()
    loss = F.cross_entropy(F.dropout(F.layer_norm(x @ w, (4,)).tanh()), aten.tensor([1, 0, 3, 2])) + w.norm()
    return aten.autograd.grad(loss, (x, w))


def writes(x: aten.Tensor, w: aten.Tensor) -> aten.Tensor:
    x[0] = 1
    x.view(-1)[3:6].mul_(w.flatten()[:3])
    y = aten.empty(4, 4)
    aten.add(x, w, out=y)
    y[y > 0.5] = 0
    return y


def constants(x: aten.Tensor, w: aten.Tensor) -> aten.Tensor:
    scale = aten.tensor([1.0, 2.0, 3.0, 4.0])
    scale[0] += 1
    scale += x[0]
    return scale * w


FUNCTIONS = {
    "gradients": gradients,
    "writes": writes,
    "constants": constants,
    "views": lambda x, w: [x.t().reshape(-1), x.unfold(0, 2, 1), x.movedim(0, 1), x.expand(2, 4, 4), x.real],
    "lists": lambda x, w: (
        x.split(2),
        aten.cat((*x.unbind(), w[0])),
        aten.meshgrid(x[0], w[0], indexing="ij"),
    ),
    "conversions": lambda x, w: (
        x.double() + w,
        x.to(aten.int64),
        x.half().float(),
        x.contiguous(),
        x.bool(),
    ),
    "factories": lambda x, w: (aten.arange(4) + x, aten.full_like(x, 3), x.new_zeros(2), aten.eye(4) @ w),
    "random": lambda x, w: (aten.rand(3), aten.randn_like(x), x.sigmoid().bernoulli(), aten.randperm(5)),
    "matrices": lambda x, w: (
        aten.einsum("ij,kj->ik", x, w),
        aten.linalg.norm(x),
        x.addmm(x, w),
        aten.cdist(x, w),
    ),
    "reductions": lambda x, w: (x.max(1), x.var(0), x.median(), x.cumsum(0), x.logsumexp(1), aten.norm(x, 1)),
    "sorting": lambda x, w: (x.sort(1), x.topk(2), x.argmax(), x.unique(), aten.where(x > 0, x, w), x[x > 0]),
    "attention": lambda x, w: F.scaled_dot_product_attention(x[None], w[None], x[None], is_causal=True),
    "complex": lambda x, w: (
        aten.complex(x, w).conj() * 2,
        aten.fft.rfft(x),
        aten.view_as_real(aten.complex(x, w)),
    ),
    "nothing": lambda x, w: (x, {"none": None, "number": 3}, w),
    "data": lambda x, w: x.data + w,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    aten.manual_seed(0)
    first, second = [(aten.rand(4, 4), aten.randn(4, 4)) for _ in range(2)]
    again = None if name in ("sorting", "writes") else second  # sizes there depend on values
    check(FUNCTIONS[name], *first, again=again)


def test_autocast_is_part_of_the_graph() -> None:
    linear = nn.Linear(4, 4)

    def f(x: aten.Tensor) -> aten.Tensor:
        with aten.autocast("cpu", dtype=aten.bfloat16):
            return linear(x).sum()

    made = trace(f, aten.randn(2, 4))
    assert made.graph().nodes[0].target == "aten::to.dtype"
    for level in LEVELS:
        x = aten.randn(2, 4)
        assert_same(made.program(level)(x), f(x))


class Keywords(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(aten.randn(3))
        self.register_buffer("count", aten.zeros(3))
        self.table = aten.randn(3)

    def forward(self, x: Any, *rest: Any, scale: float = 1.0, options: Any = None) -> dict[str, Any]:
        self.count.add_(1)
        pair = x["pair"]
        total = pair[0] + pair[1] * self.weight * scale + rest[0] + self.table + outside
        return {"total": total, "parts": [total[0], (self.count, options["bias"])], "scale": scale}


outside = aten.randn(3)


def test_inputs_by_kind_and_containers() -> None:
    model, x, bias = Keywords(), {"pair": (aten.randn(3), aten.randn(3))}, aten.randn(3)
    made = trace(model, x, aten.ones(3), scale=2.0, options={"bias": bias})
    found = [(i.kind, i.name, i.target) for i in made.graph().inputs]
    assert found == [
        ("parameter", "p_weight", "weight"),
        ("buffer", "b_count", "count"),
        ("constant", "c_table", "table"),
        ("constant", "c_lifted_tensor_0", "lifted_tensor_0"),
        ("user_input", "x_pair_0", None),
        ("user_input", "x_pair_1", None),
        ("user_input", "rest_0", None),
        ("user_input", "scale", None),
        ("user_input", "options_bias", None),
    ]
    program = made.program()
    assert program.state_dict["weight"] is model.weight and program.constants["lifted_tensor_0"] is outside
    got = program(x, aten.ones(3), scale=2.0, options={"bias": bias})
    assert list(got) == ["total", "parts", "scale"] and got["scale"] == 2.0
    assert aten.equal(got["total"], made.result["total"]) and got["parts"][1][0] is model.count


def test_levels_of_a_network() -> None:
    model, args = both.made(both.OURS, "mlp")
    made = trace(model, *args)
    targets = {
        level: [n.target for n in made.graph(level).nodes] for level in ("module", "function", *LEVELS)
    }
    layers = ["Linear", "ReLU", "Dropout", "Linear", "GELU", "Linear"]
    assert targets["module"] == [f"aten.nn.{n}" for n in layers] + ["aten.nn.functional.log_softmax"]
    functions = ["linear", "relu", "dropout", "linear", "gelu", "linear", "log_softmax"]
    assert targets["function"] == [f"aten.nn.functional.{n}" for n in functions]
    operators = [f"aten::{n}" for n in functions]
    assert targets["operator"] == [*operators[:-1], "aten::log_softmax.int"]
    kernels = ["transpose.int", "addmm", "relu", "transpose.int", "addmm", "gelu", "transpose.int", "addmm"]
    assert targets["backend"] == [f"aten::{n}" for n in [*kernels, "_log_softmax"]]


def test_nodes_say_where_they_come_from() -> None:
    model, args = both.made(both.OURS, "mlp")
    first, *_ = trace(model, *args).graph().nodes
    assert (first.name, first.module, first.args[0]) == ("linear", "layers.0", Ref("x"))
    assert first.origin.startswith(f'"{both.SOURCE}", line ') and first.origin.endswith(", in forward")
    assert (first.meta.dtype, first.meta.sizes, first.meta.strides) == (aten.float32, (2, 32), (32, 1))


def test_a_level_that_does_not_exist() -> None:
    made = trace(F.relu, aten.ones(2))
    with pytest.raises(ExportError, match="needs decompositions"):
        made.graph("core")
    with pytest.raises(ExportError, match="expected level to be one of"):
        made.graph("kernel")
    with pytest.raises(ExportError, match="'operator' or 'backend'"):
        made.program("function")


def test_a_write_to_a_foreign_tensor_is_refused() -> None:
    total = aten.zeros(2)
    with pytest.raises(ExportError, match=r"neither an argument nor the module's") as caught:
        trace(lambda x: total.add_(x), aten.ones(2)).graph()
    assert "operator aten::add_.Tensor" in str(caught.value) and __file__ in str(caught.value)


def test_a_view_that_no_operator_made_is_refused() -> None:
    with pytest.raises(ExportError, match="a view of an earlier value that no operator made"):
        trace(lambda x: aten.from_numpy(x.numpy()[1:]) + 1, aten.ones(3)).graph()


def test_a_result_that_is_no_tensor_is_refused() -> None:
    with pytest.raises(ExportError, match="contains a set"):
        trace(lambda x: {1, 2}, aten.ones(2)).graph()
