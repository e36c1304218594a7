// native_channel_shuffle on the CPU.
#include <ATen/core/Tensor.h>

#include <ATen/ops/native_channel_shuffle_native.h>

namespace at::native {

Tensor channel_shuffle_cpu(const Tensor& self, int64_t groups) { return math_channel_shuffle(self, groups); }

}  // namespace at::native
