"""Programs that use private bases, older names and texts of PyTorch's print the same with this library."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import warnings
from pathlib import Path

import pytest
from children import printed, python

PROGRAMS = {
    "texts": """
import torch
x = torch.ones(2, 3, dtype=torch.float64)
print(x.dtype, str(torch.int8).split(".")[-1], getattr(torch, str(x.dtype).replace("torch.", "")))
print(x, x.shape, repr(x.size()), x.type(), x.int().type(), torch.strided, torch.channels_last)
print(x.type() == "torch.DoubleTensor", x.type("torch.FloatTensor").dtype, torch.typename(x), f"{x.layout}")
try:
    torch.ones(2) @ x
except RuntimeError as error:
    print(type(error).__name__)
""",
    "bases of layers": """
import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.conv import _ConvNd, _ConvTransposeNd
from torch.nn.modules.dropout import _DropoutNd
from torch.nn.modules.instancenorm import _InstanceNorm
from torch.nn.modules.module import _IncompatibleKeys
from torch.nn.modules.padding import _ConstantPadNd
from torch.nn.modules.pooling import _AdaptiveAvgPoolNd, _AdaptiveMaxPoolNd, _AvgPoolNd, _LPPoolNd, _MaxPoolNd
from torch.nn.modules.transformer import _get_activation_fn, _get_clones
bases = (_BatchNorm, _ConvNd, _ConvTransposeNd, _DropoutNd, _InstanceNorm, _ConstantPadNd, _AdaptiveAvgPoolNd,
         _AdaptiveMaxPoolNd, _AvgPoolNd, _LPPoolNd, _MaxPoolNd)
layers = (nn.BatchNorm2d(1), nn.Conv1d(1, 1, 1), nn.ConvTranspose3d(1, 1, 1), nn.Dropout2d(),
          nn.InstanceNorm1d(1), nn.ZeroPad2d(1),
          nn.AdaptiveAvgPool1d(1), nn.AdaptiveMaxPool2d(1), nn.AvgPool1d(2), nn.AvgPool3d(2),
          nn.LPPool1d(2, 2), nn.MaxPool2d(2))
for layer in layers:
    print([base.__name__ for base in bases if isinstance(layer, base)])
kept = nn.Linear(1, 1).load_state_dict({"weight": torch.ones(1, 1)}, strict=False)
print(isinstance(kept, _IncompatibleKeys), kept)
print(_get_clones(nn.Linear(1, 2), 2), _get_activation_fn("gelu")(torch.zeros(1)).item())
""",
    "a convolution of a program": """
import torch
import torch.nn.functional as F
from torch.nn.common_types import _size_2_t
from torch.nn.modules.conv import _ConvNd
from torch.nn.modules.utils import _pair, _reverse_repeat_tuple, _single, _triple
class Centred(_ConvNd):
    def __init__(self, inside: int, outside: int, size: _size_2_t, padding: _size_2_t = 0):
        sizes = _pair(size), _pair(1), _pair(padding), _pair(1)
        super().__init__(inside, outside, *sizes, False, _pair(0), 1, True, "zeros")
    def forward(self, x):
        return F.conv2d(x, self.weight - self.weight.mean(), self.bias, self.stride, self.padding)
layer = Centred(2, 3, 3, 1)
print(layer, [(n, p.shape) for n, p in layer.named_parameters()], layer(torch.ones(1, 2, 5, 5)).shape)
print(_single(2), _pair([1, 2]), _triple(1), _reverse_repeat_tuple((1, 2), 2), layer.transposed)
for groups, mode in ((2, "zeros"), (1, "none"), (0, "zeros")):
    try:
        _ConvNd(2, 3, (3,), (1,), (0,), (1,), False, (0,), groups, True, mode)
    except ValueError as error:
        print(type(error).__name__)
""",
    "older names": """
