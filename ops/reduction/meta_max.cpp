// Meta functions of max, min and aminmax along one dimension.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/reduction/reduced_shape.h>

#include <ATen/ops/aminmax_meta.h>
#include <ATen/ops/max_meta.h>
#include <ATen/ops/min_meta.h>

namespace at::meta {

namespace {

// Values of self's dtype and int64 positions, both of the reduced shape. Returns the dimension from the
// front.
int64_t value_and_position_meta(impl::MetaBase& meta, const char* name, const Tensor& self, int64_t dim,
                                bool keepdim) {
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim());
  native::zero_numel_check_dims(self, wrapped, name);
  TORCH_CHECK(!self.is_complex(), name, ": does not support complex input");
  const auto mask = native::make_dim_mask(wrapped, self.dim());
  const DimVector shape = native::shape_from_dim_mask(self, mask, keepdim);
  meta.set_output_raw_strided(0, shape, {}, self.options());
  meta.set_output_raw_strided(1, shape, {}, self.options().dtype(kLong));
  return wrapped;
}

}  // namespace

TORCH_PRECOMPUTE_META_FUNC2(max, dim)(const Tensor& self, int64_t dim, bool keepdim) {
  const int64_t wrapped = value_and_position_meta(*this, "max()", self, dim, keepdim);
  return TORCH_PRECOMPUTE_STRUCT2(max, dim)().set_dim(wrapped);
}

TORCH_PRECOMPUTE_META_FUNC2(min, dim)(const Tensor& self, int64_t dim, bool keepdim) {
  const int64_t wrapped = value_and_position_meta(*this, "min()", self, dim, keepdim);
  return TORCH_PRECOMPUTE_STRUCT2(min, dim)().set_dim(wrapped);
}

TORCH_META_FUNC(aminmax)(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), "aminmax(): does not support complex input");
  DimVector shape;
  if (dim.has_value()) {
    const int64_t wrapped = maybe_wrap_dim(*dim, self.dim());
    native::zero_numel_check_dims(self, wrapped, "aminmax");
    shape = native::shape_from_dim_mask(self, native::make_dim_mask(wrapped, self.dim()), keepdim);
  } else {
    TORCH_CHECK(
        self.numel() > 0,
        "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
    if (keepdim) shape.resize(self.dim(), 1);
  }
  set_output_raw_strided(0, shape, {}, self.options());
  set_output_raw_strided(1, shape, {}, self.options());
}

}  // namespace at::meta
