"""Every layer beside PyTorch's, on the samples of PyTorch's own tests: outputs, gradients,
states and texts."""

from __future__ import annotations

import contextlib
import inspect
import pickle
import re
import warnings

import aten
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("expecttest")

from layer_oracle import assert_same, backward, mapped, ours, tensors  # noqa: E402

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from torch.testing._internal.common_modules import ModuleErrorEnum, module_db

# Layers that aren't there, and why.
ABSENT = {
    "CrossMapLRN2d": "a layer without an operator, kept for old models",
    "SyncBatchNorm": "there are no collective operations between processes",
}
# Layers whose results are random in training: only shapes are compared.
RANDOM = {"Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout", "RReLU"}

# Layers whose functionals refuse less than PyTorch's.
ACCEPTING = {
    "NLLLoss": "a weight of another dtype is taken if there are no elements",
}
# PyTorch's signatures of these are (*args, **kwargs); ours say the arguments.
BETTER = {"GRU", "LSTM", "RNN"}

INFOS = {
    info.module_cls.__name__: info for info in module_db if info.module_cls.__module__.startswith("torch.nn.")
}


def samples(info, training):
    torch.manual_seed(1)
    return info.module_inputs_func(
        info, device="cpu", dtype=torch.float64, requires_grad=True, training=training
    )


def made(name, sample, training):
    """The layer of PyTorch and ours, with the same parameters."""
    args, kwargs = sample.constructor_input.args, dict(sample.constructor_input.kwargs)
    kwargs.pop("device", None)
    theirs = getattr(torch.nn, name)(*args, **kwargs)
    mine = getattr(aten.nn, name)(*ours(args), **ours(kwargs))
    return mine.double().train(training), theirs.double().train(training)


@contextlib.contextmanager
def quietly():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def text(module) -> str:
    return re.sub(r"\b(torch|aten)\.", "", repr(module))


@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
@pytest.mark.parametrize("name", [n for n in INFOS if n not in ABSENT])
def test_computes_what_pytorch_computes(name, training):
    for sample in samples(INFOS[name], training):
        with quietly():
            mine, theirs = made(name, sample, training)
            assert text(mine) == text(theirs)
            given = (sample.forward_input.args, sample.forward_input.kwargs)
            args, kwargs = mapped(lambda t: t.detach().requires_grad_(t.requires_grad), given)
            my_args, my_kwargs = ours(args), ours(kwargs)
            if name.startswith("Lazy"):
                theirs(*args, **kwargs)
            mine.load_state_dict(ours(dict(theirs.state_dict())))
            assert list(mine.state_dict()) == list(theirs.state_dict())
            mine = pickle.loads(pickle.dumps(mine))
            random = training and name in RANDOM
            expected, got = theirs(*args, **kwargs), mine(*my_args, **my_kwargs)
            assert type(mine).__name__ == type(theirs).__name__
            if random:
                assert [tuple(t.shape) for t in tensors(got)] == [tuple(t.shape) for t in tensors(expected)]
                continue
            assert_same(got, expected, f"results of {sample.desc}")
            backward(expected)
            backward(got)
            for mine_, theirs_ in ((my_args, args), (my_kwargs, kwargs)):
                assert_same([t.grad for t in tensors(mine_)], [t.grad for t in tensors(theirs_)], "inputs")
            assert_same(
                {k: p.grad for k, p in mine.named_parameters() if p.grad is not None},
                {k: p.grad for k, p in theirs.named_parameters() if p.grad is not None},
                "parameters",
            )
            assert_same(mine.state_dict(), theirs.state_dict(), "state")


@pytest.mark.parametrize(
    "name", [n for n, i in INFOS.items() if n not in {*ABSENT, *ACCEPTING} and i.module_error_inputs_func]
)
def test_refuses_what_pytorch_refuses(name):
    info = INFOS[name]
    for error in info.module_error_inputs_func(
        info, device="cpu", dtype=torch.float64, requires_grad=True, training=True
    ):
        sample = error.module_error_input
        with quietly():
            if error.error_on == ModuleErrorEnum.CONSTRUCTION_ERROR:
                given = sample.constructor_input
                kwargs = {k: v for k, v in given.kwargs.items() if k != "device"}
                with pytest.raises(error.error_type, match=error.error_regex):
                    getattr(aten.nn, name)(*ours(given.args), **ours(kwargs))
            else:
                mine, _ = made(name, sample, True)
                with pytest.raises(error.error_type):
                    mine(*ours(sample.forward_input.args), **ours(sample.forward_input.kwargs))


def signature_of(function) -> str:
    parameters = inspect.signature(function).parameters.values()
    return str([(p.name, getattr(p.default, "__name__", p.default), str(p.kind)) for p in parameters])


@pytest.mark.parametrize("name", [n for n in dir(aten.nn) if n[0].isupper()])
def test_has_pytorchs_signatures(name):
    mine, theirs = getattr(aten.nn, name), getattr(torch.nn, name)
    if name not in BETTER:
        assert signature_of(mine) == signature_of(theirs)
    if getattr(theirs, "forward", torch.nn.Module.forward) is not torch.nn.Module.forward:
        assert signature_of(mine.forward) == signature_of(theirs.forward)


def test_has_every_layer_of_pytorchs_samples():
    assert {n for n in INFOS if not hasattr(aten.nn, n)} <= set(ABSENT)
