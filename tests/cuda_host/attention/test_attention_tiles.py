"""Attention of 16-bit floats by tensor cores, against NumPy in float64."""

from __future__ import annotations

import host
import pytest

pytestmark = pytest.mark.skipif(not host.is_built(), reason="build/cuda_host is not built")

PROGRAM = """
import hashlib

import aten
import numpy as np

ops, random, digest = aten.ops.aten, np.random.default_rng(0), hashlib.sha256()
dtype = aten.{dtype}
unit = {unit}  # the rounding of the dtype


def wide(t):
    return t.detach().to(aten.float32).cpu().numpy().astype(np.float64)


def tensor(*sizes):
    return aten.from_numpy(random.standard_normal(sizes).astype(np.float32)).to("cuda").to(dtype)


def by_rows(*sizes):
    return tensor(sizes[0], sizes[2], sizes[1], sizes[3]).transpose(1, 2)


def odd_rows(*sizes):
    return tensor(*sizes[:3], sizes[3] + 3)[..., 1 : 1 + sizes[3]]


def expected(query, key, value, grad, mask, causal, scale):
    group = query.shape[1] // key.shape[1]
    keys, values = key.repeat(group, 1), value.repeat(group, 1)
    scores = np.einsum("bhie,bhje->bhij", query, keys) * scale
    if mask is not None:
        scores = scores + mask
    if causal:
        scores = np.where(np.tri(*scores.shape[2:], dtype=bool), scores, -np.inf)
    highest = scores.max(-1, keepdims=True)
    p = np.exp(scores - np.where(np.isinf(highest), 0, highest))
    total = p.sum(-1, keepdims=True)
    p /= np.where(total == 0, 1, total)
    out = np.einsum("bhij,bhje->bhie", p, values)
    slopes = np.einsum("bhie,bhje->bhij", grad, values)
    slopes = p * (slopes - (grad * out).sum(-1, keepdims=True))
    shared = lambda x: x.reshape(*key.shape[:2], group, *key.shape[2:]).sum(2)
    return (
        out,
        np.einsum("bhij,bhje->bhie", slopes, keys) * scale,
        shared(np.einsum("bhij,bhie->bhje", slopes, query)) * scale,
        shared(np.einsum("bhij,bhie->bhje", p, grad)),
        slopes,
    )


def check(queries, keys, size, causal=False, mask=None, heads=2, key_heads=2, made=tensor, scale=None):
    inputs = [made(1, heads, queries, size), made(1, key_heads, keys, size), made(1, key_heads, keys, size)]
    inputs = [t.detach().requires_grad_(True) for t in inputs]
    if mask is not None:
        mask = mask.detach().requires_grad_(True)
    chosen = ops._fused_sdp_choice.default(*inputs, mask, 0.0, causal, enable_gqa=heads != key_heads)
    assert chosen == (1 if mask is None else 2), chosen
    out = ops.scaled_dot_product_attention(
        *inputs, mask, 0.0, causal, scale=scale, enable_gqa=heads != key_heads
    )
    grad = tensor(1, heads, queries, size)
    out.backward(grad)
    arrays = [wide(t) for t in inputs]
    by = size**-0.5 if scale is None else scale
    want = expected(*arrays, wide(grad), None if mask is None else wide(mask), causal, by)
    got = [out, *(t.grad for t in inputs)]
    if mask is not None:
        got.append(mask.grad)
    for name, a, b in zip(("out", "query", "key", "value", "mask"), got, want):
        digest.update(wide(a).tobytes())
        if name == "mask" and b.shape != a.shape:
            b = b.sum((0, 1)).reshape(a.shape)
        scale_of = max(1.0, np.abs(b).max())
        np.testing.assert_allclose(
            wide(a), b, rtol=0, atol=4 * unit * scale_of, err_msg=f"{{name}} {{(queries, keys, size)}}"
        )


{calls}
print(digest.hexdigest())
"""

