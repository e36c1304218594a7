// What the formulas of any subject call.
#include <ATen/native/formulas.h>

#include <ATen/ops/conj.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/real.h>
#include <ATen/ops/to.h>

namespace torch::inline C10_ABI::autograd::generated::details {

std::vector<std::vector<int64_t>> to_args_sizes(const at::ITensorListRef& tensors) {
  std::vector<std::vector<int64_t>> sizes;
  for (const Tensor& t : tensors) sizes.push_back(t.sizes().vec());
  return sizes;
}

std::vector<std::vector<SymInt>> to_args_sizes_symint(const at::ITensorListRef& tensors) {
  std::vector<std::vector<SymInt>> sizes;
  sizes.reserve(tensors.size());
  for (const Tensor& t : tensors) sizes.emplace_back(t.sym_sizes().begin(), t.sym_sizes().end());
  return sizes;
}

std::vector<ScalarType> to_args_scalartypes(const at::ITensorListRef& tensors) {
  std::vector<ScalarType> types;
  types.reserve(tensors.size());
  for (const Tensor& t : tensors) types.push_back(t.scalar_type());
  return types;
}

Tensor not_implemented(const char* name, const char* reason) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "the derivative for '", name, "' is not implemented. ", reason);
}

Tensor real_part(const Tensor& t) { return at::real(t); }

Tensor conjugated(const Tensor& t) { return t.conj(); }

Tensor maybe_multiply(const Tensor& t, const Scalar& s) {
  if (s.equal(1)) return t;
  return s.equal(-1) ? t.neg() : t.mul(s);
}

Scalar one_minus(const Scalar& s) {
  return s.isComplex() ? Scalar(1.0 - s.toComplexDouble()) : Scalar(1.0 - s.toDouble());
}

Tensor _to_copy_backward(const Tensor& grad, const c10::TensorOptions& self_options) {
  const ScalarType self_st = c10::typeMetaToScalarType(self_options.dtype());
  return handle_r_to_c(self_st, grad).to(self_options, /*non_blocking=*/false, /*copy=*/false);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
