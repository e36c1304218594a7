"""aten.ops, and operators and kernels registered from Python."""

from __future__ import annotations

import gc

import aten
import pytest
from aten.library import DispatchKeySet, Library, fallthrough_kernel


def test_ops() -> None:
    add = aten.ops.aten.add
    assert repr(add) == "<OpOverloadPacket(op='aten.add')>" and str(add) == "aten.add"
    assert (
        repr(add.Tensor) == "<OpOverload(op='aten.add', overload='Tensor')>"
        and str(add.Tensor) == "aten.add.Tensor"
    )
    assert {"Tensor", "Scalar", "out"} <= set(add.overloads()) <= set(dir(add))
    assert aten.ops.aten.relu.default is aten.ops.aten.relu.default
    assert str(aten.ops.aten.relu.default) == "aten.relu.default"
    assert add.Tensor.overloadpacket is add and add.Tensor.name() == "aten::add.Tensor"
    assert add.Tensor.namespace == "aten" and add.Tensor.__name__ == "add.Tensor"
    assert "add" in dir(aten.ops.aten) and "aten" in dir(aten.ops)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = aten.ops.aten.nothing
    with pytest.raises(AttributeError, match="no overload name 'nothing'"):
        _ = add.nothing


def test_schema() -> None:
    schema = aten.ops.aten.add.Tensor._schema
    assert str(schema) == "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
    assert (schema.name, schema.overload_name) == ("aten::add", "Tensor")
    assert [a.name for a in schema.arguments] == ["self", "other", "alpha"]
    assert schema.arguments[2].default_value == 1 and schema.arguments[2].kwarg_only
    out = aten.ops.aten.add.out._schema
    assert out.is_mutable and out.arguments[3].is_out and out.arguments[3].alias_info.is_write


def test_calls() -> None:
    x = aten.ones(2)
    assert aten.ops.aten.add.Tensor(x, x, alpha=2).tolist() == [3, 3]
    assert aten.ops.aten.add(x, 1).tolist() == [2, 2]
    assert aten.ops.aten.sum.dim_IntList(x, [0]).item() == 2
    assert aten.ops.aten.zeros.default([2], dtype=aten.int32).dtype is aten.int32
    values, _ = aten.ops.aten.topk.default(x, 1)
    assert values.item() == 1
    assert isinstance(aten.ops.aten.split.Tensor(x, 1), list)
    keys = DispatchKeySet("CPU")
    assert aten.ops.aten.add.Tensor.redispatch(keys, x, x).tolist() == [2, 2]


def test_define_and_impl() -> None:
    lib = Library("mine_py", "DEF")
    assert lib.define("scale(Tensor self, float by=2., *, str? mode=None) -> Tensor") == "scale"
    lib.impl("scale", lambda self, by, mode=None: self * by, "CompositeImplicitAutograd")
    assert aten.ops.mine_py.scale(aten.ones(2), 3.0).tolist() == [3, 3]
    assert aten.ops.mine_py.scale.default._schema.arguments[1].default_value == 2.0
    lib.define("pair(Tensor a, int[] sizes) -> (Tensor, int)")
    lib.impl("pair", lambda a, sizes: (a, sum(sizes)), "CPU")
    assert aten.ops.mine_py.pair(aten.ones(1), [1, 2])[1] == 3
    with pytest.raises(NotImplementedError):
        aten.ops.mine_py.pair(aten.ones(1, device="meta"), [1])
    lib._destroy()
    with pytest.raises((RuntimeError, NotImplementedError)):
        aten.ops.mine_py.scale.default(aten.ones(2), 3.0)


def test_a_definition_may_change() -> None:
    for schema, args in (("again(Tensor x) -> Tensor", 1), ("again(Tensor x, Tensor y) -> Tensor", 2)):
        lib = Library("mine_again", "DEF")
        lib.define(schema)
        lib.impl("again", lambda *a: a[-1], "CPU")
        assert aten.ops.mine_again.again.default(*[aten.ones(1)] * args).item() == 1
        lib._destroy()


