// Generated from templates/src/autogen.cpp.mako; not to be edited.
// Kernels that autogen generates: out= from functional, functional from in-place or mutable, the copy of a view.
#include <ATen/native/AutogenKernels.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/pour_ops.h>
#include <ATen/ops/pour_native.h>
#include <ATen/ops/ramp_ops.h>
#include <ATen/ops/ramp_native.h>
#include <ATen/ops/turn_ops.h>
#include <ATen/ops/turn_native.h>
#include <ATen/ops/update_ops.h>
#include <ATen/ops/update_native.h>
#include <ATen/ops/window_copy_ops.h>
#include <ATen/ops/window_copy_native.h>
#include <ATen/ops/window_ops.h>

namespace at::native {

at::Tensor window_copy_symint(const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset) {
  return at::impl::clone_view(at::_ops::window::call(self, size, offset));
}

at::Tensor & turn_out(const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims, at::Tensor & out) {
  auto _result = at::_ops::turn::call(self, shifts, dims);
  at::impl::copy_to_out(_result, out);
  return out;
}

at::Tensor & window_copy_out_symint(const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset, at::Tensor & out) {
  auto _result = at::_ops::window_copy::call(self, size, offset);
  at::impl::copy_to_out(_result, out);
  return out;
}

at::Tensor & ramp_out_symint(c10::SymInt n, const at::Scalar & step, at::Tensor & out) {
  auto _result = at::_ops::ramp::call(n, step, out.scalar_type(), out.layout(), out.device(), ::std::nullopt);
  at::impl::copy_to_out(_result, out);
  return out;
}

at::Tensor & update_out(const at::Tensor & self, at::Tensor & running, double momentum, at::Tensor & out) {
  auto _result = at::_ops::update_functional::call(self, running, momentum);
  at::impl::copy_to_out(std::get<0>(_result), out);
  return out;
}

::std::tuple<at::Tensor,at::Tensor> update_functional(const at::Tensor & self, const at::Tensor & running, double momentum) {
  auto _clone_running = at::impl::clone_argument(running);
  auto _result = at::_ops::update::call(self, _clone_running, momentum);
  return ::std::tuple<at::Tensor,at::Tensor>(_result, _clone_running);
}

const at::Tensor & pour_out(const at::Tensor & self, const at::Tensor & source, bool non_blocking, const at::Tensor & out) {
  auto _result = at::_ops::pour::call(self, source, non_blocking);
  at::impl::copy_to_out(_result, out);
  return out;
}

at::Tensor pour(const at::Tensor & self, const at::Tensor & source, bool non_blocking) {
  auto _clone_self = at::impl::clone_argument(self);
  at::_ops::pour_::call(_clone_self, source, non_blocking);
  return _clone_self;
}

}  // namespace at::native
