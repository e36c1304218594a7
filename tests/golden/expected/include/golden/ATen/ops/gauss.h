// Generated from templates/include/ATen/ops/function.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/gauss_ops.h>

namespace at::inline C10_ABI {

// gauss.out(Tensor mean, float std=1, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & gauss_out(at::Tensor & out, const at::Tensor & mean, double std=1, ::std::optional<at::Generator> generator=::std::nullopt) {
  return at::_ops::gauss_out::call(mean, std, generator, out);
}
// gauss.out(Tensor mean, float std=1, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & gauss_outf(const at::Tensor & mean, double std, ::std::optional<at::Generator> generator, at::Tensor & out) {
  return at::_ops::gauss_out::call(mean, std, generator, out);
}

}  // namespace at::inline C10_ABI
