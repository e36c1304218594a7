// Generated from templates/include/ATen/ops/meta.h.mako; not to be edited.
#pragma once
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/OptionalTensorRef.h>
#include <ATen/core/Tensor.h>

namespace at::inline C10_ABI::meta {

struct structured_join : public at::impl::MetaBase {
  using meta_return_ty = void;
  TORCH_API meta_return_ty meta(const at::ITensorListRef & tensors, int64_t dim);
};

}  // namespace at::inline C10_ABI::meta
