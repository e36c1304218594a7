// Formulas of views, and of operators that join tensors.
#include <ATen/ExpandUtils.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/DimVector.h>
#include <ATen/native/views/formulas.h>
#include <c10/util/strides.h>
#include <torch/autograd/forward.h>
#include <torch/autograd/node.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/as_strided_scatter.h>
#include <ATen/ops/block_diag.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/index_put.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/slice_backward.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/unbind.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace torch::inline C10_ABI::autograd::generated::details {

// -------------------- One view

Tensor expand_backward(const Tensor& grad, SymIntArrayRef sizes) {
  return at::sum_to(grad, C10_AS_INTARRAYREF_SLOW(sizes));
}

Tensor permute_backwards(const Tensor& grad, IntArrayRef dims) {
  const auto ndim = static_cast<int64_t>(dims.size());
  at::DimVector inverse(dims.size());
  for (int64_t i = 0; i < ndim; ++i) inverse[c10::maybe_wrap_dim(dims[i], ndim)] = i;
  return grad.permute(inverse);
}

Tensor slice_backward_wrapper(const Tensor& grad, SymIntArrayRef sizes, int64_t dim,
                              const std::optional<SymInt>& start, const std::optional<SymInt>& end,
                              const SymInt& step) {
  const SymInt last = end.value_or(std::numeric_limits<int64_t>::max());
  return at::slice_backward_symint(grad, sizes, dim, start.value_or(0), last, step);
}

// -------------------- as_strided

namespace {

// A strided box of elements in a flat buffer.
struct Box {
  IntArrayRef sizes, strides;
  int64_t offset;

  int64_t numel() const {
    int64_t n = 1;
    for (const int64_t size : sizes) n *= size;
    return n;
  }
  int64_t end() const {
    int64_t last = offset;
    for (size_t i = 0; i < sizes.size(); ++i) last += (sizes[i] - 1) * strides[i];
    return last + 1;
  }
  /// May two indices address one element? False only if each stride exceeds what the smaller strides reach.
  bool may_overlap() const {
    std::vector<std::pair<int64_t, int64_t>> dims;
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] != 1) dims.emplace_back(strides[i], sizes[i]);
    }
    std::sort(dims.begin(), dims.end());
    int64_t reached = 0;
    for (const auto& [stride, size] : dims) {
      if (stride <= reached) return true;
      reached += stride * (size - 1);
    }
    return false;
  }
  Tensor of(const Tensor& buffer) const { return buffer.as_strided(sizes, strides, offset); }
  /// The positions of all elements, as a list.
  Tensor places(const Tensor& buffer) const {
    return of(at::arange(buffer.size(0), buffer.options().dtype(at::kLong))).reshape({-1});
  }
};

Tensor add_at(const Tensor& buffer, const Tensor& places, const Tensor& values) {
  c10::List<std::optional<Tensor>> indices;
  indices.push_back(places);
  return buffer.index_put(indices, values, /*accumulate=*/true);
}

// `buffer`, which is zero, with the elements of `values` accumulated at the positions of the box.
Tensor scattered(const Tensor& buffer, const Box& box, const Tensor& values) {
  at::DimVector repeated, sizes(box.sizes.begin(), box.sizes.end());
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (box.strides[i] == 0 && sizes[i] != 1) {
      repeated.push_back(static_cast<int64_t>(i));
      sizes[i] = 1;
    }
  }
  const Tensor summed = repeated.empty() ? values : values.sum(repeated, /*keepdim=*/true);
  const Box single{sizes, box.strides, box.offset};
  if (single.may_overlap()) return add_at(buffer, single.places(buffer), summed.reshape({-1}));
  single.of(buffer).copy_(summed);
  return buffer;
}

}  // namespace

