// Generated from templates/include/ATen/ops/native.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>

namespace at::native {

TORCH_API at::Tensor & gauss_out(const at::Tensor & mean, double std, ::std::optional<at::Generator> generator, at::Tensor & out);

}  // namespace at::native
