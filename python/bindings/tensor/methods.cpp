// Hand-written methods of Tensor: queries, and methods with argument forms that no schema has.
#include "errors.h"
#include "parser/overrides.h"
#include "parser/parser.h"
#include "tensor/tensor.h"
#include "values/results.h"
#include "values/values.h"

#include <ATen/ViewUtils.h>

#include <ATen/ops/_to_copy_ops.h>
#include <ATen/ops/contiguous_ops.h>
#include <ATen/ops/copy_ops.h>
#include <ATen/ops/item_ops.h>
#include <ATen/ops/nonzero_ops.h>
#include <ATen/ops/select_ops.h>
#include <ATen/ops/to_ops.h>
#include <ATen/ops/unsqueeze_ops.h>

#include <string>

namespace at::python {
namespace {

constexpr uint8_t optional_none = HasDefault | TakesNone;

// The tables of a method with one overload; METHOD(f, "f", "(...)", {parameters}) defines f_spec.
#define METHOD(id, name, text, positional, required, ...)                                          \
  constexpr Param id##_params[] = {__VA_ARGS__};                                                   \
  PyObject* id##_names[sizeof(id##_params) / sizeof(Param)];                                       \
  constexpr Overload id##_overloads[] = {                                                          \
      {text, id##_params, sizeof(id##_params) / sizeof(Param), positional, required, id##_names}}; \
  constexpr Function id##_spec{name, PACKAGE ".Tensor." name, nullptr, id##_overloads, 1};

// The function of such a method: `body` returns the result from the arguments `a` and the tensor `t`.
#define DEFINE(id, body)                                                                     \
  PyObject* id(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) { \
    PyObject* storage[sizeof(id##_params) / sizeof(Param)];                                  \
    Arguments a(storage);                                                                    \
    try {                                                                                    \
      if (a.parse(id##_spec, self, args, nargs, kwnames) < 0) return a.result();             \
      const at::Tensor& t = unwrap(self);                                                    \
      body                                                                                   \
    } catch (...) {                                                                          \
      return raise_current(id##_spec.prefix);                                                \
    }                                                                                        \
  }

METHOD(size, "size", "(int dim = None)", 1, 0, {"dim", ParamType::Int, optional_none, 0})
DEFINE(size, return a.has(0) ? PyLong_FromLongLong(t.size(a.integer(0))) : from_size(t.sizes());)

METHOD(stride, "stride", "(int dim = None)", 1, 0, {"dim", ParamType::Int, optional_none, 0})
DEFINE(stride, return a.has(0) ? PyLong_FromLongLong(t.stride(a.integer(0))) : from_ints(t.strides());)

METHOD(is_contiguous, "is_contiguous", "(*, memory_format memory_format = contiguous_format)", 1, 0,
       {"memory_format", ParamType::MemoryFormat, HasDefault, 0})
DEFINE(is_contiguous, return boolean(t.is_contiguous(a.memory_format(0, c10::MemoryFormat::Contiguous)));)

METHOD(contiguous, "contiguous", "(*, memory_format memory_format = contiguous_format)", 1, 0,
       {"memory_format", ParamType::MemoryFormat, HasDefault, 0})
DEFINE(contiguous,
       return wrap(at::_ops::contiguous::call(t, a.memory_format(0, c10::MemoryFormat::Contiguous)));)

METHOD(copy_, "copy_", "(Tensor src, bool non_blocking = False)", 2, 1,
       {"src", ParamType::Tensor, NumberAsTensor, 0}, {"non_blocking", ParamType::Bool, HasDefault, 0})
DEFINE(copy_, (void)t; return result(at::_ops::copy_::call(unwrap(self), a.tensor(0), a.boolean(1, false)));)

// Indices of the nonzero elements: a matrix, or one index tensor for each dimension.
METHOD(nonzero, "nonzero", "(*, bool as_tuple = False)", 0, 0,
       {"as_tuple", ParamType::Bool, HasDefault | KeywordOnly, 0})
DEFINE(nonzero, {
  if (!a.boolean(0, false)) return wrap(at::_ops::nonzero::call(t));
  // A 0-dim tensor is treated as 1-dim, so there is at least one index tensor.
  const at::Tensor indices = at::_ops::nonzero::call(t.dim() == 0 ? at::_ops::unsqueeze::call(t, 0) : t);
  std::vector<at::Tensor> columns;
  for (int64_t d = 0; d < indices.size(1); ++d) columns.push_back(at::_ops::select_int::call(indices, 1, d));
  return wrap_list(columns);
})

constexpr Param to_device_params[] = {
    {"device", ParamType::Device, optional_none, 0},
    {"dtype", ParamType::ScalarType, optional_none, 0},
    {"non_blocking", ParamType::Bool, HasDefault, 0},
    {"copy", ParamType::Bool, HasDefault, 0},
    {"memory_format", ParamType::MemoryFormat, optional_none | KeywordOnly, 0}};
constexpr Param to_dtype_params[] = {
    {"dtype", ParamType::ScalarType, 0, 0},
    {"non_blocking", ParamType::Bool, HasDefault, 0},
    {"copy", ParamType::Bool, HasDefault, 0},
    {"memory_format", ParamType::MemoryFormat, optional_none | KeywordOnly, 0}};
constexpr Param to_other_params[] = {
    {"other", ParamType::Tensor, 0, 0},
    {"non_blocking", ParamType::Bool, HasDefault, 0},
    {"copy", ParamType::Bool, HasDefault, 0},
    {"memory_format", ParamType::MemoryFormat, optional_none | KeywordOnly, 0}};
PyObject* to_names[3][5];
constexpr Overload to_overloads[] = {
    {"(device device = None, dtype dtype = None, bool non_blocking = False, bool copy = False, *, "
     "memory_format "
     "memory_format = None)",
     to_device_params, 5, 4, 0, to_names[0]},
    {"(dtype dtype, bool non_blocking = False, bool copy = False, *, memory_format memory_format = None)",
     to_dtype_params, 4, 3, 1, to_names[1]},
    {"(Tensor other, bool non_blocking = False, bool copy = False, *, memory_format memory_format = None)",
     to_other_params, 4, 3, 1, to_names[2]}};
constexpr Function to_spec{"to", PACKAGE ".Tensor.to", nullptr, to_overloads, 3};

PyObject* to(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  PyObject* storage[5];
  Arguments a(storage);
  try {
    const int overload = a.parse(to_spec, self, args, nargs, kwnames);
    if (overload < 0) return a.result();
    const at::Tensor& t = unwrap(self);
    switch (overload) {
      case 1:
        return wrap(at::_ops::to_dtype::call(t, a.dtype(0), a.boolean(1, false), a.boolean(2, false),
                                             a.optional_memory_format(3)));
      case 2:
        return wrap(at::_ops::to_other::call(t, a.tensor(0), a.boolean(1, false), a.boolean(2, false),
                                             a.optional_memory_format(3)));
      default:
        return wrap(at::_ops::to_dtype_layout::call(t, a.optional_dtype(1), std::nullopt,
                                                    a.optional_device(0), std::nullopt, a.boolean(2, false),
                                                    a.boolean(3, false), a.optional_memory_format(4)));
    }
  } catch (...) {
    return raise_current(to_spec.prefix);
  }
}

// x.float() and the like, with an optional memory_format.
template <c10::ScalarType dtype>
PyObject* cast(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"memory_format", nullptr};
  PyObject* format = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$O", const_cast<char**>(names), &format)) return nullptr;
  try {
    std::optional<c10::MemoryFormat> memory_format;
    if (format != nullptr && format != Py_None) {
      if (!is_memory_format(format)) {
        throw_error(PyExc_TypeError,
                    PACKAGE ".Tensor.to(): argument 'memory_format': expected " PACKAGE
                            ".memory_format, got %s",
                    type_name(format).c_str());
      }
      memory_format = to_memory_format(format);
    }
    return wrap(at::_ops::to_dtype::call(unwrap(self), dtype, false, false, memory_format));
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.to");
  }
}

PyObject* move_to(PyObject* self, c10::Device device) {
  try {
    return wrap(at::_ops::to_dtype_layout::call(unwrap(self), std::nullopt, std::nullopt, device,
                                                std::nullopt, false, false, std::nullopt));
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.to");
  }
}
PyObject* cpu(PyObject* self, PyObject*) { return move_to(self, c10::Device(c10::kCPU)); }

METHOD(cuda, "cuda",
       "(device device = None, bool non_blocking = False, memory_format memory_format = preserve_format)", 3,
       0, {"device", ParamType::Device, optional_none, 0}, {"non_blocking", ParamType::Bool, HasDefault, 0},
       {"memory_format", ParamType::MemoryFormat, HasDefault, 0})
DEFINE(cuda, return wrap(at::_ops::to_dtype_layout::call(
                 t, std::nullopt, std::nullopt, a.optional_device(0).value_or(c10::Device(c10::kCUDA)),
                 std::nullopt, a.boolean(1, false), false, a.memory_format(2, c10::MemoryFormat::Preserve)));)

// Page-locked memory is for all devices: `device` changes nothing.
METHOD(is_pinned, "is_pinned", "(device device = None)", 1, 0,
       {"device", ParamType::Device, optional_none, 0})
DEFINE(is_pinned, return boolean(t.is_pinned());)

METHOD(pin_memory, "pin_memory", "(device device = None)", 1, 0,
       {"device", ParamType::Device, optional_none, 0})
DEFINE(pin_memory, {
  TORCH_CHECK(t.is_cpu(), "only tensors on the CPU can be pinned, not one on ", t.device());
  if (t.is_pinned()) return wrap(t);
  return wrap(at::_ops::_to_copy::call(t, std::nullopt, std::nullopt, std::nullopt, /*pin_memory=*/true,
                                       false, std::nullopt));
})

METHOD(record_stream, "record_stream", "(Stream s)", 1, 1, {"s", ParamType::Stream, 0, 0})
DEFINE(record_stream, t.record_stream(a.stream(0)); return none();)

// Queries without arguments.
#define QUERY(id, name, expr)                        \
  PyObject* id(PyObject* self, PyObject*) {          \
    try {                                            \
      const at::Tensor& t = unwrap(self);            \
      return expr;                                   \
    } catch (...) {                                  \
      return raise_current(PACKAGE ".Tensor." name); \
    }                                                \
  }
QUERY(dim, "dim", PyLong_FromLongLong(t.dim()))
QUERY(numel, "numel", PyLong_FromLongLong(t.numel()))
QUERY(element_size, "element_size", PyLong_FromLongLong(t.element_size()))
QUERY(data_ptr, "data_ptr", PyLong_FromVoidPtr(const_cast<void*>(t.const_data_ptr())))
QUERY(const_data_ptr, "const_data_ptr", PyLong_FromVoidPtr(const_cast<void*>(t.const_data_ptr())))
QUERY(storage_id, "_storage_id", PyLong_FromVoidPtr(t.storage().unsafeGetStorageImpl()))
QUERY(storage_bytes, "_storage_bytes",
      wrap(at::Tensor(at::detail::make_view(t, {static_cast<int64_t>(t.storage().nbytes())}, {1}, 0,
                                            c10::kByte))))
QUERY(storage_offset, "storage_offset", PyLong_FromLongLong(t.storage_offset()))
QUERY(is_floating_point, "is_floating_point", boolean(t.is_floating_point()))
QUERY(is_complex, "is_complex", boolean(t.is_complex()))
QUERY(is_signed, "is_signed", boolean(t.is_signed()))
QUERY(is_inference, "is_inference", boolean(t.is_inference()))
QUERY(is_conj, "is_conj", boolean(t.is_conj()))
QUERY(is_neg, "is_neg", boolean(t.is_neg()))
QUERY(is_zerotensor, "_is_zerotensor", boolean(t._is_zerotensor()))
QUERY(get_device, "get_device", PyLong_FromLong(t.get_device()))
QUERY(item, "item", from_scalar(at::_ops::item::call(t)))
QUERY(use_count, "_use_count", PyLong_FromSize_t(t.use_count()))
#undef QUERY

PyMethodDef row(const char* name, PyCFunction f, int flags, const char* doc) { return {name, f, flags, doc}; }

}  // namespace

PyMethodDef tensor_methods[] = {
    fast_method("size", size,
                "size(dim=None) -> Size or int\n\nThe sizes of all dimensions, or the size of one."),
    fast_method("stride", stride,
                "stride(dim=None) -> tuple or int\n\nThe strides of all dimensions, or the stride of one, in "
                "elements."),
    fast_method(
        "is_contiguous", is_contiguous,
        "is_contiguous(memory_format=contiguous_format) -> bool\n\nWhether the elements are contiguous "
        "in the given memory format."),
    fast_method(
        "contiguous", contiguous,
        "contiguous(memory_format=contiguous_format) -> Tensor\n\nThe tensor itself, or a contiguous copy."),
    fast_method(
        "copy_", copy_,
        "copy_(src, non_blocking=False) -> Tensor\n\nCopies the elements of `src`, with broadcasting."),
    fast_method("nonzero", nonzero,
                "nonzero(*, as_tuple=False) -> Tensor or tuple\n\nIndices of the nonzero elements, "
                "one row each; "
                "or one tensor of indices for each dimension."),
    fast_method("to", to,
                "to(dtype) / to(device, dtype) / to(other) -> Tensor\n\nThe tensor with another dtype or on "
                "another device; "
                "itself if that changes nothing and `copy` is false."),
    row("dim", dim, METH_NOARGS, "dim() -> int\n\nNumber of dimensions."),
    row("ndimension", dim, METH_NOARGS, "ndimension() -> int\n\nNumber of dimensions."),
    row("numel", numel, METH_NOARGS, "numel() -> int\n\nNumber of elements."),
    row("nelement", numel, METH_NOARGS, "nelement() -> int\n\nNumber of elements."),
    row("element_size", element_size, METH_NOARGS,
        "element_size() -> int\n\nThe size of an element in bytes."),
    row("data_ptr", data_ptr, METH_NOARGS, "data_ptr() -> int\n\nAddress of the first element."),
    row("const_data_ptr", const_data_ptr, METH_NOARGS,
        "const_data_ptr() -> int\n\nAddress of the first element, to read from."),
    row("_storage_id", storage_id, METH_NOARGS,
        "_storage_id() -> int\n\nA number that tensors have in common if they are views of one memory. It "
        "may "
        "be given again after the last of them is gone."),
    row("_storage_bytes", storage_bytes, METH_NOARGS,
        "_storage_bytes() -> Tensor\n\nThe whole memory that the tensor is a part of, as uint8."),
    row("storage_offset", storage_offset, METH_NOARGS,
        "storage_offset() -> int\n\nOffset of the first element in the storage, in elements."),
    row("is_floating_point", is_floating_point, METH_NOARGS,
        "is_floating_point() -> bool\n\nWhether the dtype is floating-point."),
    row("is_complex", is_complex, METH_NOARGS, "is_complex() -> bool\n\nWhether the dtype is complex."),
    row("is_signed", is_signed, METH_NOARGS, "is_signed() -> bool\n\nWhether the dtype is signed."),
    row("is_inference", is_inference, METH_NOARGS,
        "is_inference() -> bool\n\nWhether it was created in inference mode."),
    row("is_conj", is_conj, METH_NOARGS, "is_conj() -> bool\n\nFalse: conjugation computes at once."),
    row("is_neg", is_neg, METH_NOARGS, "is_neg() -> bool\n\nFalse: negation computes at once."),
    row("_is_zerotensor", is_zerotensor, METH_NOARGS,
        "_is_zerotensor() -> bool\n\nFalse: tensors of zeros have memory like others."),
    fast_method("is_pinned", is_pinned, "is_pinned() -> bool\n\nWhether the host memory is page-locked."),
    fast_method(
        "pin_memory", pin_memory,
        "pin_memory() -> Tensor\n\nThe tensor in page-locked memory, from which copies to a device can "
        "be non-blocking; itself if it is there."),
    fast_method(
        "record_stream", record_stream,
        "record_stream(s)\n\nThe memory is used by the stream: once freed, it isn't reused before the "
        "stream's present work is done."),
    row("get_device", get_device, METH_NOARGS, "get_device() -> int\n\nThe device's index, -1 on the CPU."),
    row("item", item, METH_NOARGS,
        "item() -> number\n\nThe value of a one-element tensor as a Python scalar."),
    row("cpu", cpu, METH_NOARGS, "cpu() -> Tensor\n\nThe tensor on the CPU."),
    fast_method("cuda", cuda,
                "cuda(device=None, non_blocking=False) -> Tensor\n\nThe tensor on a CUDA device, the current "
                "one if none is given."),
    row("bool", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(cast<c10::kBool>)),
        METH_VARARGS | METH_KEYWORDS, "bool(*, memory_format=None) -> Tensor\n\nAs bool."),
    row("byte", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(cast<c10::kByte>)),
        METH_VARARGS | METH_KEYWORDS, "byte(*, memory_format=None) -> Tensor\n\nAs uint8."),
    row("char", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(cast<c10::kChar>)),
        METH_VARARGS | METH_KEYWORDS, "char(*, memory_format=None) -> Tensor\n\nAs int8."),
    row("short", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(cast<c10::kShort>)),
        METH_VARARGS | METH_KEYWORDS, "short(*, memory_format=None) -> Tensor\n\nAs int16."),
    row("int", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(cast<c10::kInt>)),
        METH_VARARGS | METH_KEYWORDS, "int(*, memory_format=None) -> Tensor\n\nAs int32."),
    row("long", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(cast<c10::kLong>)),
        METH_VARARGS | METH_KEYWORDS, "long(*, memory_format=None) -> Tensor\n\nAs int64."),
    row("half", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(cast<c10::kHalf>)),
        METH_VARARGS | METH_KEYWORDS, "half(*, memory_format=None) -> Tensor\n\nAs float16."),
    row("bfloat16", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(cast<c10::kBFloat16>)),
        METH_VARARGS | METH_KEYWORDS, "bfloat16(*, memory_format=None) -> Tensor\n\nAs bfloat16."),
    row("float", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(cast<c10::kFloat>)),
        METH_VARARGS | METH_KEYWORDS, "float(*, memory_format=None) -> Tensor\n\nAs float32."),
    row("double", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(cast<c10::kDouble>)),
        METH_VARARGS | METH_KEYWORDS, "double(*, memory_format=None) -> Tensor\n\nAs float64."),
    row("cfloat", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(cast<c10::kComplexFloat>)),
        METH_VARARGS | METH_KEYWORDS, "cfloat(*, memory_format=None) -> Tensor\n\nAs complex64."),
    row("cdouble", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(cast<c10::kComplexDouble>)),
        METH_VARARGS | METH_KEYWORDS, "cdouble(*, memory_format=None) -> Tensor\n\nAs complex128."),
    row("_use_count", use_count, METH_NOARGS,
        "_use_count() -> int\n\nThe number of C++ references, including this object's."),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace at::python
