// Generated from templates/src/register.cpp.mako; not to be edited.
// Kernels of CompositeExplicitAutogradNonFunctional: native functions, wrapped in the dispatcher's calling convention and the checks that their
// declarations ask for.
#include <ATen/native/ArgumentChecks.h>
#include <ATen/native/KernelChecks.h>
#include <ATen/native/StructuredKernels.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/fold_meta.h>
#include <ATen/ops/fold_ops.h>
#include <ATen/ops/join_meta.h>
#include <ATen/ops/join_ops.h>
#include <ATen/ops/scale_meta.h>
#include <ATen/ops/scale_ops.h>
#include <ATen/ops/window_copy_native.h>

namespace at::inline C10_ABI::kernels {

at::Tensor CompositeExplicitAutogradNonFunctional_scale_Tensor(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, other, "other", 2);
  at::impl::check_one_of(_op, at::impl::rank_of(self), "dim(self) in 1, 2", int64_t{1}, int64_t{2});
  try {
    at::impl::FunctionalKernel<at::meta::structured_scale_Tensor, 1> _kernel;
    _kernel.meta(self, other, alpha);
    at::_ops::scale_out::call(self, other, alpha, const_cast<at::Tensor&>(_kernel.output(0)));
    return _kernel.take();
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor & CompositeExplicitAutogradNonFunctional_scale__Tensor(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, other, "other", 2);
  at::impl::check_one_of(_op, at::impl::rank_of(self), "dim(self) in 1, 2", int64_t{1}, int64_t{2});
  try {
    at::impl::InplaceKernel<at::meta::structured_scale_Tensor> _kernel(self);
    _kernel.meta(self, other, alpha);
    at::_ops::scale_out::call(self, other, alpha, const_cast<at::Tensor&>(_kernel.output(0)));
    _kernel.finish();
    return self;
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

::std::tuple<at::Tensor,at::Tensor> CompositeExplicitAutogradNonFunctional_fold_dim(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, int64_t dim, bool keepdim) {
  at::impl::check_defined(_op, self, "self", 1);
  try {
    at::impl::FunctionalKernel<at::meta::structured_fold_dim, 2> _kernel;
    _kernel.meta(self, dim, keepdim);
    at::_ops::fold_dim_out::call(self, dim, keepdim, const_cast<at::Tensor&>(_kernel.output(0)), const_cast<at::Tensor&>(_kernel.output(1)));
    return _kernel.take();
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor CompositeExplicitAutogradNonFunctional_window_copy(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset) {
  at::impl::check_defined(_op, self, "self", 1);
  try {
    return at::native::window_copy_symint(self, size, offset);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor CompositeExplicitAutogradNonFunctional_join(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::ITensorListRef & tensors, int64_t dim) {
  at::impl::check_defined(_op, tensors, "tensors", 1);
  try {
    at::impl::FunctionalKernel<at::meta::structured_join, 1> _kernel;
    _kernel.meta(tensors, dim);
    at::_ops::join_out::call(tensors, dim, const_cast<at::Tensor&>(_kernel.output(0)));
    return _kernel.take();
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

}  // namespace at::inline C10_ABI::kernels
