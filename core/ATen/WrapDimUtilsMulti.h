// Lists of dimensions as sets.
#pragma once

#include <ATen/WrapDimUtils.h>
#include <c10/util/OptionalArrayRef.h>

#include <bitset>

namespace at::inline C10_ABI {

constexpr size_t dim_bitset_size = 64;

// The set of `opt_dims` (all dimensions if absent) of a tensor of `ndims` dimensions; a dimension given twice
// is an error.
TORCH_API std::bitset<dim_bitset_size> dim_list_to_bitset(OptionalIntArrayRef opt_dims, size_t ndims);

}  // namespace at::inline C10_ABI