Tensor as_strided_backward(const Tensor& grad, const TensorGeometry& self, SymIntArrayRef sizes,
                           SymIntArrayRef strides, const std::optional<SymInt>& storage_offset) {
  const SymInt offset = storage_offset.value_or(self.sym_storage_offset());
  Box input{self.sizes(), self.strides(), self.storage_offset()};
  Box output{C10_AS_INTARRAYREF_SLOW(sizes), C10_AS_INTARRAYREF_SLOW(strides), offset.expect_int()};
  if (input.numel() == 0 || output.numel() == 0) return at::zeros(self.sizes(), grad.options());
  const int64_t begin = std::min(input.offset, output.offset);
  input.offset -= begin;
  output.offset -= begin;
  const Tensor zeros = at::zeros({std::max(input.end(), output.end())}, grad.options());
  Tensor memory = scattered(zeros, output, grad);
  if (input.may_overlap()) {
    const auto real = grad.options().dtype(c10::toRealValueType(grad.scalar_type()));
    const Tensor ones = at::ones({input.numel()}, real);
    const Tensor owners = add_at(at::zeros(memory.sizes(), real), input.places(memory), ones);
    memory = memory.div(owners.clamp(1));
  }
  return input.of(memory);
}

// -------------------- Lists of views

namespace {

std::vector<Tensor> zeros_for_undefined(TensorList grads, SymIntArrayRef split_sizes, int64_t dim,
                                        SymIntArrayRef sizes, const c10::TensorOptions& options) {
  std::vector<Tensor> all(grads.begin(), grads.end());
  at::DimVector shape;
  for (const SymInt& size : sizes) shape.push_back(size.expect_int());
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].defined()) continue;
    shape[dim] = split_sizes[i].expect_int();
    all[i] = at::zeros(shape, options);
  }
  return all;
}

}  // namespace

Tensor split_with_sizes_backward(TensorList grads, SymIntArrayRef split_sizes, int64_t dim,
                                 SymIntArrayRef sizes, const c10::TensorOptions& options) {
  dim = c10::maybe_wrap_dim(dim, static_cast<int64_t>(sizes.size()));
  return at::cat(zeros_for_undefined(grads, split_sizes, dim, sizes, options), dim);
}

Tensor split_backward(TensorList grads, const SymInt& split_size, int64_t dim, SymIntArrayRef sizes,
                      const c10::TensorOptions& options) {
  dim = c10::maybe_wrap_dim(dim, static_cast<int64_t>(sizes.size()));
  std::vector<SymInt> split_sizes(grads.size(), split_size);
  split_sizes.back() = sizes[dim] - split_size * static_cast<int64_t>(grads.size() - 1);
  return split_with_sizes_backward(grads, split_sizes, dim, sizes, options);
}

Tensor unbind_backward(TensorList grads, int64_t dim) {
  std::vector<Tensor> all(grads.begin(), grads.end());
  const auto known = std::find_if(all.begin(), all.end(), [](const Tensor& t) { return t.defined(); });
  if (known == all.end()) return Tensor();
  Tensor zeros;
  for (Tensor& t : all) {
    if (t.defined()) continue;
    if (!zeros.defined()) zeros = at::zeros_like(*known);
    t = zeros;
  }
  return at::stack(all, dim);
}

// -------------------- Joining

std::vector<Tensor> cat_tensors_backward(const Tensor& grad, const std::vector<std::vector<SymInt>>& sizes,
                                         const std::vector<ScalarType>& dtypes, int64_t dim) {
  std::vector<Tensor> grads(sizes.size());
  if (!grad.defined()) return grads;
  dim = c10::maybe_wrap_dim(dim, grad.dim());
  int64_t begin = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i].size() == 1 && sizes[i][0] == 0) {  // takes part whatever the others' shape
      grads[i] = at::zeros({0}, grad.options());
      continue;
    }
    const int64_t size = sizes[i][dim].expect_int();
    grads[i] = handle_r_to_c(dtypes[i], grad.slice(dim, begin, begin + size));
    begin += size;
  }
  return grads;
}

std::vector<Tensor> stack_tensors_backward(const Tensor& grad, int64_t dim,
                                           const std::vector<ScalarType>& dtypes) {
  if (!grad.defined()) return std::vector<Tensor>(dtypes.size());
  std::vector<Tensor> grads = grad.unbind(dim);
  for (size_t i = 0; i < grads.size(); ++i) grads[i] = handle_r_to_c(dtypes[i], std::move(grads[i]));
  return grads;
}

