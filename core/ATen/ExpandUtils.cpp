// Geometry of broadcasting.
#include <ATen/ExpandUtils.h>

#include <ATen/ViewUtils.h>
#include <c10/util/Exception.h>

#include <algorithm>

namespace at::inline C10_ABI {

namespace {

// Size of dimension `i` of `shape`, counted from the last one; 1 where there is none.
int64_t size_from_end(IntArrayRef shape, size_t i) {
  return i < shape.size() ? shape[shape.size() - 1 - i] : 1;
}

template <typename Container>
Container broadcast_shape(IntArrayRef a, IntArrayRef b) {
  Container result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < result.size(); i++) {
    const int64_t size_a = size_from_end(a, i);
    const int64_t size_b = size_from_end(b, i);
    TORCH_CHECK(size_a == size_b || size_a == 1 || size_b == 1, "The size of tensor a (", size_a,
                ") must match the size of tensor b (", size_b, ") at non-singleton dimension ",
                result.size() - 1 - i);
    result[result.size() - 1 - i] = size_a == 1 ? size_b : size_a;
  }
  return result;
}

}  // namespace

std::vector<int64_t> infer_size(IntArrayRef a, IntArrayRef b) {
  return broadcast_shape<std::vector<int64_t>>(a, b);
}

DimVector infer_size_dimvector(IntArrayRef a, IntArrayRef b) { return broadcast_shape<DimVector>(a, b); }

InferExpandGeometryResult<DimVector> inferExpandGeometry_dimvector(IntArrayRef tensor_sizes,
                                                                   IntArrayRef tensor_strides,
                                                                   IntArrayRef sizes) {
  const auto ndim = static_cast<int64_t>(sizes.size());
  const auto tensor_dim = static_cast<int64_t>(tensor_sizes.size());
  InferExpandGeometryResult<DimVector> result{DimVector(ndim), DimVector(ndim)};
  for (int64_t i = ndim - 1; i >= 0; --i) {
    const int64_t dim = i - (ndim - tensor_dim);
    int64_t size = dim >= 0 ? tensor_sizes[dim] : 1;
    int64_t stride =
        dim >= 0 ? tensor_strides[dim] : (i + 1 < ndim ? result.sizes[i + 1] * result.strides[i + 1] : 1);
    int64_t target = sizes[i];
    if (target == -1) {
      TORCH_CHECK(dim >= 0, "The expanded size of the tensor (", target,
                  ") isn't allowed in a leading, non-existing dimension ", i);
      target = size;
    }
    if (size != target) {
      TORCH_CHECK(size == 1, "The expanded size of the tensor (", target, ") must match the existing size (",
                  size, ") at non-singleton dimension ", i, ".  Target sizes: ", sizes,
                  ".  Tensor sizes: ", tensor_sizes);
      size = target;
      stride = 0;
    }
    result.sizes[i] = size;
    result.strides[i] = stride;
  }
  return result;
}

std::tuple<std::vector<int64_t>, std::vector<int64_t>> inferExpandGeometry(IntArrayRef tensor_sizes,
                                                                           IntArrayRef tensor_strides,
                                                                           IntArrayRef sizes) {
  const auto result = inferExpandGeometry_dimvector(tensor_sizes, tensor_strides, sizes);
  return {std::vector<int64_t>(result.sizes.begin(), result.sizes.end()),
          std::vector<int64_t>(result.strides.begin(), result.strides.end())};
}

std::vector<int64_t> infer_dense_strides(IntArrayRef tensor_sizes, IntArrayRef tensor_strides) {
  const DimVector strides = detail::dense_strides(tensor_sizes, tensor_strides);
  return {strides.begin(), strides.end()};
}

bool are_expandable(IntArrayRef shape1, IntArrayRef shape2) {
  const size_t common = std::min(shape1.size(), shape2.size());
  for (size_t i = 0; i < common; i++) {
    const int64_t size1 = size_from_end(shape1, i);
    const int64_t size2 = size_from_end(shape2, i);
    if (size1 != size2 && size1 != 1 && size2 != 1) {
      return false;
    }
  }
  return true;
}

bool is_expandable_to(IntArrayRef shape, IntArrayRef desired) {
  if (shape.size() > desired.size()) {
    return false;
  }
  for (size_t i = 0; i < shape.size(); i++) {
    const int64_t size = size_from_end(shape, i);
    if (size != size_from_end(desired, i) && size != 1) {
      return false;
    }
  }
  return true;
}

}  // namespace at::inline C10_ABI
