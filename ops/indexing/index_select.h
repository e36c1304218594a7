// index_select and gather by a device's kernel of index, which reads tensors of any strides.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/native/DispatchStub.h>

#include <cstdint>

namespace at::native {

// result[i..k..j] = self[i..index[k]..j] along `dim`. result has elements, and the shape that follows.
using index_select_fn = void (*)(const TensorBase& result, const TensorBase& self, int64_t dim,
                                 const TensorBase& index);
DECLARE_DISPATCH(index_select_fn, index_select_stub)

/// index_select by the device's kernel: checks, and a result of the shape that follows.
TORCH_API Tensor& index_select_by_stub(const Tensor& self, int64_t dim, const Tensor& index, Tensor& result);
TORCH_API Tensor index_select_by_stub(const Tensor& self, int64_t dim, const Tensor& index);

TORCH_API void index_select_by_index(const TensorBase& result, const TensorBase& self, int64_t dim,
                                     const TensorBase& index);
/// result[i..k..j] = self[i..index[i..k..j]..j]
TORCH_API void gather_by_index(const TensorBase& result, const TensorBase& self, int64_t dim,
                               const TensorBase& index);

/// On the host. IndexError for an index outside of [0, size).
TORCH_API void check_indices(const TensorBase& index, int64_t size);

}  // namespace at::native
