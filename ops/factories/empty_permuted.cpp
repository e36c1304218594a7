// empty_permuted: dimensions that lie in memory in another order than they are counted.
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/factories/options.h>
#include <c10/util/strides.h>

#include <ATen/ops/empty_permuted_native.h>
#include <ATen/ops/empty_strided.h>

#include <algorithm>

namespace at::native {

Tensor empty_permuted(IntArrayRef size, IntArrayRef physical_layout, std::optional<ScalarType> dtype,
                      std::optional<Layout> layout, std::optional<Device> device,
                      std::optional<bool> pin_memory) {
  const auto ndim = static_cast<int64_t>(size.size());
  TORCH_CHECK(
      size.size() == physical_layout.size(),
      "Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = ",
      size.size(), " is not equal to len(physical_layout) = ", physical_layout.size());
  DimVector sizes;
  for (const int64_t dim : physical_layout) {
    TORCH_CHECK(dim >= 0 && dim < ndim, "Dimension out of range (expected to be between 0 and ", ndim - 1,
                ", but got ", dim, ").");
    TORCH_CHECK(std::count(physical_layout.begin(), physical_layout.end(), dim) == 1,
                "Duplicate dim not allowed");
    sizes.push_back(size[dim]);
  }
  const DimVector in_memory = c10::contiguous_strides(sizes);
  DimVector strides(ndim);
  for (int64_t i = 0; i < ndim; ++i) strides[physical_layout[i]] = in_memory[i];
  return at::empty_strided(size, strides, make_options(dtype, layout, device, pin_memory));
}

}  // namespace at::native