import torch
import torch.onnx
from torch import nn
from torch.distributions.categorical import Categorical
from torch.distributions.multivariate_normal import MultivariateNormal
from torch.distributions.normal import Normal
from torch.nn.init import _calculate_correct_fan
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present
from torch.optim.optimizer import Optimizer, ParamsT
print(Categorical is torch.distributions.Categorical, Normal(0.0, 1.0).log_prob(torch.zeros(1)).item() < 0)
x = torch.ones(2, requires_grad=True)
print(torch.autograd.grad(x.prod(), x, torch.ones(()), True, True, True, False)[0].tolist())
print(torch.autograd.grad(x.prod(), [x], create_graph=True, only_inputs=True)[0].tolist())
model = nn.DataParallel(nn.Linear(2, 1))
print(list(model.state_dict()), model.module.in_features, model(torch.ones(3, 2)).shape)
state = model.state_dict()
consume_prefix_in_state_dict_if_present(state, "module.")
print(list(state), list(state._metadata), nn.Linear(2, 1).load_state_dict(state))
model(torch.ones(3, 2)).sum().backward()
print(torch.nn.utils.clip_grad_norm(model.parameters(), 1.0).item() > 1)
print(_calculate_correct_fan(torch.ones(3, 2, 5), "fan_out"))
before = torch.random.get_rng_state()
with torch.random.fork_rng():
    torch.manual_seed(7)
print(torch.equal(before, torch.random.get_rng_state()))
with torch.random.fork_rng(devices=[], enabled=False):
    torch.manual_seed(8)
print(torch.equal(before, torch.random.get_rng_state()))
torch.set_flush_denormal(False), torch.set_warn_always(False)
print(torch.cuda.is_available() or not torch.cuda.is_initialized())
print(torch.jit.isinstance([1], list[int]), torch.jit.Attribute(3, int).value, torch.cpu.device_count())
print(issubclass(torch.jit.TracerWarning, Warning), torch.get_device_module("cpu").__name__)
print(torch.cuda.FloatTensor.is_cuda, torch.cuda.HalfTensor.dtype)
for check in (torch._check_value, torch._check_type, torch._check_index, torch._check_not_implemented):
    try:
        check(False, lambda: "no")
    except Exception as error:
        print(type(error).__name__, error)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_prints_what_it_prints_with_pytorch(name: str, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(PROGRAMS[name], name, "exec"), {"__name__": "program"})
    assert printed("-c", PROGRAMS[name], cwd=tmp_path).splitlines() == shown.getvalue().splitlines()


def test_texts_are_the_librarys_own_before_and_after(tmp_path: Path) -> None:
    code = """
import aten
def texts():
    return str(aten.float32), repr(aten.Size([1])), aten.ones(1).type()
before = texts()
aten.torch.install(replace=True)
print(texts())
aten.torch.uninstall()
print(before == texts(), before)
"""
    first, second = python("-c", code, cwd=tmp_path).stdout.splitlines()
    assert first == "('torch.float32', 'torch.Size([1])', 'torch.FloatTensor')"
    assert second == "True ('aten.float32', 'aten.Size([1])', 'aten.FloatTensor')"


SAVING = """
import sys
import torch
kept = {"x": torch.ones(2, dtype=torch.bfloat16), "dtype": torch.int64, "size": torch.Size([3])}
torch.save(kept, "kept.pt")
print(torch.load("kept.pt"))
"""


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch isn't installed")
def test_files_are_the_same_under_these_texts(tmp_path: Path) -> None:
    import torch

    assert "torch.int64" in printed("-c", SAVING, cwd=tmp_path)
    with torch.serialization.safe_globals([torch.Size]):
        theirs = torch.load(tmp_path / "kept.pt")
    assert theirs["x"].dtype is torch.bfloat16 and theirs["dtype"] is torch.int64


def test_several_devices_of_data_parallel_are_an_error(tmp_path: Path) -> None:
    code = """
import torch
try:
    torch.nn.DataParallel(torch.nn.Linear(1, 1), [0, 1])
except NotImplementedError as error:
    print(error)
"""
    assert "device_ids=[0, 1]" in printed("-c", code, cwd=tmp_path)
