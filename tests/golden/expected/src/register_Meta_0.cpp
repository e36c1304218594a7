// Generated from templates/src/register.cpp.mako; not to be edited.
// Kernels of Meta: native functions, wrapped in the dispatcher's calling convention and the checks that their
// declarations ask for.
#include <ATen/native/ArgumentChecks.h>
#include <ATen/native/KernelChecks.h>
#include <ATen/native/StructuredKernels.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/fold_meta.h>
#include <ATen/ops/join_meta.h>
#include <ATen/ops/ramp_native.h>
#include <ATen/ops/scale_meta.h>

namespace at::inline C10_ABI::kernels {

at::Tensor Meta_scale_Tensor(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, other, "other", 2);
  at::impl::SameDevice _devices(_op);
  _devices(self, "self");
  _devices(other, "other");
  at::impl::check_one_of(_op, at::impl::rank_of(self), "dim(self) in 1, 2", int64_t{1}, int64_t{2});
  try {
    at::impl::FunctionalKernel<at::meta::structured_scale_Tensor, 1> _kernel;
    _kernel.meta(self, other, alpha);
    return _kernel.take();
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor & Meta_scale__Tensor(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, other, "other", 2);
  at::impl::SameDevice _devices(_op);
  _devices(self, "self");
  _devices(other, "other");
  at::impl::check_one_of(_op, at::impl::rank_of(self), "dim(self) in 1, 2", int64_t{1}, int64_t{2});
  try {
    at::impl::InplaceKernel<at::meta::structured_scale_Tensor> _kernel(self);
    _kernel.meta(self, other, alpha);
    _kernel.finish();
    return self;
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor & Meta_scale_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, at::Tensor & out) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, other, "other", 2);
  at::impl::check_defined(_op, out, "out", 4);
  at::impl::check_written_on_meta(_op, out, "out");
  at::impl::check_one_of(_op, at::impl::rank_of(self), "dim(self) in 1, 2", int64_t{1}, int64_t{2});
  try {
    at::impl::OutKernel<at::meta::structured_scale_Tensor, 1> _kernel(out);
    _kernel.meta(self, other, alpha);
    _kernel.finish();
    return out;
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

::std::tuple<at::Tensor,at::Tensor> Meta_fold_dim(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, int64_t dim, bool keepdim) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::SameDevice _devices(_op);
  _devices(self, "self");
  try {
    at::impl::FunctionalKernel<at::meta::structured_fold_dim, 2> _kernel;
    _kernel.meta(self, dim, keepdim);
    return _kernel.take();
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

::std::tuple<at::Tensor &,at::Tensor &> Meta_fold_dim_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, int64_t dim, bool keepdim, at::Tensor & values, at::Tensor & indices) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, values, "values", 4);
  at::impl::check_defined(_op, indices, "indices", 5);
  at::impl::SameDevice _devices(_op);
  _devices(values, "values");
  _devices(indices, "indices");
  _devices(self, "self");
  try {
    at::impl::OutKernel<at::meta::structured_fold_dim, 2> _kernel(values, indices);
    _kernel.meta(self, dim, keepdim);
    _kernel.finish();
    return ::std::tuple<at::Tensor &,at::Tensor &>(values, indices);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor Meta_ramp(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, c10::SymInt n, const at::Scalar & step, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  try {
    return at::native::ramp_meta_symint(n, step, dtype, layout, device, pin_memory);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor Meta_join(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::ITensorListRef & tensors, int64_t dim) {
  at::impl::check_defined(_op, tensors, "tensors", 1);
  at::impl::SameDevice _devices(_op);
  _devices(tensors, "tensors");
  try {
    at::impl::FunctionalKernel<at::meta::structured_join, 1> _kernel;
    _kernel.meta(tensors, dim);
    return _kernel.take();
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor & Meta_join_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::ITensorListRef & tensors, int64_t dim, at::Tensor & out) {
  at::impl::check_defined(_op, tensors, "tensors", 1);
  at::impl::check_defined(_op, out, "out", 3);
  at::impl::SameDevice _devices(_op);
  _devices(out, "out");
  _devices(tensors, "tensors");
  try {
    at::impl::OutKernel<at::meta::structured_join, 1> _kernel(out);
    _kernel.meta(tensors, dim);
    _kernel.finish();
    return out;
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

const at::Tensor & Meta_pour_(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & source, bool non_blocking) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, source, "source", 2);
  at::impl::SameDevice _devices(_op);
  _devices(self, "self");
  _devices(source, "source");
  return self;
}

}  // namespace at::inline C10_ABI::kernels