std::vector<Tensor> block_diag_backward(const Tensor& grad, const std::vector<std::vector<int64_t>>& sizes,
                                        const std::vector<ScalarType>& dtypes) {
  std::vector<Tensor> grads(sizes.size());
  if (!grad.defined()) return grads;
  int64_t row = 0, column = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const std::vector<int64_t>& shape = sizes[i];
    const int64_t height = shape.size() == 2 ? shape[0] : 1;
    const int64_t width = shape.empty() ? 1 : shape.back();
    const Tensor block = grad.slice(0, row, row + height).slice(1, column, column + width);
    grads[i] = handle_r_to_c(dtypes[i], block.reshape(shape));
    row += height;
    column += width;
  }
  return grads;
}

namespace {

// The tangents of a list's tensors, zeros for those without; empty if none has one.
template <class List>
std::vector<Tensor> tangents_of(const List& tensors) {
  std::vector<Tensor> tangents;
  bool any = false;
  for (const Tensor& t : tensors) {
    any = any || tangent(t).defined();
    tangents.push_back(tangent_or_zeros(t));
  }
  if (!any) tangents.clear();
  return tangents;
}

}  // namespace

Tensor cat_jvp(const at::ITensorListRef& tensors, int64_t dim) {
  const std::vector<Tensor> tangents = tangents_of(tensors);
  return tangents.empty() ? Tensor() : at::cat(tangents, dim);
}

Tensor stack_jvp(TensorList tensors, int64_t dim) {
  const std::vector<Tensor> tangents = tangents_of(tensors);
  return tangents.empty() ? Tensor() : at::stack(tangents, dim);
}

Tensor block_diag_jvp(TensorList tensors) {
  const std::vector<Tensor> tangents = tangents_of(tensors);
  return tangents.empty() ? Tensor() : at::block_diag(tangents);
}

namespace {

// Where as_strided_scatter's copy of self has its elements: where self has them, in order for an expanded
// self.
struct Places {
  at::DimVector strides;
  int64_t first, length;

  explicit Places(const TensorGeometry& self)
      : strides(self.strides().begin(), self.strides().end()), first(self.storage_offset()), length(0) {
    const IntArrayRef sizes = self.sizes();
    bool expanded = false;
    for (size_t d = 0; d < sizes.size(); ++d) expanded = expanded || (strides[d] == 0 && sizes[d] > 1);
    if (expanded) {
      strides = c10::contiguous_strides(sizes);
      first = 0;
    }
    length = first + 1;
    for (size_t d = 0; d < sizes.size(); ++d) length += std::max<int64_t>(sizes[d] - 1, 0) * strides[d];
  }
};

}  // namespace

// What was written to the view is at its places in the memory of the result.
Tensor as_strided_scatter_src_backward(const Tensor& grad, const TensorGeometry& self, SymIntArrayRef sizes,
                                       SymIntArrayRef strides, const std::optional<SymInt>& storage_offset) {
  const Places places(self);
  const int64_t offset = storage_offset.has_value() ? storage_offset->expect_int() : places.first;
  // Memory between the elements, which the view may have written to, is no part of the result.
  const Tensor memory = at::zeros({places.length}, grad.options());
  memory.as_strided(self.sizes(), places.strides, places.first).copy_(grad);
  return memory.as_strided(C10_AS_INTARRAYREF_SLOW(sizes), C10_AS_INTARRAYREF_SLOW(strides), offset);
}

// Zeros where the view was.
Tensor as_strided_scatter_backward(const Tensor& grad, const TensorGeometry& self, const TensorGeometry& src,
                                   SymIntArrayRef sizes, SymIntArrayRef strides,
                                   const std::optional<SymInt>& storage_offset) {
  const Places places(self);
  const int64_t offset = storage_offset.has_value() ? storage_offset->expect_int() : places.first;
  const Tensor placed = at::empty_strided(self.sizes(), places.strides, grad.options()).copy_(grad);
  return at::as_strided_scatter_symint(placed, at::zeros(src.sizes(), grad.options()), sizes, strides,
                                       SymInt(offset - places.first));
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
