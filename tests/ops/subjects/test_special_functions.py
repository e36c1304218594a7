"""Special functions in float64 against values of 50 digits, at the ends of their approximations, and at
limits.
"""

from __future__ import annotations

import math

import aten
import pytest

# Computed with mpmath.
ONE: dict[str, dict[float, float]] = {
    "i0": {
        0.5: 1.0634833707413235,
        3.0: 4.8807925858650241,
        8.0: 427.56411572180479,
        30.0: 7.8167229782397749e11,
        712.0: 2.4684110577627524e307,
    },
    "special_i0e": {
        -0.5: 0.64503527044915007,
        7.9: 0.14436986414104192,
        8.1: 0.14251180948829528,
        10000.0: 3.9894726746047321e-3,
    },
    "special_i1": {
        1e-09: 5.0000000000000003e-10,
        -0.5: -0.25789430539089632,
        8.0: 399.8731367825601,
        30.0: 7.68532038938957e11,
    },
    "special_i1e": {
        -0.5: -0.1564208031848717,
        7.9: 0.13489649943989377,
        8.1: 0.13340068832583663,
        10000.0: 3.9892731959836623e-3,
    },
    "special_modified_bessel_k0": {
        1e-09: 20.839197352604824,
        0.5: 0.92441907122766586,
        2.0: 0.11389387274953344,
        2.5: 0.062347553200366186,
        100.0: 4.656628229175902e-45,
    },
    "special_modified_bessel_k1": {
        1e-09: 9.9999999999999993e8,
        0.5: 1.6564411200033009,
        2.0: 0.13986588181652243,
        2.5: 0.073890816347747064,
        100.0: 4.6798537356369093e-45,
    },
    "special_scaled_modified_bessel_k0": {
        0.5: 1.5241093857739095,
        2.5: 0.75954869032809958,
        100000.0: 3.9633223434747559e-3,
    },
    "special_scaled_modified_bessel_k1": {
        0.5: 2.7310097082117857,
        2.5: 0.90017442390787809,
        100000.0: 3.9633421600369322e-3,
    },
    "special_bessel_j0": {
        0.5: 0.9384698072408129,
        -4.0: -0.39714980986384737,
        5.0: -0.1775967713143383,
        8.0: 0.17165080713755391,
        100.0: 0.019985850304223122,
        100000.0: -1.7192011162359722e-3,
    },
    "special_bessel_j1": {
        1e-09: 5.0000000000000003e-10,
        -4.0: 0.066043328023549136,
        5.0: -0.32757913759146522,
        8.0: 0.23463634685391462,
        100.0: -0.077145352014112158,
        100000.0: 1.8467575628825677e-3,
    },
    "special_bessel_y0": {
        1e-09: -13.266645074938387,
        0.5: -0.44451873350670656,
        5.0: -0.30851762524903378,
        8.0: 0.22352148938756622,
        100.0: -0.077244313365083152,
        100000.0: 1.8467661588650641e-3,
    },
    "special_bessel_y1": {
        1e-09: -6.3661977236758131e8,
        0.5: -1.4714723926702431,
        5.0: 0.14786314339122684,
        8.0: -0.15806046173124749,
        100.0: -0.020372312002759793,
        100000.0: 1.7192103500882563e-3,
    },
    "special_airy_ai": {
        -40.0: -0.04593392343795725,
        -5.5: 0.017781541276574976,
        -4.5: 0.29215278105595947,
        -1.0: 0.53556088329235212,
        0.0: 0.35502805388781724,
        0.5: 0.23169360648083349,
        2.0: 0.034924130423274379,
        2.5: 0.01572592338047049,
        20.0: 1.6916728686705403e-27,
    },
    "special_ndtri": {
        1e-300: -37.047096299361199,
        1e-20: -9.2623400897984076,
        0.02: -2.053748910631823,
        0.0243: -1.9720841590292885,
        0.4: -0.25334710313579974,
        0.9: 1.2815515655446006,
    },
}
TWO: dict[str, dict[tuple[float, float], float]] = {
    "igamma": {
        (1e-09, 0.5): 0.9999999994402264,
        (0.5, 0.01): 0.11246291601828489,
        (5.0, 3.0): 0.18473675547622793,
        (50.0, 70.0): 0.99485949754149411,
        (300.0, 310.0): 0.72248875417186111,
        (300.0, 100.0): 1.8187218167308479e-58,
        (100000.0, 99700.0): 0.17141731451450292,
    },
    "igammac": {
        (1e-09, 0.5): 5.5977359506954064e-10,
        (0.3, 0.9): 0.097747351970330455,
        (0.5, 9.0): 2.2090496998585441e-5,
        (5.0, 3.0): 0.81526324452377207,
        (50.0, 70.0): 5.1405024585058939e-3,
        (300.0, 310.0): 0.27751124582813889,
        (1000.0, 1500.0): 2.2046986113889961e-43,
        (50000.0, 53000.0): 7.5957191468718638e-40,
    },
    "special_zeta": {
        (1.01, 1.0): 100.57794333849678,
        (2.5, 0.3): 21.069239202247725,
        (17.3, 243.7): 7.8798858696542892e-41,
        (3.0, -2.5): 0.054102025820863702,
    },
}


def call(name: str, *args: float) -> float:
    operator = getattr(aten.ops.aten, name).default
    return operator(*(aten.tensor([a], dtype=aten.float64) for a in args)).item()


@pytest.mark.parametrize("name", ONE)
def test_values(name: str) -> None:
    for x, expected in ONE[name].items():
        assert call(name, x) == pytest.approx(expected, rel=2e-13, abs=1e-16), x


