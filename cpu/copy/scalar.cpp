// The one value of a CPU tensor.

#include <ATen/Dispatch_v2.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/_local_scalar_dense_native.h>

namespace at::native {

Scalar _local_scalar_dense_cpu(const Tensor& self) {
  TORCH_CHECK(self.numel() > 0, "_local_scalar_dense: Empty tensor not supported");
  return AT_DISPATCH_V2(self.scalar_type(), "_local_scalar_dense_cpu",
                        AT_WRAP([&] { return Scalar(*self.const_data_ptr<scalar_t>()); }),
                        AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool,
                        AT_EXPAND(AT_LIMITED_TYPES));
}

}  // namespace at::native
