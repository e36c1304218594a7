// The base of structured kernels: of their meta functions (TORCH_META_FUNC) and implementations
// (TORCH_IMPL_FUNC). A meta function declares its outputs through MetaBase; the generated classes derived
// from it decide whether that means allocating (functional), resizing (out=) or checking (in-place).
#pragma once

#include <ATen/core/DimVector.h>
#include <c10/core/TensorOptions.h>
#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>

#define TORCH_META_FUNC(name) void structured_##name::meta
#define TORCH_META_FUNC2(name, overload) void structured_##name##_##overload::meta

// For operators with `precomputed`: the meta function returns the values that replace arguments of the
// implementation.
#define TORCH_PRECOMPUTE_META_FUNC(name) structured_##name::meta_return_ty structured_##name::meta
#define TORCH_PRECOMPUTE_META_FUNC2(name, overload) \
  structured_##name##_##overload::meta_return_ty structured_##name##_##overload::meta
#define TORCH_PRECOMPUTE_STRUCT(name) structured_##name::precompute_out<>
#define TORCH_PRECOMPUTE_STRUCT2(name, overload) structured_##name##_##overload::precompute_out<>

#define TORCH_IMPL_FUNC(name) void structured_##name::impl

namespace at::inline C10_ABI {

class Tensor;

namespace impl {

struct TORCH_API MetaBase {
  MetaBase() = default;
  MetaBase(const MetaBase&) = default;
  MetaBase& operator=(const MetaBase&) = default;
  MetaBase(MetaBase&&) noexcept = default;
  MetaBase& operator=(MetaBase&&) noexcept = default;
  virtual ~MetaBase() = default;

  // The output as the caller gave it, or an undefined tensor where it is to be allocated.
  virtual const Tensor& maybe_get_output(int64_t output_idx) = 0;
  const Tensor& maybe_get_output() { return maybe_get_output(0); }

  // Strides are required: the kernel gets exactly these, through a temporary if the caller's tensor has
  // others.
  virtual void set_output_strided(int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
                                  TensorOptions options);
  // Strides are a hint (empty: contiguous): the kernel accepts the strides that the output has.
  virtual void set_output_raw_strided(int64_t output_idx, IntArrayRef sizes, IntArrayRef strides_hint,
                                      TensorOptions options);
  void set_output_contiguous(int64_t output_idx, IntArrayRef sizes, TensorOptions options);
};

}  // namespace impl
}  // namespace at::inline C10_ABI
