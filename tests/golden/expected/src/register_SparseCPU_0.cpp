// Generated from templates/src/register.cpp.mako; not to be edited.
// Kernels of SparseCPU: native functions, wrapped in the dispatcher's calling convention and the checks that their
// declarations ask for.
#include <ATen/native/ArgumentChecks.h>
#include <ATen/native/KernelChecks.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/scale_native.h>

namespace at::inline C10_ABI::kernels {

at::Tensor & SparseCPU_scale_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, at::Tensor & out) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, other, "other", 2);
  at::impl::check_defined(_op, out, "out", 4);
  at::impl::check_one_of(_op, at::impl::rank_of(self), "dim(self) in 1, 2", int64_t{1}, int64_t{2});
  try {
    return at::native::scale_out_sparse_cpu(self, other, alpha, out);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

}  // namespace at::inline C10_ABI::kernels
