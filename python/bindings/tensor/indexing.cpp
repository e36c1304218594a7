// x[...] and x[...] = value: ints, slices, None, Ellipsis, bools, index tensors and sequences of these.
//
// Ints (select), slices and None (unsqueeze) are applied one after the other as views. Tensors, bools and
// lists are collected and applied together at the end by aten::index.
#include "errors.h"
#include "exchange/array_interface.h"
#include "exchange/construct.h"
#include "parser/overrides.h"
#include "tensor/tensor.h"
#include "values/scalars.h"

#include <ATen/core/List.h>
#include <c10/util/SmallVector.h>

#include <ATen/ops/alias_ops.h>
#include <ATen/ops/copy_ops.h>
#include <ATen/ops/fill_ops.h>
#include <ATen/ops/index_ops.h>
#include <ATen/ops/index_put_ops.h>
#include <ATen/ops/item_ops.h>
#include <ATen/ops/scalar_tensor_ops.h>
#include <ATen/ops/select_ops.h>
#include <ATen/ops/slice_ops.h>
#include <ATen/ops/to_ops.h>
#include <ATen/ops/unsqueeze_ops.h>
#include <ATen/ops/view_ops.h>

#include <limits>

namespace at::python {
namespace {

bool is_integral(const at::Tensor& t, bool with_bool) {
  return c10::isIntegralType(t.scalar_type(), with_bool);
}
bool is_mask(const at::Tensor& t) { return t.scalar_type() == c10::kBool || t.scalar_type() == c10::kByte; }

enum class Whole { View, Itself };  // the result for a slice of all elements

at::Tensor apply_slice(const at::Tensor& t, int64_t dim, PyObject* slice, Whole whole) {
  Py_ssize_t start = 0, stop = 0, step = 0;
  check(PySlice_Unpack(slice, &start, &stop, &step));
  if (step <= 0) throw_error(PyExc_ValueError, "step must be greater than zero");
  if (t.dim() == 0) throw_error(PyExc_IndexError, "slice() cannot be applied to a 0-dim tensor");
  if (whole == Whole::Itself && start == 0 && step == 1 && stop >= t.size(dim)) return t;
  return at::_ops::slice_Tensor::call(t, dim, c10::SymInt(start), c10::SymInt(stop), c10::SymInt(step));
}

at::Tensor apply_select(const at::Tensor& t, int64_t dim, int64_t index, int64_t shown_dim) {
  if (t.dim() == 0) {
    throw_error(PyExc_IndexError, "invalid index of a 0-dim tensor; use item() to get its value as a number");
  }
  const int64_t size = t.size(dim);
  if (index < -size || index >= size) {
    throw_error(PyExc_IndexError, "index %lld is out of bounds for dimension %lld with size %lld",
                static_cast<long long>(index), static_cast<long long>(shown_dim),
                static_cast<long long>(size));
  }
  return at::_ops::select_int::call(t, dim, c10::SymInt(index));
}

// True as an index adds a dimension of size 1, False one of size 0.
at::Tensor index_of_bool(const at::Tensor& like, bool value) {
  at::Tensor zeros = at::_ops::scalar_tensor::call(0, c10::kLong, std::nullopt, like.device(), false);
  const int64_t size = value ? 1 : 0;
  at::Tensor one = at::_ops::unsqueeze::call(zeros, 0);
  return at::_ops::slice_Tensor::call(one, 0, c10::SymInt(0), c10::SymInt(size), 1);
}

bool is_slice(PyObject* o) { return Py_TYPE(o) == &PySlice_Type; }

// A list with elements other than scalars is treated as a tuple.
bool reads_as_tuple(PyObject* index) {
  if (PyTuple_Check(index)) return true;
  if (!PyList_Check(index)) return false;
  const Py_ssize_t n = PyList_Size(index);
  if (n >= 32) return false;
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* e = PyList_GetItem(index, i);
    if (is_tensor(e) || is_slice(e) || e == Py_Ellipsis || e == Py_None || PySequence_Check(e)) return true;
  }
  return false;
}

class Indexer {
 public:
  explicit Indexer(const at::Tensor& t) : view_(t), original_(t) {}

  void apply(PyObject* index);
  // Whether there are index tensors; otherwise views were sufficient.
  bool gathers() const { return !indices_.empty(); }
  const at::Tensor& view() const { return view_; }
  c10::List<std::optional<at::Tensor>> indices() const {
    c10::List<std::optional<at::Tensor>> list;
    list.reserve(indices_.size());
    for (const at::Tensor& t : indices_) {
      list.push_back(t.defined() ? std::optional<at::Tensor>(t) : std::nullopt);
    }
    return list;
  }

