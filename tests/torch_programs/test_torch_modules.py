"""The modules that programs import as torch's: whose they are, what is missing, and what is accepted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from children import printed, python

SAME = """
import pickle
import aten
import torch, torch.nn as nn, torch.nn.functional as F, torch.optim as optim
import torch.autograd, torch.backends.cuda, torch.cuda, torch.cuda.random, torch.fft, torch.linalg
import torch.multiprocessing, torch.nn.init, torch.nn.utils.rnn, torch.ops, torch.optim.lr_scheduler
import torch.random, torch.special, torch.utils.data.dataloader, torch.utils.hooks
from torch import Tensor, optim as also_optim
from torch.nn import Parameter
from torch.nn.modules.linear import Linear
from torch.utils.data import DataLoader, Dataset
assert Tensor is torch.Tensor is aten.Tensor and nn.Linear is Linear is aten.nn.Linear
assert F is torch.nn.functional is aten.nn.functional and optim is also_optim is aten.optim
assert torch.nn.modules.linear is aten.nn.modules.linear and torch.ops is aten.ops
assert torch.linalg is aten.linalg and torch.utils.data is aten.utils.data
assert torch.cuda.random is aten.cuda.random and torch.random is aten.random
assert torch.float is torch.float32 is aten.float32 and torch.device is aten.device
assert isinstance(torch.ones(1), torch.Tensor) and isinstance(Parameter(torch.ones(1)), aten.Tensor)
assert torch.autograd.Function is aten.autograd.Function
import torch.autograd.gradcheck
assert torch.autograd.gradcheck is aten.autograd.gradcheck and callable(torch.autograd.gradcheck)
assert pickle.loads(b"ctorch.nn.modules.linear\\nLinear\\n.") is Linear
assert "SGD" in vars(torch.optim) and "Linear" in dir(torch.nn) and "jit" in dir(torch)

torch.nn.init.constant_ = lambda tensor, value: tensor.fill_(9.0)
assert aten.nn.init.constant_ is torch.nn.init.constant_
torch.backends.cuda.matmul.allow_tf32 = True
assert aten.get_float32_matmul_precision() == "high"
torch.of_the_program = 1
assert not hasattr(aten, "of_the_program")
print("same")
"""


def test_modules_and_names_are_the_librarys_own(tmp_path: Path) -> None:
    assert printed("-c", SAME, cwd=tmp_path) == "same\n"


ATTEMPTS = {
    "torch.while_loop": "no recorded functions; use",
    "torch.nothing": "names that are not here",
    "torch.nn.Nothing": "names that are not here",
    "torch._prims": "names that are not here",
    "from torch import while_loop": "no recorded functions; use",
    "from torch import nothing": "names that are not here",
    "from torch.nn import Nothing": "names that are not here",
    "import torch.nothing": "names that are not here",
    "import torch.torch": "names that are not here",
    "from torch.utils.tensorboard import SummaryWriter": "tensorboardX",
    "import torch._inductor": "nothing compiles programs",
    "torch.cuda.CUDAGraph()": "nothing compiles or traces",
    "torch.fx.symbolic_trace(torch.nn.ReLU())": "nothing compiles or traces",
    "torch.ao.quantization.QuantStub()": "no quantized tensors",
    "torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(1, 1))": "no collective operations",
    "torch.distributed.init_process_group('gloo')": "no collective operations",
    "torch.distributed.ReduceOp.SUM": "no collective operations",
    "torch.jit.trace(abs, 1)": "nothing compiles or traces",
    "torch.jit.load('model.pt')": "runs no code from files",
    "torch.autograd.profiler.emit_nvtx()": "profiler.profile records them",
}
TRYING = """
import json, sys, torch
errors = {}
for code in json.loads(sys.argv[1]):
    try:
        exec(code)
    except Exception as error:
        errors[code] = [isinstance(error, (AttributeError, ImportError, NotImplementedError)), str(error)]
