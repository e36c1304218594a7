"""Module, parameters and containers: programs that must print the same with PyTorch; and without PyTorch,
what a module keeps and how it is called."""

from __future__ import annotations

import gc
import inspect
import re
import subprocess
import sys
import weakref

import aten
import call_programs
import container_programs
import module_programs
import pytest
from aten import nn

PROGRAMS = [
    f
    for module in (module_programs, container_programs, call_programs)
    for name, f in vars(module).items()
    if inspect.isfunction(f) and list(inspect.signature(f).parameters) == ["T", "say"]
]


def printed(program, package) -> str:
    """What the program prints, without the packages' names."""
    lines: list[str] = []
    program(package, lambda *values: lines.append(" ".join(map(str, values))))
    text = re.sub(r"\b(torch|aten)[. ]", "", "\n".join(lines)).replace("ParametersDict", "ParameterDict")
    text = re.sub(r"grad_fn=<\w+>", "grad_fn", text)
    return re.sub(r"<class '[\w.]*\.(\w+)'>", r"<class \1>", text)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_prints_what_pytorch_prints(program):
    torch = pytest.importorskip("torch")
    assert printed(program, aten) == printed(program, torch)


def test_calls_forward_and_frees_the_module():
    layer = module_programs.layer(aten)
    layer.register_load_state_dict_pre_hook(lambda *args: None)
    assert layer(aten.ones(1, 3), scale=2.0).tolist() == [[3.0, 13.0]]
    reference = weakref.ref(layer)
    gc.disable()
    try:
        del layer
        assert reference() is None  # nothing refers to it in a cycle
    finally:
        gc.enable()


def test_a_module_without_init_says_so():
    class Unready(nn.Module):
        def __init__(self):
            pass

    with pytest.raises(AttributeError, match="__init__"):
        Unready()(1)


def test_moving_to_another_device_makes_new_parameters():
    layer = module_programs.layer(aten)
    weight = layer.weight
    layer.weight.grad = aten.ones(2, 3)
    assert layer.double().weight is weight
    layer.to("meta")
    assert layer.weight is not weight
    assert layer.weight.grad.is_meta
    with pytest.raises(NotImplementedError, match="to_empty"):
        layer.to("cpu")
    for wrong in ({"wrong": 3}, {"device": "nowhere"}):
        with pytest.raises((TypeError, RuntimeError)):
            layer.to(**wrong)


def test_is_imported_when_it_is_used():
    code = (
        "import sys, aten; from aten import nn; assert 'aten.nn.modules' not in sys.modules\n"
        "assert nn.Module is aten.nn.modules.module.Module and 'Module' in dir(nn)\n"
        "from aten.nn import Parameter, Sequential; import aten.nn.functional as F; F.relu\n"
        "try: nn.nothing\nexcept AttributeError as error: assert 'nothing' in str(error)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