 private:
  int64_t specified(PyObject* tuple) const;
  void apply_one(PyObject* index, int64_t num_specified);
  void apply_tensor(const at::Tensor& t);
  void check_has_dimension() const;
  void record(at::Tensor t);

  at::Tensor view_;
  const at::Tensor& original_;
  int64_t dim_ = 0;
  int64_t position_ = 0;  // dimension of the original, for messages
  std::vector<at::Tensor> indices_;
};

int64_t Indexer::specified(PyObject* tuple) const {
  int64_t n = 0;
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); ++i) {
    PyObject* e = PyTuple_GetItem(tuple, i);
    if (is_tensor(e)) {
      n += is_mask(unwrap(e)) ? unwrap(e).dim() : 1;
    } else if (e != Py_None && e != Py_Ellipsis && !PyBool_Check(e)) {
      ++n;
    }
  }
  return n;
}

void Indexer::apply(PyObject* index) {
  if (!reads_as_tuple(index)) {
    apply_one(index, 0);  // the count only matters for an Ellipsis, which alone stands for all dimensions
    return;
  }
  const Ref tuple = own(PySequence_Tuple(index));
  const int64_t count = specified(tuple.get());
  if (count > original_.dim()) {
    throw_error(PyExc_IndexError, "too many indices for tensor of dimension %d",
                static_cast<int>(original_.dim()));
  }
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple.get()); ++i) {
    apply_one(PyTuple_GetItem(tuple.get(), i), count);
  }
}

void Indexer::record(at::Tensor t) {
  indices_.resize(static_cast<size_t>(dim_));
  indices_.push_back(std::move(t));
}

void Indexer::apply_tensor(const at::Tensor& t) {
  if (t.dim() == 0 && is_integral(t, true)) {
    if (is_mask(t)) {
      view_ = at::_ops::unsqueeze::call(view_, dim_);
      record(index_of_bool(view_, at::_ops::item::call(t).to<int64_t>() != 0));
      ++dim_;
    } else {
      view_ = apply_select(view_, dim_, at::_ops::item::call(t).to<int64_t>(), position_++);
    }
    return;
  }
  if (!is_integral(t, true)) {
    throw_error(PyExc_IndexError, "tensors used as indices must be of an integer type or bool, not %s",
                c10::dtypeName(t.scalar_type()));
  }
  if (dim_ >= view_.dim() || (is_mask(t) && dim_ + t.dim() > view_.dim())) {
    throw_error(PyExc_IndexError, "too many indices for tensor of dimension %d",
                static_cast<int>(original_.dim()));
  }
  record(t);
  const int64_t taken = is_mask(t) ? t.dim() : 1;
  dim_ += taken;
  position_ += taken;
}

void Indexer::check_has_dimension() const {
  if (original_.dim() == 0) throw_error(PyExc_IndexError, "too many indices for tensor of dimension 0");
}

void Indexer::apply_one(PyObject* index, int64_t num_specified) {
  if (PyLong_CheckExact(index)) {
    view_ = apply_select(view_, dim_, to_int64(index), position_++);
  } else if (is_slice(index)) {
    view_ = apply_slice(view_, dim_++, index, Whole::Itself);
    ++position_;
  } else if (index == Py_Ellipsis) {
    const int64_t skipped = original_.dim() - num_specified;
    dim_ += skipped;
    position_ += skipped;
  } else if (index == Py_None) {
    view_ = at::_ops::unsqueeze::call(view_, dim_++);
  } else if (PyBool_Check(index)) {
    view_ = at::_ops::unsqueeze::call(view_, dim_);
    record(index_of_bool(view_, index == Py_True));
    ++dim_;
  } else if (is_tensor(index)) {
    apply_tensor(unwrap(index));
  } else if (is_numpy(index, NumpyKind::Array)) {
    check_has_dimension();
    const at::Tensor t = tensor_of_array(index, "Tensor.__getitem__()");
    // Elements of other types are rounded towards zero.
    apply_tensor(is_mask(t) ? t : at::_ops::to_dtype::call(t, c10::kLong, false, false, std::nullopt));
  } else if (is_integer(index)) {
    view_ = apply_select(view_, dim_, to_int64(index), position_++);
  } else if (PyUnicode_Check(index) || PyBytes_Check(index)) {
    check_has_dimension();
    throw_error(PyExc_TypeError, "text is no index, got %R", index);
  } else if (PySequence_Check(index)) {
    check_has_dimension();
    const auto dtype = inferred_dtype(index);
    apply_tensor(tensor_from_data(index, dtype == c10::kBool || dtype == c10::kByte ? dtype : c10::kLong));
  } else {
    throw_error(PyExc_IndexError, "only ints, slices, Ellipsis, None, bools and tensors are indices, not %s",
                type_name(index).c_str());
  }
}

