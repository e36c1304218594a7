// Generated from templates/include/ATen/ops/meta.h.mako; not to be edited.
#pragma once
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/OptionalTensorRef.h>
#include <ATen/core/Tensor.h>

namespace at::inline C10_ABI::meta {

struct structured_fold_dim : public at::impl::MetaBase {
  template <bool DIM = false, bool LENGTH = false>
  struct precompute_out {
    precompute_out<true, LENGTH> set_dim(int64_t value) {
      static_assert(!DIM, "'dim' is set twice");
      precompute_out<true, LENGTH> ret;
      ret.length = this->length;
      ret.dim = value;
      return ret;
    }
    precompute_out<DIM, true> set_length(int64_t value) {
      static_assert(!LENGTH, "'length' is set twice");
      precompute_out<DIM, true> ret;
      ret.dim = this->dim;
      ret.length = value;
      return ret;
    }
    int64_t dim;
    int64_t length;
  };
  using meta_return_ty = precompute_out<true, true>;
  TORCH_API meta_return_ty meta(const at::Tensor & self, int64_t dim, bool keepdim);
};

}  // namespace at::inline C10_ABI::meta