@pytest.mark.parametrize("name", TWO)
def test_values_of_two(name: str) -> None:
    for args, expected in TWO[name].items():
        assert call(name, *args) == pytest.approx(expected, rel=2e-13), args


INF, NAN = math.inf, math.nan
LIMITS: dict[str, dict[tuple[float, ...], float]] = {
    "i0": {(INF,): INF, (-INF,): INF, (NAN,): NAN},
    "lgamma": {(0.0,): INF, (INF,): INF, (-INF,): INF, (-3.0,): INF, (NAN,): NAN},
    "special_i1": {(INF,): INF, (-INF,): -INF},
    "special_i0e": {(INF,): 0.0},
    "special_bessel_j0": {(INF,): 0.0, (0.0,): 1.0},
    "special_bessel_y0": {(0.0,): -INF, (-1.0,): NAN, (INF,): 0.0},
    "special_bessel_y1": {(0.0,): -INF, (-1.0,): NAN},
    "special_modified_bessel_k0": {(0.0,): INF, (-1.0,): NAN, (INF,): 0.0},
    "special_scaled_modified_bessel_k1": {(0.0,): INF, (-1.0,): NAN, (INF,): 0.0},
    "special_spherical_bessel_j0": {(0.0,): 1.0, (INF,): 0.0},
    "special_airy_ai": {(INF,): 0.0, (-INF,): 0.0, (NAN,): NAN, (200.0,): 0.0},
    "special_ndtri": {(0.0,): -INF, (1.0,): INF, (-0.1,): NAN, (1.1,): NAN, (0.5,): 0.0},
    "igamma": {
        (0.0, 0.0): NAN,
        (0.0, 1.0): 1.0,
        (1.0, 0.0): 0.0,
        (1.0, INF): 1.0,
        (INF, 1.0): 0.0,
        (INF, INF): NAN,
        (-1.0, 1.0): NAN,
        (1e300, 1e300): 0.5,
        (1e10, 2e10): 1.0,
    },
    "igammac": {(0.0, 1.0): 0.0, (1.0, 0.0): 1.0, (INF, 1.0): 1.0, (1e10, 2e10): 0.0, (1.0, NAN): NAN},
    "special_zeta": {
        (1.0, 2.0): INF,
        (0.5, 2.0): NAN,
        (2.0, 0.0): INF,
        (2.5, -0.5): NAN,
        (INF, 1.0): 1.0,
        (1e300, 0.5): INF,
    },
    "special_chebyshev_polynomial_t": {(2.0, 1e18): INF, (1.0, 1e18): 1.0, (0.5, -1.0): 0.0, (0.5, NAN): NAN},
    "special_chebyshev_polynomial_u": {(1.0, 40.0): 41.0, (-1.0, 41.0): -42.0, (INF, 3.0): INF},
    "special_chebyshev_polynomial_v": {(-1.0, 40.0): 81.0, (1.0, 40.0): 1.0},
    "special_chebyshev_polynomial_w": {(1.0, 40.0): 81.0, (-1.0, 41.0): -1.0},
    "special_shifted_chebyshev_polynomial_t": {(0.0, 41.0): -1.0, (1.0, 41.0): 1.0},
    "special_hermite_polynomial_h": {(0.5, 1e18): NAN, (-INF, 3.0): -INF},
    "special_laguerre_polynomial_l": {(0.5, 1e18): NAN, (0.0, 1e18): 1.0, (INF, 3.0): -INF},
    "special_legendre_polynomial_p": {(0.5, 1e18): NAN, (-1.0, 3.0): -1.0, (3.0, 1e6): INF},
}


@pytest.mark.parametrize("name", LIMITS)
def test_limits(name: str) -> None:
    """Limits are taken, poles are infinite, and a degree that no computer reaches takes no time."""
    for args, expected in LIMITS[name].items():
        assert call(name, *args) == pytest.approx(expected, nan_ok=True), args


@pytest.mark.parametrize("dtype", [aten.float64, aten.float32, aten.float16, aten.bfloat16], ids=str)
def test_zeros_of_lgamma(dtype: aten.dtype) -> None:
    assert aten.lgamma(aten.tensor([1.0, 2.0] * 20, dtype=dtype)).tolist() == [0.0] * 40
    beside = aten.tensor([1.0, 2.0], dtype=dtype) + aten.finfo(dtype).eps * 2
    slope = aten.tensor([-0.57721566490153286, 0.42278433509846714], dtype=aten.float64)
    rise = slope * (beside.double() - aten.tensor([1.0, 2.0], dtype=aten.float64))
    assert aten.lgamma(beside).tolist() == pytest.approx(rise.tolist(), rel=4 * aten.finfo(dtype).eps)


@pytest.mark.parametrize("kind", ["t", "u", "v", "w"])
def test_chebyshev_polynomials_by_angles_and_by_recurrence(kind: str) -> None:
    """Degrees up to 32 are computed by the recurrence; it continues with those of the closed forms."""
    name = f"special_chebyshev_polynomial_{kind}"
    for x in (-3.0, -1.00001, -0.999, -0.3, 0.0, 0.7, 0.9999, 1.2):
        before, last, value = (call(name, x, n) for n in (31.0, 32.0, 33.0))
        assert value == pytest.approx(2 * x * last - before, rel=1e-11, abs=1e-11)


def test_all_of_torch_special_is_there() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch, the oracle, is not installed")
    wanted = {n for n in torch.special.__all__ if not n.startswith("_")}
    assert not wanted - set(dir(aten.special))
