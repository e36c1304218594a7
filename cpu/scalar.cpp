// The one value of a CPU tensor.

#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/_local_scalar_dense_native.h>

namespace at::native {

Scalar _local_scalar_dense_cpu(const Tensor& self) {
  TORCH_CHECK(self.numel() > 0, "_local_scalar_dense: Empty tensor not supported");
  return AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(kBool, kHalf, kBFloat16, self.scalar_type(),
                                                "_local_scalar_dense_cpu",
                                                [&] { return Scalar(*self.const_data_ptr<scalar_t>()); });
}

}  // namespace at::native
