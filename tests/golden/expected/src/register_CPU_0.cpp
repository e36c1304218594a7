// Generated from templates/src/register.cpp.mako; not to be edited.
// Kernels of CPU: native functions, wrapped in the dispatcher's calling convention and the checks that their
// declarations ask for.
#include <ATen/native/ArgumentChecks.h>
#include <ATen/native/KernelChecks.h>
#include <ATen/native/StructuredKernels.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/acme_rank_native.h>
#include <ATen/ops/fold_native.h>
#include <ATen/ops/gauss_native.h>
#include <ATen/ops/join_native.h>
#include <ATen/ops/pour_native.h>
#include <ATen/ops/ramp_native.h>
#include <ATen/ops/scale_native.h>
#include <ATen/ops/update_native.h>

namespace at::inline C10_ABI::kernels {

at::Tensor CPU_scale_Tensor(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, other, "other", 2);
  at::impl::check_one_of(_op, at::impl::rank_of(self), "dim(self) in 1, 2", int64_t{1}, int64_t{2});
  try {
    at::impl::FunctionalKernel<at::native::structured_ufunc_scale_CPU, 1> _kernel;
    _kernel.meta(self, other, alpha);
    _kernel.impl(self, other, alpha, _kernel.output(0));
    return _kernel.take();
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor & CPU_scale__Tensor(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, other, "other", 2);
  at::impl::check_one_of(_op, at::impl::rank_of(self), "dim(self) in 1, 2", int64_t{1}, int64_t{2});
  try {
    at::impl::InplaceKernel<at::native::structured_ufunc_scale_CPU> _kernel(self);
    _kernel.meta(self, other, alpha);
    _kernel.impl(self, other, alpha, _kernel.output(0));
    _kernel.finish();
    return self;
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor & CPU_scale_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, at::Tensor & out) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, other, "other", 2);
  at::impl::check_defined(_op, out, "out", 4);
  at::impl::check_one_of(_op, at::impl::rank_of(self), "dim(self) in 1, 2", int64_t{1}, int64_t{2});
  try {
    at::impl::OutKernel<at::native::structured_ufunc_scale_CPU, 1> _kernel(out);
    _kernel.meta(self, other, alpha);
    _kernel.impl(self, other, alpha, _kernel.output(0));
    _kernel.finish();
    return out;
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

::std::tuple<at::Tensor,at::Tensor> CPU_fold_dim(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, int64_t dim, bool keepdim) {
  at::impl::check_defined(_op, self, "self", 1);
  try {
    at::impl::FunctionalKernel<at::native::structured_fold_out, 2> _kernel;
    const auto _precomputed = _kernel.meta(self, dim, keepdim);
    _kernel.impl(self, _precomputed.dim, _precomputed.length, keepdim, _kernel.output(0), _kernel.output(1));
    return _kernel.take();
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

::std::tuple<at::Tensor &,at::Tensor &> CPU_fold_dim_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, int64_t dim, bool keepdim, at::Tensor & values, at::Tensor & indices) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, values, "values", 4);
  at::impl::check_defined(_op, indices, "indices", 5);
  try {
    at::impl::OutKernel<at::native::structured_fold_out, 2> _kernel(values, indices);
    const auto _precomputed = _kernel.meta(self, dim, keepdim);
    _kernel.impl(self, _precomputed.dim, _precomputed.length, keepdim, _kernel.output(0), _kernel.output(1));
    _kernel.finish();
    return ::std::tuple<at::Tensor &,at::Tensor &>(values, indices);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor & CPU_gauss_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & mean, double std, ::std::optional<at::Generator> generator, at::Tensor & out) {
  at::impl::check_defined(_op, mean, "mean", 1);
  at::impl::check_defined(_op, out, "out", 4);
  try {
    return at::native::gauss_out(mean, std, generator, out);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor CPU_ramp(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, c10::SymInt n, const at::Scalar & step, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  try {
    return at::native::ramp_cpu(n.guard_int(__FILE__, __LINE__), step, dtype, layout, device, pin_memory);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor CPU_join(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::ITensorListRef & tensors, int64_t dim) {
  at::impl::check_defined(_op, tensors, "tensors", 1);
  try {
    at::impl::FunctionalKernel<at::native::structured_join_out_cpu, 1> _kernel;
    _kernel.meta(tensors, dim);
    _kernel.impl(tensors, dim, _kernel.output(0));
    return _kernel.take();
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor & CPU_join_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::ITensorListRef & tensors, int64_t dim, at::Tensor & out) {
  at::impl::check_defined(_op, tensors, "tensors", 1);
  at::impl::check_defined(_op, out, "out", 3);
  try {
    at::impl::OutKernel<at::native::structured_join_out_cpu, 1> _kernel(out);
    _kernel.meta(tensors, dim);
    _kernel.impl(tensors, dim, _kernel.output(0));
    _kernel.finish();
    return out;
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

::std::vector<at::Tensor> CPU_join_masks(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const c10::List<::std::optional<at::Tensor>> & masks) {
  at::impl::check_defined(_op, self, "self", 1);
  try {
    return at::native::join_masks(self, masks);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor CPU_update(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, at::Tensor & running, double momentum) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, running, "running", 2);
  try {
    return at::native::update_cpu(self, running, momentum);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

::std::tuple<at::Tensor,at::Tensor,int64_t> CPU_acme_rank(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, int64_t k, ::std::optional<at::Device> device) {
  at::impl::check_defined(_op, self, "self", 1);
  try {
    return acme::native::rank_cpu(self, k, device);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

const at::Tensor & CPU_pour_(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & source, bool non_blocking) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, source, "source", 2);
  try {
    return at::native::pour_(self, source, non_blocking);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

}  // namespace at::inline C10_ABI::kernels
