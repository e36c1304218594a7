// Generated from templates/include/ATen/ops/meta.h.mako; not to be edited.
#pragma once
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/OptionalTensorRef.h>
#include <ATen/core/Tensor.h>

namespace at::inline C10_ABI::meta {

struct structured_scale_Tensor : public at::TensorIteratorBase {
  using meta_return_ty = void;
  meta_return_ty meta(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
    build_borrowing_binary_op(maybe_get_output(), self, other);
  }
};

}  // namespace at::inline C10_ABI::meta
