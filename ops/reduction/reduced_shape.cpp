// Shapes, dtypes and iterations of reductions.
#include <ATen/native/reduction/reduced_shape.h>

#include <ATen/ViewUtils.h>

namespace at::native {

DimMask make_dim_mask(OptionalIntArrayRef opt_dims, int64_t ndim, bool allow_empty_dims) {
  if (opt_dims.has_value() && (allow_empty_dims || !opt_dims->empty())) {
    return dim_list_to_bitset(*opt_dims, static_cast<size_t>(ndim));
  }
  return dim_list_to_bitset(std::nullopt, static_cast<size_t>(ndim));
}

DimVector shape_from_dim_mask(const TensorBase& self, DimMask mask, bool keepdim) {
  DimVector shape;
  for (int64_t dim = 0; dim < self.dim(); dim++) {
    if (!mask[dim]) {
      shape.push_back(self.sizes()[dim]);
    } else if (keepdim) {
      shape.push_back(1);
    }
  }
  return shape;
}

TensorBase review_reduce_result(const TensorBase& result, int64_t ndim, DimMask mask, bool keepdim) {
  DimVector sizes;
  DimVector strides;
  int64_t next = 0;
  for (int64_t dim = 0; dim < ndim; dim++) {
    if (mask[dim]) {
      sizes.push_back(1);
      strides.push_back(0);
      next += keepdim;
    } else {
      sizes.push_back(result.sizes()[next]);
      strides.push_back(result.strides()[next]);
      next++;
    }
  }
  return at::detail::make_view(result, sizes, strides, result.storage_offset());
}

ScalarType get_dtype_from_self(const TensorBase& self, std::optional<ScalarType> dtype,
                               bool promote_integers) {
  if (dtype.has_value()) {
    return *dtype;
  }
  const ScalarType own = self.scalar_type();
  return promote_integers && c10::isIntegralType(own, /*includeBool=*/true) ? ScalarType::Long : own;
}

ScalarType infer_dtype_from_optional(const TensorBase& self, std::optional<ScalarType> opt_dtype,
                                     const TensorBase& result) {
  if (result.defined()) {
    return opt_dtype.value_or(result.scalar_type());
  }
  return get_dtype_from_self(self, opt_dtype, /*promote_integers=*/true);
}

void zero_numel_check_dims(const TensorBase& self, int64_t dim, const char* fn_name) {
  if (self.dim() == 0) {
    TORCH_CHECK_INDEX(dim == 0 || dim == -1, fn_name, ": Expected reduction dim -1 or 0 for scalar but got ",
                      dim);
  } else {
    TORCH_CHECK_INDEX(self.size(dim) != 0, fn_name, ": Expected reduction dim ", dim,
                      " to have non-zero size.");
  }
}

void zero_numel_check_dims(const TensorBase& self, IntArrayRef dims, const char* fn_name) {
  TORCH_CHECK(!dims.empty(), fn_name, ": Expected reduction dim to be specified for input.numel() == 0. ",
              "Specify the reduction dim with the 'dim' argument.");
  for (int64_t dim : dims) {
    zero_numel_check_dims(self, dim, fn_name);
  }
}

}  // namespace at::native

namespace at::meta {

DimVector get_reduction_shape(const TensorBase& self, IntArrayRef dims, bool keepdim, bool allow_empty_dims) {
  return native::shape_from_dim_mask(self, native::make_dim_mask(dims, self.dim(), allow_empty_dims),
                                     keepdim);
}

void resize_reduction(impl::MetaBase& meta, const TensorBase& self, OptionalIntArrayRef opt_dims,
                      bool keepdim, ScalarType out_dtype, bool allow_empty_dims) {
  const auto mask = native::make_dim_mask(opt_dims, self.dim(), allow_empty_dims);
  const DimVector shape = native::shape_from_dim_mask(self, mask, keepdim);
  meta.set_output_raw_strided(0, shape, {}, self.options().dtype(out_dtype));
}

TensorIterator make_reduction(const TensorBase& self, const TensorBase& result, OptionalIntArrayRef opt_dims,
                              bool keepdim) {
  const auto mask = native::make_dim_mask(opt_dims, self.dim());
  TensorBase viewed = native::review_reduce_result(result, self.dim(), mask, keepdim);
  TensorIteratorConfig config;
  config.set_check_mem_overlap(false).resize_outputs(false).is_reduction(true).check_all_same_dtype(false);
  config.add_owned_output(viewed).add_owned_const_input(self);
  return config.build();
}

}  // namespace at::meta
