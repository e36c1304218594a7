"""Regions of autocast: their state, nesting, cache and errors, as PyTorch's."""

from __future__ import annotations

import gc
import threading
import warnings
import weakref
from typing import Any

import aten
import pytest

F = aten.nn.functional
bf16, f16, f32 = aten.bfloat16, aten.float16, aten.float32


def product(a: Any, b: Any = None) -> Any:
    return (a @ (a if b is None else b)).dtype


@pytest.fixture
def x() -> Any:
    return aten.ones(3, 3)


def test_a_region_ends_where_it_ends(x: Any) -> None:
    assert product(x) is f32 and not aten.is_autocast_enabled("cpu")
    with aten.autocast("cpu"):
        assert product(x) is bf16 and aten.is_autocast_enabled("cpu")
        assert (x + x).dtype is f32 and (x.bfloat16() + x.bfloat16()).dtype is bf16
    assert product(x) is f32 and not aten.is_autocast_enabled("cpu")
    with pytest.raises(ZeroDivisionError), aten.autocast("cpu"):
        raise ZeroDivisionError
    assert product(x) is f32


def test_regions_nest(x: Any) -> None:
    with aten.autocast("cpu"):
        with aten.autocast("cpu", f16):
            assert product(x) is f16 and aten.get_autocast_dtype("cpu") is f16
            with aten.autocast("cpu", enabled=False):
                assert product(x) is f32 and not aten.is_autocast_enabled("cpu")
                assert product(x.bfloat16()) is bf16
            assert product(x) is f16
        assert product(x) is bf16
    assert aten.get_autocast_dtype("cpu") is bf16


def test_one_region_is_entered_again_within_itself(x: Any) -> None:
    region = aten.autocast("cpu", f16)
    with region, aten.autocast("cpu", enabled=False), region:
        assert product(x) is f16
    assert product(x) is f32 and aten.get_autocast_dtype("cpu") is bf16


def test_decorators(x: Any) -> None:
    @aten.autocast("cpu")
    def halved(a: Any, *, again: bool = False) -> Any:
        """A docstring."""
        return halved(a) if again else a @ a

    assert halved(x, again=True).dtype is bf16 and halved.__name__ == "halved" and halved.__doc__
    assert product(x) is f32


def test_what_is_not_cast(x: Any) -> None:
    with aten.autocast("cpu"):
        assert product(x.double()) is aten.float64
        assert product(x.long()) is aten.int64
        assert product(aten.empty(2, 2, device="meta")) is f32
        assert aten.mm(x, x, out=aten.empty(3, 3)).dtype is f32
        y = x.clone()
        assert y.addmm_(x, x).dtype is f32 and y[0, 0] == 4
        with pytest.raises(RuntimeError):
            x.clone().addmm_(x.bfloat16(), x.bfloat16())
        with pytest.raises(RuntimeError):
            aten.mm(x, x, out=aten.empty(3, 3, dtype=bf16))


def test_another_devices_region_changes_nothing(x: Any) -> None:
    aten.set_autocast_enabled("cuda", True)
    try:
        assert product(x) is f32
        small = x.bfloat16()
        for function in (aten.exp, aten.sum, aten.norm, lambda a: F.softmax(a, 0), lambda a: a.pow(2)):
            assert function(small).dtype is bf16
        assert F.binary_cross_entropy(x, x) == 0
        with aten.autocast("cpu"):
            assert product(x) is bf16 and F.mse_loss(small, small).dtype is f32
    finally:
        aten.set_autocast_enabled("cuda", False)


def test_the_state_is_the_threads(x: Any) -> None:
    found = []
    with aten.autocast("cpu"):
        thread = threading.Thread(target=lambda: found.append(product(x)))
        thread.start()
        thread.join()
    assert found == [f32]


def cast_node(y: Any) -> Any:
    """The node of the cast of the right factor."""
    return y.grad_fn.next_functions[1][0]


