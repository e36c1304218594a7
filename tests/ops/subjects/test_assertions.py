"""The assertions of exported programs hold or throw their message."""

from __future__ import annotations

from typing import Any

import aten
import pytest


def test_metadata() -> None:
    t = aten.zeros(2, 3)

    def check(*args: Any, **kwargs: Any) -> None:
        aten.ops.aten._assert_tensor_metadata.default(*args, **kwargs)

    check(t)
    check(t, [2, 3], [3, 1], aten.float32, device="cpu", layout=aten.strided)
    for args, kwargs, message in (
        (([3, 2],), {}, "sizes mismatch"),
        ((None, [1, 2]), {}, "strides mismatch"),
        ((None, None, aten.float64), {}, "dtype mismatch"),
        ((), {"device": "meta"}, "device mismatch"),
    ):
        with pytest.raises(RuntimeError, match=message):
            check(t, *args, **kwargs)
    on_meta = t.to("meta")
    check(on_meta, device="cpu")
    with pytest.raises(RuntimeError, match="dtype mismatch"):
        check(on_meta, None, None, aten.float64)


@pytest.mark.parametrize("value", (1, 0.5, True))
def test_true(value: Any) -> None:
    t, token = aten.tensor(value), aten.zeros(2)
    aten.ops.aten._assert_async.default(t)
    aten.ops.aten._assert_async.msg(t, "never")
    aten.ops.aten._assert_scalar.default(value, "never")
    results = [
        aten.ops.aten._functional_assert_async.msg(t, "never", token),
        aten.ops.aten._functional_assert_scalar.default(value, "never", token),
    ]
    assert all(r.tolist() == [0, 0] and r.data_ptr() != token.data_ptr() for r in results)


@pytest.mark.parametrize("value", (0, 0.0, False))
def test_false(value: Any) -> None:
    t, token = aten.tensor(value), aten.zeros(2)
    for call in (
        lambda: aten.ops.aten._assert_async.msg(t, "told so"),
        lambda: aten.ops.aten._assert_scalar.default(value, "told so"),
        lambda: aten.ops.aten._functional_assert_async.msg(t, "told so", token),
        lambda: aten.ops.aten._functional_assert_scalar.default(value, "told so", token),
    ):
        with pytest.raises(RuntimeError, match="told so"):
            call()
    with pytest.raises(RuntimeError, match="nonzero"):
        aten.ops.aten._assert_async.default(t)
    aten.ops.aten._assert_async.default(t.to("meta"))
    aten.ops.aten._assert_async.msg(t.to("meta"), "not known")


def test_one_element_is_asked_for() -> None:
    for sizes in ((0,), (2,)):
        with pytest.raises(RuntimeError, match="ambiguous"):
            aten.ops.aten._assert_async.default(aten.ones(*sizes))
