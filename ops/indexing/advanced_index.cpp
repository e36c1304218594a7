// Advanced indexing: from the indices as given to the operands of the kernels (see the header).

#include <ATen/ExpandUtils.h>
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/indexing/advanced_index.h>
#include <c10/util/irange.h>

#include <ATen/ops/nonzero.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/select.h>
#include <ATen/ops/to.h>

#include <algorithm>
#include <string>

namespace at::native {

namespace {

bool is_mask(const Tensor& index) { return index.scalar_type() == kBool || index.scalar_type() == kByte; }

void check_index_dtype(const Tensor& index) {
  TORCH_CHECK_INDEX(index.scalar_type() == kLong || index.scalar_type() == kInt || is_mask(index),
                    "tensors used as indices must be long, int, byte or bool tensors");
}

void check_mask_shape(const Tensor& self, const Tensor& mask, int64_t first_dim) {
  for (const auto i : c10::irange(mask.dim())) {
    const int64_t dim = first_dim + i;
    TORCH_CHECK_INDEX(dim < self.dim() && mask.sizes()[i] == self.sizes()[dim], "The shape of the mask ",
                      mask.sizes(), " at index ", i, " does not match the shape of the indexed tensor ",
                      self.sizes(), " at index ", dim);
  }
}

// One entry per dimension of self, on self's device; masks are replaced by the indices of their true
// elements.
std::vector<Tensor> expand_masks(const Tensor& self, ArrayRef<Tensor> indices) {
  std::vector<Tensor> result;
  result.reserve(self.dim());
  for (const Tensor& index : indices) {
    if (!index.defined()) {
      result.emplace_back();
    } else if (check_index_dtype(index); is_mask(index)) {
      if (index.scalar_type() == kByte) {
        TORCH_WARN_ONCE("indexing with dtype uint8 is deprecated, please use a dtype bool instead.");
      }
      check_mask_shape(self, index, static_cast<int64_t>(result.size()));
      const Tensor positions = at::nonzero(index).to(self.device());
      for (const auto i : c10::irange(index.dim())) result.push_back(positions.select(1, i));
    } else {
      result.push_back(index.to(self.device()));
    }
  }
  TORCH_CHECK_INDEX(static_cast<int64_t>(result.size()) <= self.dim(),
                    "too many indices for tensor of dimension ", self.dim(), " (got ", result.size(), ")");
  result.resize(self.dim());
  return result;
}

std::vector<Tensor> broadcast(const std::vector<Tensor>& indices) {
  try {
    return expand_outplace(indices);
  } catch (const c10::Error&) {
    std::string shapes;
    for (const Tensor& index : indices) {
      if (index.defined()) shapes += c10::str(shapes.empty() ? "" : ", ", index.sizes());
    }
    TORCH_CHECK_INDEX(false, "shape mismatch: indexing tensors could not be broadcast together with shapes ",
                      shapes);
  }
}

bool indexed_dims_are_adjacent(const std::vector<Tensor>& indices) {
  const auto defined = [](const Tensor& t) { return t.defined(); };
  const auto first = std::find_if(indices.begin(), indices.end(), defined);
  const auto gap = std::find_if_not(first, indices.end(), defined);
  return std::none_of(gap, indices.end(), defined);
}

// The indexed dimensions first, as in NumPy when they are not adjacent.
Tensor indexed_dims_to_front(const Tensor& self, std::vector<Tensor>& indices) {
  DimVector order;
  std::vector<Tensor> reordered;
  reordered.reserve(indices.size());
  for (const bool indexed : {true, false}) {
    for (const auto dim : c10::irange(indices.size())) {
      if (indices[dim].defined() != indexed) continue;
      order.push_back(static_cast<int64_t>(dim));
      reordered.push_back(indices[dim]);
    }
  }
  indices = std::move(reordered);
  return self.permute(order);
}

bool has_zero(IntArrayRef sizes) { return std::find(sizes.begin(), sizes.end(), 0) != sizes.end(); }

// The index with dimensions of size 1 around it, aligned with the indexed dimensions of src.
TensorBase line_up(const Tensor& index, int64_t dims_before, int64_t dims_after) {
  DimVector sizes(dims_before, 1);
  sizes.insert(sizes.end(), index.sizes().begin(), index.sizes().end());
  sizes.resize(sizes.size() + dims_after, 1);
  const auto strides = at::detail::computeStride(index.sizes(), index.strides(), sizes);
  TORCH_INTERNAL_ASSERT(strides.has_value());
  return at::detail::make_view(index, sizes, *strides, index.storage_offset());
}

TensorBase restride_source(const Tensor& src, int64_t first, int64_t count, IntArrayRef replacement) {
  DimVector sizes(src.sizes().begin(), src.sizes().begin() + first);
  DimVector strides(src.strides().begin(), src.strides().begin() + first);
  sizes.insert(sizes.end(), replacement.begin(), replacement.end());
  strides.resize(strides.size() + replacement.size(), 0);
  sizes.insert(sizes.end(), src.sizes().begin() + first + count, src.sizes().end());
  strides.insert(strides.end(), src.strides().begin() + first + count, src.strides().end());
  return at::detail::make_view(src, sizes, strides, src.storage_offset());
}

}  // namespace

AdvancedIndex make_advanced_index(const Tensor& self, ArrayRef<Tensor> given) {
  std::vector<Tensor> indices = broadcast(expand_masks(self, given));
  // Only now: the layout of the result follows the iteration order of the indices.
  for (Tensor& index : indices) {
    if (index.defined() && index.scalar_type() == kInt) index = index.to(kLong);
  }
  const Tensor src = indexed_dims_are_adjacent(indices) ? self : indexed_dims_to_front(self, indices);

  AdvancedIndex info;
  int64_t first = -1;
  int64_t count = 0;
  IntArrayRef replacement;
  for (const auto dim : c10::irange(static_cast<int64_t>(indices.size()))) {
    if (!indices[dim].defined()) continue;
    if (first < 0) first = dim;
    ++count;
    replacement = IntArrayRef(indices[dim].sizes());
    info.indexed_sizes.push_back(src.sizes()[dim]);
    info.indexed_strides.push_back(src.strides()[dim] * static_cast<int64_t>(src.itemsize()));
  }
  TORCH_CHECK_INDEX(count > 0, "at least one index must be provided");
  TORCH_CHECK_INDEX(!has_zero(info.indexed_sizes) || has_zero(replacement),
                    "index is out of bounds for dimension with size 0");
  info.src = restride_source(src, first, count, replacement);
  for (const Tensor& index : indices) {
    if (index.defined()) info.indices.push_back(line_up(index, first, src.dim() - first - count));
  }
  return info;
}

}  // namespace at::native
