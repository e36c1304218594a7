"""Samples of distributions on a CUDA device: a seed gives the CPU's, and so are their derivatives."""

from __future__ import annotations

import host
import pytest
from device_programs import check, needs_device

pytestmark = needs_device

# Calls on both devices. 700 elements take three blocks, the last in part.
PRELUDE = """
import math

import numpy as np

ops, inf, nan = aten.ops.aten, math.inf, math.nan
DTYPES = (aten.float64, aten.float32, aten.float16, aten.bfloat16)


def of(values, dtype=aten.float64, n=700):
    return aten.from_numpy(np.resize(np.array(values), n)).to(dtype)


def compare(call, *parameters, rtol=1e-12):
    expected, found = call(*parameters), call(*(p.to("cuda") for p in parameters))
    assert str(found.device) == "cuda:0"
    assert (found.dtype, found.shape, found.stride()) == (expected.dtype, expected.shape, expected.stride())
    values = [t.cpu().to(aten.float64).numpy() for t in (found, expected)]
    np.testing.assert_allclose(*values, rtol=rtol, atol=0)
    return values[1]


def drawn(name, *parameters, rtol=1e-12):
    generators = {d: aten.Generator(d).manual_seed(11) for d in ("cpu", "cuda")}

    def call(*given):
        return getattr(ops, name)(*given, generators[given[0].device.type])

    first = compare(call, *parameters, rtol=rtol)
    # Both generators have come equally far.
    second = compare(call, *parameters, rtol=rtol)
    return first, second
"""

# Each way to draw, and parameters that need no draw.
DRAWN = {
    "poisson": """
        rates = [0.0, 0.5, 9.99, 10.0, 120.0, 3e4, inf]
        for dtype in DTYPES:
            first, second = drawn("poisson", of(rates, dtype))
            assert (first != second).any() and (first[::7] == 0).all() and (first[6::7] == inf).all()
        drawn("poisson", of([1e5, 1e9, 1e15, 1e17]))
        drawn("poisson", of(rates, n=(35, 20)).t())
        drawn("poisson", of([3.0], n=()))
    """,
    "binomial": """
        counts = [0, 12, 100, 90, 7, 7, 5000, -2, nan, inf]
        chances = [0.5, 0.25, 0.4, 0.8, 0, 1, 1e-3, 0.5, 0.5, 0.5]
        for dtype in DTYPES:
            first, second = drawn("binomial", of(counts, dtype), of(chances, dtype))
            unequal = (first != second).reshape(-1, 10).any(0)
            assert unequal.tolist() == [False, True, True, True, False, False, True, False, True, False]
        drawn("binomial", of([1e6, 1e12]), of([0.3, 0.999]))
        # Parameters of other sizes, strides and dtypes.
        drawn("binomial", of(counts, aten.float32, (20, 1)), of(chances, aten.float64, (35,)))
        drawn("binomial", of(counts, aten.float16, (35, 20)).t(), of([0.3], aten.float32, ()))
        number, count = aten.tensor(0.25), of(counts, aten.float32)
        g, h = (aten.Generator(d).manual_seed(3) for d in ("cpu", "cuda"))
        got = ops.binomial(count.to("cuda"), number, h).cpu().numpy()
        np.testing.assert_array_equal(got, ops.binomial(count, number, g).numpy())
    """,
    "_standard_gamma": """
        shapes = [0.0, 1e-3, 0.3, 1.0, 2.5, 40.0, 3e4]
        for dtype in DTYPES:
            first, second = drawn("_standard_gamma", of(shapes, dtype), rtol=1e-11)
            assert (first > 0).all() and (first[2:] != second[2:]).any()
        assert np.isnan(drawn("_standard_gamma", of([nan, -1.0]))[0]).all()
        assert np.isinf(drawn("_standard_gamma", of([inf]))[0]).all()
        drawn("_standard_gamma", of(shapes, n=(35, 20)).t(), rtol=1e-11)
    """,
    "_sample_dirichlet": """
        for dtype, rtol in zip(DTYPES, (1e-10, 1e-6, 1e-3, 1e-2)):
            for concentrations in ([1e-3, 0.5, 2.0, 30.0, 4.0], [1e-3]):
                points = of(concentrations, dtype, (140, 5))
                first, second = drawn("_sample_dirichlet", points, rtol=rtol)
                assert ((first > 0) & (first < 1)).all() and (first != second).any()
                assert np.abs(first.sum(1) - 1).max() < 0.01
        drawn("_sample_dirichlet", of([0.5, 1.5], n=(9, 70)).t(), rtol=1e-10)
        drawn("_sample_dirichlet", of([0.5, 1.5], n=(3, 0)))
        assert np.isnan(drawn("_sample_dirichlet", of([nan, 1.0], n=(4, 2)))[0]).all()
        try:
            ops._sample_dirichlet(aten.tensor(1.0).to("cuda"))
        except RuntimeError as error:
            assert "expects concentrations along the last dimension" in str(error)
        else:
            raise AssertionError
    """,
}

