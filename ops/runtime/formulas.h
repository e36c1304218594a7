// What the formulas of schemas/derivatives.yaml call besides operators, whatever their subject; gradients of
// more than one expression are in <ATen/native/SUBJECT/formulas.h>. All of it is made of operators, so it is
// differentiable itself.
//
// An undefined gradient stands for zeros. Gradients may still have the shape of a broadcast result: autograd
// sums them to their input's.
#pragma once

#include <ATen/TensorGeometry.h>
#include <ATen/core/IListRef.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymInt.h>
#include <c10/util/OptionalArrayRef.h>

#include <utility>
#include <vector>

namespace torch::inline C10_ABI::autograd::generated::details {

using at::IntArrayRef;
using at::OptionalIntArrayRef;
using at::Scalar;
using at::ScalarType;
using at::Tensor;
using at::TensorGeometry;
using at::TensorList;
using c10::SymInt;
using c10::SymIntArrayRef;

TORCH_API std::vector<std::vector<int64_t>> to_args_sizes(const at::ITensorListRef& tensors);
TORCH_API std::vector<std::vector<SymInt>> to_args_sizes_symint(const at::ITensorListRef& tensors);
TORCH_API std::vector<ScalarType> to_args_scalartypes(const at::ITensorListRef& tensors);

/// Throws in the backward pass: there is no formula.
[[noreturn]] TORCH_API Tensor not_implemented(const char* name, const char* reason = "");

TORCH_API Tensor real_part(const Tensor& t);
/// The gradient of an input of type `self_st`: a real input gets the real part of a complex gradient.
inline Tensor handle_r_to_c(ScalarType self_st, Tensor gradient) {
  if (gradient.is_complex() && !c10::isComplexType(self_st)) return real_part(gradient);
  return gradient;
}
inline Tensor handle_r_to_c(const Tensor& self, Tensor gradient) {
  return handle_r_to_c(self.scalar_type(), std::move(gradient));
}
/// The conjugate; a real tensor itself, without a call.
TORCH_API Tensor conjugated(const Tensor& t);
inline Tensor maybe_conj(Tensor t) {
  if (t.is_complex()) return conjugated(t);
  return t;
}
/// t * s, without a multiplication for 1 and -1.
TORCH_API Tensor maybe_multiply(const Tensor& t, const Scalar& s);
/// 1 - s
TORCH_API Scalar one_minus(const Scalar& s);
/// The gradient of a copy to another type or device.
TORCH_API Tensor _to_copy_backward(const Tensor& grad, const c10::TensorOptions& self_options);

}  // namespace torch::inline C10_ABI::autograd::generated::details
