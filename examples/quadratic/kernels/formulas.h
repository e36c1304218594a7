// What derivatives.yaml calls; defined beside the kernels.
#pragma once
#include <ATen/core/Tensor.h>

namespace torch::autograd::generated::details {

at::Tensor rms_backward(const at::Tensor& grad, const at::Tensor& self, const at::Tensor& result, int64_t dim,
                        bool keepdim);

}  // namespace torch::autograd::generated::details
