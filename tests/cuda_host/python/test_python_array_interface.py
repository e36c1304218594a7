"""__cuda_array_interface__ both ways."""

from __future__ import annotations

from device_programs import check, needs_device

pytestmark = needs_device

# An object of another library: it has the interface alone.
ARRAY = """
class Array:
    def __init__(self, tensor, **changes):
        self.tensor = tensor
        self.__cuda_array_interface__ = {**tensor.__cuda_array_interface__, **changes}

def refused(f, kind, text):
    try:
        f()
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)
"""


def checked(program: str, **options: object) -> None:
    import textwrap

    check(ARRAY + textwrap.dedent(program), **options)


def test_a_tensor_shows_its_memory():
    checked(
        """
        x = aten.zeros((2, 3), device="cuda")
        shown = x.__cuda_array_interface__
        assert shown == {"shape": (2, 3), "strides": None, "typestr": "<f4", "data": (x.data_ptr(), False),
                         "stream": 1, "version": 3}
        assert x.t().__cuda_array_interface__["strides"] == (4, 12)
        side = aten.cuda.Stream()
        with aten.cuda.stream(side):
            assert x.__cuda_array_interface__["stream"] == side.cuda_stream
        names = {aten.int64: "<i8", aten.bool: "|b1", aten.float16: "<f2", aten.cfloat: "<c8"}
        for dtype, name in names.items():
            assert aten.empty(1, dtype=dtype, device="cuda").__cuda_array_interface__["typestr"] == name
        assert aten.empty(0, device="cuda").__cuda_array_interface__["data"] == (0, False)
        assert not hasattr(aten.zeros(1), "__cuda_array_interface__")
        leaf = aten.zeros(1, device="cuda", requires_grad=True)
        refused(lambda: leaf.__cuda_array_interface__, RuntimeError, "detach")
        refused(lambda: aten.zeros(1, device="cuda", dtype=aten.bfloat16).__cuda_array_interface__, TypeError,
                "bfloat16")
        """
    )


def test_an_array_is_taken_without_a_copy_and_kept():
    checked(
        """
        import weakref
        x = aten.arange(6, dtype=aten.float32, device="cuda:1").reshape(2, 3)
        array = Array(x.t())
        y = aten.as_tensor(array)
        assert y.data_ptr() == x.data_ptr() and y.device == x.device and y.tolist() == x.t().tolist()
        seen = weakref.ref(array)
        del array
        assert seen() is not None
        del y
        assert seen() is None
        copied = aten.tensor(Array(x))
        assert copied.data_ptr() != x.data_ptr() and copied.tolist() == x.tolist()
        assert aten.asarray(Array(x), copy=False).data_ptr() == x.data_ptr()
        empty = aten.as_tensor(Array(x[:0]))
        assert empty.shape == (0, 3) and empty.is_cuda
        """,
        devices=2,
    )


def test_the_current_stream_waits_for_the_producers():
    checked(
        """
        side = aten.cuda.Stream()
        x = aten.zeros(4, device="cuda")
        aten.cuda.synchronize()
        with aten.cuda.stream(side):
            x.fill_(1)
            array = Array(x)
        consumer = aten.cuda.Stream()
        with aten.cuda.stream(consumer):
            assert aten.as_tensor(array).tolist() == [1.0] * 4
        x.fill_(2)
        with aten.cuda.stream(consumer):
            assert aten.as_tensor(Array(x, stream=1)).tolist() == [2.0] * 4
        """,
        lazy=True,
    )


def test_what_cannot_be_taken_is_refused():
    checked(
        """
        x = aten.zeros(4, device="cuda")
        refused(lambda: aten.as_tensor(Array(x, mask=x)), NotImplementedError, "mask")
        refused(lambda: aten.as_tensor(Array(x, stream=0)), ValueError, "stream")
        refused(lambda: aten.as_tensor(Array(x, typestr=">f4")), ValueError, "byte order")
        refused(lambda: aten.as_tensor(Array(x, strides=(-4,))), ValueError, "negative")
        refused(lambda: aten.as_tensor(Array(x, typestr="<V2")), TypeError, "<V2")
        refused(lambda: aten.as_tensor(Array(x, data=(x.data_ptr() + 2, False))), ValueError, "aligned")
        host = aten.zeros(4)
        refused(lambda: aten.as_tensor(Array(x, data=(host.data_ptr(), False))), RuntimeError, "CUDA device")
        read_only = aten.as_tensor(Array(x, data=(x.data_ptr(), True)))
        refused(lambda: read_only.fill_(1), ValueError, "read-only")
        """
    )
