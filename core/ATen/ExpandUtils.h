// Broadcasting: the common shape of several operands, and tensors expanded to it.
#pragma once

#include <ATen/core/DimVector.h>
#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/MaybeOwned.h>

#include <tuple>
#include <vector>

namespace at::inline C10_ABI {

class Tensor;

// The size that shapes `a` and `b` broadcast to; throws when they do not.
TORCH_API std::vector<int64_t> infer_size(IntArrayRef a, IntArrayRef b);
TORCH_API DimVector infer_size_dimvector(IntArrayRef a, IntArrayRef b);

template <typename Container>
struct InferExpandGeometryResult {
  Container sizes;
  Container strides;
};

// Sizes and strides of a tensor expanded to `sizes`, in which -1 keeps the tensor's own.
TORCH_API std::tuple<std::vector<int64_t>, std::vector<int64_t>> inferExpandGeometry(
    IntArrayRef tensor_sizes, IntArrayRef tensor_strides, IntArrayRef sizes);
TORCH_API InferExpandGeometryResult<DimVector> inferExpandGeometry_dimvector(IntArrayRef tensor_sizes,
                                                                             IntArrayRef tensor_strides,
                                                                             IntArrayRef sizes);

// Dense strides in the order of `tensor_strides`, as clone() with preserve_format gives them.
TORCH_API std::vector<int64_t> infer_dense_strides(IntArrayRef tensor_sizes, IntArrayRef tensor_strides);

TORCH_API bool are_expandable(IntArrayRef shape1, IntArrayRef shape2);
TORCH_API bool is_expandable_to(IntArrayRef shape, IntArrayRef desired);

// `to_expand` expanded to the size of `tensor`; borrowed where it has that size already.
TORCH_API c10::MaybeOwned<Tensor> expand_inplace(const Tensor& tensor, const Tensor& to_expand);
TORCH_API c10::MaybeOwned<Tensor> expand_inplace(const Tensor& tensor, const Tensor& to_expand,
                                                 const char* api_name);
c10::MaybeOwned<Tensor> expand_inplace(const Tensor& tensor, Tensor&& to_expand) = delete;

// Both expanded to their common shape.
TORCH_API std::tuple<c10::MaybeOwned<Tensor>, c10::MaybeOwned<Tensor>> expand_outplace(
    const Tensor& to_expand1, const Tensor& to_expand2);
TORCH_API std::vector<Tensor> expand_outplace(ArrayRef<Tensor> to_expand);

// Sums over leading and broadcast dimensions down to `shape`: the gradient of an expansion.
TORCH_API Tensor sum_to(Tensor tensor, IntArrayRef shape, bool always_return_non_view = false);

}  // namespace at::inline C10_ABI