print(json.dumps(errors))
"""


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[bool, str]]:
    text = printed("-c", TRYING, json.dumps(list(ATTEMPTS)), cwd=tmp_path_factory.mktemp("errors"))
    return json.loads(text)


@pytest.mark.parametrize("code", ATTEMPTS)
def test_what_is_missing_says_so(code: str, errors: dict[str, tuple[bool, str]]) -> None:
    is_kind, text = errors[code]
    assert is_kind
    assert ATTEMPTS[code] in text
    if "enabled" not in text:
        assert "docs/reference/names.md" in text


ACCEPTED = """
import contextlib, io, pickle, warnings
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.distributed import destroy_process_group, init_process_group
from torch.backends import cudnn
import torch.distributed as dist

assert not dist.is_available() and not torch.distributed.is_initialized()
assert not torch.cuda.is_available() and not torch.backends.mps.is_available()
assert not torch.xpu.is_available() and torch.version.cuda is None
assert not torch.accelerator.is_available() and torch.accelerator.current_accelerator() is None
assert not isinstance(nn.Linear(1, 1), (DistributedDataParallel, nn.DataParallel, nn.SyncBatchNorm))
cudnn.deterministic, cudnn.benchmark = True, False
with cudnn.flags(enabled=False):
    assert torch.backends.cudnn.deterministic
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as measured:
    with torch.autograd.profiler.record_function("part"):
        torch.ones(2)
assert measured.key_averages()[0].key == "part"
with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
    assert not torch.backends.cuda.flash_sdp_enabled()
torch.set_float32_matmul_precision("high")
with torch.device("meta"):
    assert torch.ones(2).is_meta

@torch.no_grad()
def grown(x):
    return x + 1
assert not grown(torch.ones(1, requires_grad=True)).requires_grad

with warnings.catch_warnings(record=True) as noted:
    warnings.simplefilter("always")
    model = nn.Linear(2, 2)
    assert torch.compile(model) is model and torch.compile(grown, mode="reduce-overhead") is grown
    @torch.compile(fullgraph=True)
    def doubled(x):
        return 2 * x
    @torch.jit.script
    def halved(x):
        return x / 2
    assert doubled(3) == 6 and halved(6) == 3
assert [str(w.message).partition(":")[0] for w in noted] == ["torch.compile", "torch.jit.script"]
assert all(w.filename == "<string>" for w in noted)

@torch.compiler.disable
def one(): return 1
@torch.compiler.disable(recursive=False)
def two(): return 2
@torch.jit.ignore
def three(): return 3
assert (one(), two(), three()) == (1, 2, 3) and not torch.compiler.is_compiling()

with torch.autocast("cpu", enabled=False), torch.amp.autocast("cuda", enabled=False):
    assert not torch.is_autocast_enabled()
with warnings.catch_warnings(record=True) as noted, torch.autocast("cuda", dtype=torch.float16):
    assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype is torch.float32
assert "CUDA is not available" in str(noted[0].message)
with torch.autocast("cpu"):
    assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype is torch.bfloat16
scaler = torch.amp.GradScaler(enabled=False)
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
before = model.bias.detach().clone()
scaler.scale(model(torch.ones(1, 2)).sum()).backward()
scaler.unscale_(optimizer); scaler.step(optimizer); scaler.update()
assert (model.bias - (before - 1)).abs().max() < 1e-6 and scaler.state_dict() == {}
x = torch.autograd.Variable(torch.ones(2), requires_grad=True)
assert isinstance(x, torch.autograd.Variable) and isinstance(torch.ones(1), torch.autograd.Variable)
x.sum().backward()
assert x.grad.tolist() == [1.0, 1.0]
@torch.backends.cudnn.flags(enabled=True, benchmark=False)
def four(): return 4
assert four() == 4 and four() == 4
for save in torch.save, torch.serialization.save:
    file = io.BytesIO()
    with warnings.catch_warnings(record=True) as noted:
        save({"x": x}, file, pickle, _use_new_zipfile_serialization=False)
    assert "today's format" in str(noted[0].message)
    file.seek(0)
    assert torch.load(file, encoding="latin1")["x"].tolist() == [1.0, 1.0]
print("accepted")
"""


def test_what_programs_say_to_pytorchs_runtime_is_accepted(tmp_path: Path) -> None:
    done = python("-m", "aten.torch", "--replace", "-c", ACCEPTED, cwd=tmp_path)
    if "not torch.cuda.is_available()" in done.stderr:
        pytest.skip("there is a CUDA device")
    assert (done.stdout, done.stderr) == ("accepted\n", "")