def test_kernels_for_other_keys() -> None:
    lib = Library("aten", "IMPL")
    seen = []

    def negated(keys, x):
        seen.append(keys)
        return x.sub(x).sub(x)

    lib.impl("neg", negated, "Meta", with_keyset=True, allow_override=True)
    assert aten.neg(aten.ones(2, device="meta")).shape == (2,)
    assert isinstance(seen[0], DispatchKeySet) and seen[0].has("Meta")
    lib._destroy()
    aten.neg(aten.ones(2, device="meta"))
    assert len(seen) == 1


def test_overriding_a_kernel_is_undone_with_the_library() -> None:
    x = aten.ones(2)
    lib = Library("aten", "IMPL")
    lib.impl("neg", lambda x: x + 41, "CPU", allow_override=True)
    assert aten.neg(x).tolist() == [42, 42]
    del lib
    gc.collect()
    assert aten.neg(x).tolist() == [-1, -1]


def test_errors_of_kernels_keep_their_class() -> None:
    lib = Library("mine_errors", "DEF")
    lib.define("fail(Tensor x) -> Tensor")

    def fail(x):
        raise LookupError("nothing there")

    lib.impl("fail", fail, "CPU")
    with pytest.raises(LookupError, match="nothing there"):
        aten.ops.mine_errors.fail(aten.ones(1))
    lib.impl("fail", lambda x: 1, "CPU", allow_override=True)
    with pytest.raises(TypeError, match="expected Tensor"):
        aten.ops.mine_errors.fail(aten.ones(1))


@pytest.mark.parametrize(
    "act",
    [
        lambda: Library("x_y", "OTHER"),
        lambda: Library("_", "DEF"),
        lambda: Library("mine_bad", "IMPL").define("f(Tensor x) -> Tensor"),
        lambda: Library("mine_bad", "FRAGMENT").define("f(Tensor x -> Tensor"),
        lambda: Library("mine_bad", "FRAGMENT").define("f(Tennsor x) -> Tensor"),
        lambda: Library("aten", "IMPL").impl("neg", 3, "CPU"),
        lambda: Library("aten", "IMPL").impl("neg", lambda x: x, "NoSuchKey"),
        lambda: Library("aten", "IMPL").impl("other::neg", lambda x: x, "CPU"),
    ],
)
def test_mistakes(act) -> None:
    with pytest.raises((ValueError, RuntimeError, TypeError)):
        act()


def test_fallbacks() -> None:
    lib = Library("_", "IMPL", "PrivateUse2")
    lib.fallback(fallthrough_kernel)
    lib._destroy()


def test_kernels_for_a_device_that_is_not_here() -> None:
    """Such kernels are registered and found, and removed with their library."""
    lib = Library("aten", "IMPL")
    lib.impl("neg", lambda x: x, "PrivateUse1")
    with pytest.raises(NotImplementedError, match="PrivateUse1"):
        aten.exp(aten.empty(2, device="privateuseone"))
    with pytest.raises(RuntimeError):
        lib.impl("neg", lambda x: x, "PrivateUse1")
    lib._destroy()
    Library("aten", "IMPL").impl("neg", lambda x: x, "PrivateUse1")


def test_tags() -> None:
    add = aten.ops.aten.add.Tensor
    assert aten.Tag.pointwise in add.tags and aten.Tag.core in add.tags and aten.Tag.view_copy not in add.tags
    assert aten.Tag.out in aten.ops.aten.add.out.tags and aten.Tag.inplace in aten.ops.aten.add_.Tensor.tags
    assert str(aten.Tag.core) == "Tag.core" and repr(aten.Tag.core) == "<Tag.core: 0>"
    with pytest.raises(AttributeError, match=r"no Tag\.nothing; there are .*pointwise"):
        _ = aten.Tag.nothing
    library = Library("tagged", "DEF")
    library.define("f(Tensor x) -> Tensor", tags=(aten.Tag.pointwise, aten.Tag.nondeterministic_seeded))
    found = aten.ops.tagged.f.default.tags
    assert [tag.name for tag in found] == ["pointwise", "nondeterministic_seeded"]
    library._destroy()