DTYPES = {"float16": "2.0**-11", "bfloat16": "2.0**-8"}
CALLS = {
    "tile boundaries": "for n in (1, 15, 16, 17, 31, 33, 63, 64, 65): check(n, n, 16, heads=1, key_heads=1)",
    "long": "check(130, 129, 64, heads=1, key_heads=1)",
    "head sizes": "for e in (8, 20, 33, 48, 64, 80, 100, 128): check(20, 40, e, heads=1, key_heads=1)",
    "causal": "for l, s in ((1, 5), (17, 70), (70, 17), (65, 65)): check(l, s, 16, causal=True)",
    "causal, large heads": "check(40, 70, 96, causal=True, heads=1, key_heads=1)",
    "masks": """
mask = random.standard_normal((17, 40)).astype(np.float32)
mask[random.random(mask.shape) < 0.3] = -np.inf
mask[3] = mask[16] = -np.inf
check(17, 40, 16, mask=aten.from_numpy(mask).to("cuda").to(dtype))
check(17, 40, 16, mask=tensor(1, 2, 17, 40))
""",
    "groups": "check(33, 20, 16, heads=6, key_heads=2); check(20, 33, 24, True, heads=4, key_heads=1)",
    "layouts": "check(20, 40, 16, made=by_rows); check(20, 40, 24, made=odd_rows)",
    "scale": "check(20, 40, 16, scale=0.5)",
}


@pytest.mark.parametrize("calls", CALLS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_values_and_gradients(dtype: str, calls: str) -> None:
    """Without a report, and with equal bits in three orders of threads."""
    program = PROGRAM.format(dtype=dtype, unit=DTYPES[dtype], calls=CALLS[calls])
    digests = set()
    for order in range(len(host.ORDERS)):
        outcome = host.run(program, capability=80, order=order, initialised=True)
        assert outcome.returncode == 0, outcome.stderr
        assert host.unreviewed(outcome.reports) == []
        digests.add(outcome.stdout)
    assert len(digests) == 1


CHOICE = """
import aten

for dtype, size, masked, expected in {rows}:
    x = aten.zeros((1, 2, 24, size), dtype=dtype, device="cuda")
    mask = aten.zeros((24, 24), dtype=dtype, device="cuda") if masked else None
    chosen = aten.ops.aten._fused_sdp_choice.default(x, x, x, mask)
    assert chosen == expected, (dtype, size, masked, chosen)
"""
ALWAYS = """(aten.float32, 8, False, 2), (aten.float32, 8, True, 2), (aten.float64, 8, False, 0),
    (aten.float16, 8, False, 1), (aten.float16, 8, True, 2), (aten.float16, 136, False, 0)"""


@pytest.mark.parametrize(("capability", "plain", "masked"), [(75, 0, 0), (80, 1, 2), (90, 1, 2)])
def test_choice(capability: int, plain: int, masked: int) -> None:
    """BFloat16 has products on tensor cores since 8.0."""
    rows = f"({ALWAYS}, (aten.bfloat16, 8, False, {plain}), (aten.bfloat16, 8, True, {masked}))"
    outcome = host.run(CHOICE.format(rows=rows), capability=capability)
    assert outcome.returncode == 0, outcome.stderr


ENABLED = """
import aten
from aten.nn.attention import SDPBackend, sdpa_kernel

MATH, FLASH, EFFICIENT, CUDNN = (SDPBackend(number) for number in range(4))
x = aten.zeros((1, 2, 24, 8), dtype=aten.float16, device="cuda")
for enabled, in_order, expected in (
    ([MATH], False, MATH),
    ([EFFICIENT], False, EFFICIENT),
    ([EFFICIENT, FLASH, MATH], False, FLASH),
    ([EFFICIENT, FLASH, MATH], True, EFFICIENT),
    ([MATH, FLASH], True, MATH),
    ([CUDNN], True, SDPBackend.ERROR),
):
    with sdpa_kernel(enabled, set_priority=in_order):
        chosen = aten.ops.aten._fused_sdp_choice.default(x, x, x)
    assert chosen == expected, (enabled, in_order, chosen)
assert aten.ops.aten._fused_sdp_choice.default(x, x, x) == FLASH
"""


def test_choice_among_enabled_backends() -> None:
    outcome = host.run(ENABLED, capability=80)
    assert outcome.returncode == 0, outcome.stderr