def test_casts_of_parameters_are_kept_until_the_outermost_region_ends(x: Any) -> None:
    w = aten.ones(3, 3, requires_grad=True)
    with aten.autocast("cpu"):
        first = cast_node(x @ w)
        with aten.autocast("cpu"):
            assert cast_node(x @ w) is first
        assert cast_node(x @ w) is first
        aten.clear_autocast_cache()
        assert cast_node(x @ w) is not first
    with aten.autocast("cpu"):
        assert cast_node(x @ w) is not first


def test_what_is_not_kept(x: Any) -> None:
    w = aten.ones(3, 3, requires_grad=True)
    with aten.autocast("cpu", cache_enabled=False):
        assert not aten.is_autocast_cache_enabled()
        assert cast_node(x @ w) is not cast_node(x @ w)
    assert aten.is_autocast_cache_enabled()
    with aten.autocast("cpu"):
        product_of_it, view = w * 1, w.detach().requires_grad_()[:]
        for other in (product_of_it, view):
            assert cast_node(x @ other) is not cast_node(x @ other)


def test_a_cast_without_a_gradient_does_not_serve_where_one_is_needed(x: Any) -> None:
    w = aten.ones(3, 3, requires_grad=True)
    with aten.autocast("cpu"):
        with aten.no_grad():
            assert not (x @ w).requires_grad
        y = x @ w
        with aten.autocast("cpu", f16):
            assert (x @ w).dtype is f16
        assert (x @ w).dtype is bf16
    y.sum().backward()
    assert w.grad.dtype is f32 and w.grad.tolist() == [[3.0] * 3] * 3


def test_the_cache_keeps_no_parameter_alive(x: Any) -> None:
    with aten.autocast("cpu"):
        w = aten.nn.Parameter(aten.ones(3, 3))
        gone = weakref.ref(w)
        for _ in range(3):  # others may be made at the same place
            x @ aten.nn.Parameter(aten.zeros(3, 3))
        (x @ w).detach()
        with aten.no_grad():
            x @ w
        del w
        gc.collect()
        assert (x @ aten.nn.Parameter(x * 2)).tolist() == [[6.0] * 3] * 3
    assert gone() is None


def test_gradients_are_those_of_casts_by_hand(x: Any) -> None:
    weights = [aten.arange(9.0).view(3, 3).div(7).requires_grad_() for _ in range(2)]
    with aten.autocast("cpu"):
        F.mse_loss(F.linear(x, weights[0]), x).backward()
    F.mse_loss(F.linear(x.bfloat16(), weights[1].bfloat16()).float(), x).backward()
    assert weights[0].grad.tolist() == weights[1].grad.tolist()


class _Noted(aten.autograd.Function):
    seen: list[Any] = []

    @staticmethod
    @aten.amp.custom_fwd(device_type="cpu")
    def forward(ctx: Any, a: Any) -> Any:
        _Noted.seen.append((a.dtype, product(a), aten.is_autocast_enabled("cpu")))
        return a * 2

    @staticmethod
    @aten.amp.custom_bwd(device_type="cpu")
    def backward(ctx: Any, grad: Any) -> Any:
        _Noted.seen.append((product(aten.ones(2, 2)), aten.is_autocast_enabled("cpu")))
        return grad * 2


class _Cast(_Noted):
    @staticmethod
    @aten.amp.custom_fwd(device_type="cpu", cast_inputs=f16)
    def forward(ctx: Any, a: Any, b: Any = None) -> Any:
        _Noted.seen.append((a.dtype, product(a), aten.is_autocast_enabled("cpu")))
        return a * 2


def test_functions_keep_the_state_of_their_forward() -> None:
    x = aten.ones(2, 2, requires_grad=True)
    _Noted.seen.clear()
    with aten.autocast("cpu"):
        y = _Noted.apply(x)
    y.sum().backward()
    assert _Noted.seen == [(f32, bf16, True), (bf16, True)]
    _Noted.seen.clear()
    with aten.autocast("cpu"):
        y = _Cast.apply(x)
    y.sum().backward()
    assert _Noted.seen == [(f16, f16, False), (f32, False)]
    _Noted.seen.clear()
    _Cast.apply(x).sum().backward()
    assert _Noted.seen == [(f32, f32, False), (f32, False)]