// Calls an override by a mode, or by a subclass of the tensor, of an index tensor or of the value.
PyObject* overridden(PyObject* self, PyObject* index, PyObject* value) {
  Overridden found;
  found.add_if_overrides(self);
  if (PyTuple_Check(index)) {
    for (Py_ssize_t i = 0; i < PyTuple_Size(index); ++i) found.add_if_overrides(PyTuple_GetItem(index, i));
  } else {
    found.add_if_overrides(index);
  }
  if (value) found.add_if_overrides(value);
  if (found.empty() && !overrides_active()) return nullptr;
  const char* name = value ? "__setitem__" : "__getitem__";
  const Ref method = own(PyObject_GetAttrString(reinterpret_cast<PyObject*>(tensor_type), name));
  const Ref args = own(value ? PyTuple_Pack(3, self, index, value) : PyTuple_Pack(2, self, index));
  return call_override(method.get(), args.get(), nullptr, found);
}

// Removes leading dimensions of size 1, down to `dim` dimensions.
at::Tensor without_leading_ones(const at::Tensor& value, int64_t dim) {
  c10::IntArrayRef sizes = value.sizes();
  while (static_cast<int64_t>(sizes.size()) > dim && sizes[0] == 1) sizes = sizes.slice(1);
  if (sizes.size() == value.sizes().size()) return value;
  return at::_ops::view::call(value, c10::fromIntArrayRefUnchecked(sizes));
}

c10::Scalar assigned_number(PyObject* value) {
  return PyLong_CheckExact(value) ? c10::Scalar(to_int64(value)) : to_scalar(value);
}

void assign(at::Tensor target, PyObject* value) {
  if (!is_tensor(value)) {
    at::_ops::fill__Scalar::call(target, assigned_number(value));
    return;
  }
  const at::Tensor& source = unwrap(value);
  if (source.dim() == 0 && source.is_cpu() && !target.is_cpu()) {
    at::_ops::fill__Tensor::call(target, source);
  } else {
    at::_ops::copy_::call(target, without_leading_ones(source, target.dim()), false);
  }
}

void assign_gathered(const Indexer& at_index, PyObject* value) {
  const at::Tensor& target = at_index.view();
  at::Tensor source = is_tensor(value)
                          ? unwrap(value)
                          : at::_ops::scalar_tensor::call(assigned_number(value), target.scalar_type(),
                                                          std::nullopt, target.device(), false);
  at::Tensor mutable_target = target;
  at::_ops::index_put_::call(mutable_target, at_index.indices(), without_leading_ones(source, 0), false);
}

}  // namespace

PyObject* get_item(PyObject* self, PyObject* index) {
  try {
    const at::Tensor& t = unwrap(self);
    if (is_exact_tensor(self) && !overrides_active()) [[likely]] {
      if (PyLong_CheckExact(index)) return wrap(apply_select(t, 0, to_int64(index), 0));
      if (is_slice(index) && t.dim() > 0) return wrap(apply_slice(t, 0, index, Whole::View));
    }
    if (PyObject* other = overridden(self, index, nullptr)) return other;
    Indexer at_index(t);
    at_index.apply(index);
    if (at_index.gathers()) return wrap(at::_ops::index_Tensor::call(at_index.view(), at_index.indices()));
    // The result is a view, never the tensor itself.
    if (at_index.view().is_same(t)) return wrap(at::_ops::alias::call(t));
    return wrap(at_index.view());
  } catch (...) {
    return raise_current(PACKAGE ".Tensor.__getitem__");
  }
}

int set_item(PyObject* self, PyObject* index, PyObject* value) {
  try {
    if (value == nullptr) throw_error(PyExc_TypeError, "elements of a tensor cannot be deleted");
    if (!is_exact_tensor(self) || !is_exact_tensor(value) || overrides_active() ||
        !PyLong_CheckExact(index)) {
      if (PyObject* other = overridden(self, index, value)) {
        Py_DECREF(other);
        return 0;
      }
    }
    if (!is_tensor(value) && !is_scalar(value)) {
      throw_error(PyExc_TypeError, "expected Tensor or Number to assign, got %s", type_name(value).c_str());
    }
    Indexer at_index(unwrap(self));
    at_index.apply(index);
    if (at_index.gathers()) {
      assign_gathered(at_index, value);
    } else {
      assign(at_index.view(), value);
    }
    return 0;
  } catch (...) {
    return raise_current_int(PACKAGE ".Tensor.__setitem__");
  }
}

}  // namespace at::python