SLOPES = {
    "_standard_gamma_grad": """
        shapes = np.array([0.05, 0.7, 1.0, 6.5, 80.0, 3000.0, 2e5])
        for factor in (0.0, 0.3, 0.9, 1.0, 1.4, 8.0):
            compare(ops._standard_gamma_grad, of(shapes), of(shapes * factor))
        for dtype in DTYPES[1:]:
            compare(ops._standard_gamma_grad, of(shapes[:6], dtype), of(shapes[:6], dtype) * 1.25, rtol=1e-3)
        transposed = of(shapes, aten.float32, (35, 20)).t()
        compare(ops._standard_gamma_grad, transposed, of([0.5, 2.0], n=(35,)), rtol=1e-6)
        compare(ops._standard_gamma_grad, of([0.0, -1.0, nan, 1.0, 2.0]), of([1.0, 1.0, 1.0, -1.0, nan]))
    """,
    "_dirichlet_grad": """
        alphas, totals = [0.3, 1.0, 2.5, 30.0, 400.0], [0.7, 2.0, 3.2, 80.0, 490.0]
        for x in (0.0, 1e-6, 0.2, 0.5, 0.8, 0.999999, 1.0):
            compare(ops._dirichlet_grad, of([x]), of(alphas), of(totals), rtol=1e-11)
        for dtype in DTYPES[1:]:
            given = (of(values, dtype) for values in ([0.25], alphas[:4], totals[:4]))
            compare(ops._dirichlet_grad, *given, rtol=1e-2)
        columns, rows = of([0.25, 0.5], aten.float32, (20, 1)), of([1.5, 2.0], n=(35,))
        compare(ops._dirichlet_grad, columns, rows, of([3.0], n=()), rtol=1e-6)
        compare(ops._dirichlet_grad, of([-0.5, 1.5, nan, 0.5]), of([1.0, 1.0, 1.0, 2.0]), of([2.0]))
    """,
}


def program(text: str) -> str:
    return PRELUDE + "\n".join(line.removeprefix("        ") for line in text.splitlines())


@pytest.mark.parametrize("name", DRAWN)
def test_a_seed_gives_the_samples_of_the_cpu(name: str) -> None:
    check(program(DRAWN[name]), initialised=True)


@pytest.mark.parametrize("name", SLOPES)
def test_slopes_are_those_of_the_cpu(name: str) -> None:
    check(program(SLOPES[name]), initialised=True)


def test_the_order_of_threads_does_not_matter() -> None:
    found = """
    x = aten.rand(3000, device="cuda", generator=aten.Generator("cuda").manual_seed(1)) * 20
    for name in ("poisson", "_standard_gamma", "_sample_dirichlet"):
        print(getattr(aten.ops.aten, name)(x, aten.Generator("cuda").manual_seed(2)).tolist())
    """
    assert len({check(found, order=order) for order in range(len(host.ORDERS))}) == 1


def test_out_and_gradients_of_samples() -> None:
    check(
        program(
            """
        shapes = of([0.3, 2.5], aten.float32)
        found = []
        for device in ("cpu", "cuda"):
            x = shapes.detach().to(device).requires_grad_()
            ops._standard_gamma(x, aten.Generator(device).manual_seed(5)).sum().backward()
            out = aten.empty(0, device=device)
            ops.poisson.out(x.detach(), aten.Generator(device).manual_seed(5), out=out)
            found.append((x.grad.cpu().numpy(), out.cpu().numpy()))
        np.testing.assert_allclose(found[1][0], found[0][0], rtol=1e-5)
        np.testing.assert_array_equal(found[1][1], found[0][1])
            """
        )
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("binomial(aten.ones(3, device='cuda'), aten.ones(3))", "to be on the same device"),
        ("binomial(aten.tensor(3.0), aten.ones(3, device='cuda'))", "to be on the same device"),
        ("poisson(aten.ones(3, dtype=aten.int64, device='cuda'))", "not implemented for dtype"),
        ("poisson(aten.ones(3, device='cuda'), aten.Generator())", "generator"),
    ],
)
def test_arguments_that_do_not_fit(call: str, message: str) -> None:
    check(
        f"""
        try:
            aten.ops.aten.{call}
        except (RuntimeError, NotImplementedError) as error:
            assert {message!r} in str(error), error
        else:
            raise AssertionError
        """
    )