def test_inputs_of_functions_are_cast_inside_of_containers() -> None:
    @aten.amp.custom_fwd(device_type="cpu", cast_inputs=bf16)
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        return args, kwargs

    x = aten.ones(2)

    class Context:
        pass

    with aten.autocast("cpu"):
        (items, text), named = forward(Context(), [x, (x.double(), {"k": x}), aten.ones(2).long()], "x", n=x)
    assert items[0].dtype is bf16 and items[1][0].dtype is aten.float64 and items[1][1]["k"].dtype is bf16
    assert items[2].dtype is aten.int64 and text == "x" and named["n"].dtype is bf16


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: aten.autocast(0), ValueError, "Expected `device_type` of type `str`"),
        (lambda: aten.autocast(aten.device("cpu")), ValueError, "Expected `device_type` of type `str`"),
        (lambda: aten.autocast("meta"), RuntimeError, "meta"),
        (lambda: aten.autocast("gpu"), RuntimeError, "gpu"),
        (lambda: aten.autocast("cpu")(3), TypeError, "requires a callable, but got int"),
        (lambda: aten.amp.custom_fwd(device_type=0), ValueError, "Expected `device_type`"),
        (lambda: aten.is_autocast_enabled(3), TypeError, "must be str, not int"),
        (lambda: aten.set_autocast_enabled("cpu", 3), TypeError, "must be bool, not int"),
        (lambda: aten.set_autocast_dtype("cpu", 3), TypeError, "must be .*dtype, not int"),
        (lambda: aten.set_autocast_cache_enabled(3), TypeError, "bool"),
        (lambda: aten.get_autocast_dtype("meta"), RuntimeError, "meta"),
    ],
)
def test_errors(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_promotion_of_another_dtype_is_an_error(x: Any) -> None:
    with aten.autocast("cpu"), pytest.raises(RuntimeError, match="Unexpected floating ScalarType"):
        aten.cat([x.half(), x.half()])


def test_dtypes_that_are_not_lower_disable_it_with_a_warning(x: Any) -> None:
    with pytest.warns(UserWarning, match="not supported"), aten.autocast("cpu", f32):
        assert product(x) is f32 and not aten.is_autocast_enabled("cpu")


def test_former_names(x: Any) -> None:
    with pytest.warns(FutureWarning, match=r"aten\.amp\.autocast\('cpu', args"), aten.cpu.amp.autocast():
        assert product(x) is bf16
    with pytest.warns(FutureWarning, match=r"aten\.amp\.GradScaler\('cpu', args"):
        assert aten.cpu.amp.GradScaler().is_enabled()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with aten.cuda.amp.autocast(enabled=False):
            assert product(x) is f32
        assert issubclass(aten.cuda.amp.autocast, aten.amp.autocast)
        assert not aten.cuda.amp.GradScaler(enabled=False).is_enabled()
        assert callable(aten.cuda.amp.custom_fwd(lambda ctx: 0)) and callable(aten.cuda.amp.custom_bwd())
    with pytest.warns(DeprecationWarning, match=r"aten\.set_autocast_enabled\('cpu'\)"):
        aten.set_autocast_cpu_enabled(True)
    with pytest.warns(DeprecationWarning):
        assert aten.is_autocast_cpu_enabled()
    aten.set_autocast_enabled("cpu", False)


def test_without_a_cuda_device_its_regions_are_disabled() -> None:
    if aten.cuda.is_available():
        pytest.skip("needs a machine without CUDA")
    with pytest.warns(UserWarning, match="CUDA is not available"), aten.autocast("cuda"):
        assert not aten.is_autocast_enabled("cuda")
    with pytest.warns(UserWarning, match="CUDA is not available"):
        assert not aten.amp.GradScaler().is_enabled()


def test_programs_that_import_torch_have_it() -> None:
    from aten.torch._finder import module

    assert module("amp") is aten.amp and module("cuda.amp").autocast is aten.cuda.amp.autocast
    view = module("")
    assert view.autocast is aten.autocast and view.GradScaler is aten.GradScaler
    assert view.is_autocast_enabled is aten.is_autocast_enabled
