// poisson, binomial, gamma and Dirichlet samples on CUDA. A seed gives the CPU's, except for rounding.
#include <ATen/ExpandUtils.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/random/sampling.h>
#include <ATen/native/random/sampling.h>

#include <ATen/ops/_dirichlet_grad_native.h>
#include <ATen/ops/_sample_dirichlet_native.h>
#include <ATen/ops/_standard_gamma_grad_native.h>
#include <ATen/ops/_standard_gamma_native.h>
#include <ATen/ops/binomial_native.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/poisson_native.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/to.h>

namespace at::native {

namespace {

// Operands may have any dtypes; all are computed as doubles.
TensorIterator elementwise(const Tensor& result, ArrayRef<Tensor> inputs) {
  TensorIteratorConfig config;
  config.check_all_same_dtype(false).add_output(result);
  for (const Tensor& input : inputs) config.add_const_input(input);
  return config.build();
}

}  // namespace

Tensor poisson_cuda(const Tensor& self, std::optional<Generator> gen) {
  check_parameter(self, "poisson");
  Tensor result = at::empty(self.sizes(), self.options());
  poisson_on_device(result, self.contiguous(), gen);
  return result;
}

Tensor binomial_cuda(const Tensor& count, const Tensor& prob, std::optional<Generator> gen) {
  check_parameter(count, "binomial");
  check_parameter(prob, "binomial");
  // A number on the CPU is one for all elements, as in elementwise operators.
  const Tensor chance = prob.is_cpu() && prob.dim() == 0 ? prob.to(count.device()) : prob;
  TORCH_CHECK(count.device() == chance.device(),
              "binomial: expected count and prob to be on the same device, got ", count.device(), " and ",
              prob.device(), "; move one of them with .to()");
  const DimVector sizes = infer_size_dimvector(count.sizes(), chance.sizes());
  Tensor result = at::empty(sizes, count.options());
  binomial_on_device(result, count.expand(sizes).contiguous(), chance.expand(sizes).contiguous(), gen);
  return result;
}

Tensor _standard_gamma_cuda(const Tensor& self, std::optional<Generator> gen) {
  check_parameter(self, "_standard_gamma");
  Tensor result = at::empty(self.sizes(), self.options());
  gamma_on_device(result, self.contiguous(), least_normal(self.scalar_type()), gen);
  return result;
}

Tensor _standard_gamma_grad_cuda(const Tensor& self, const Tensor& output) {
  check_parameter(self, "_standard_gamma_grad");
  Tensor result = at::empty(infer_size_dimvector(self.sizes(), output.sizes()), self.options());
  TensorIterator iter = elementwise(result, {self, output});
  gamma_slopes_on_device(iter);
  return result;
}

// As on the CPU, of the logarithms: gamma-distributed numbers of small concentrations underflow.
Tensor _sample_dirichlet_cuda(const Tensor& self, std::optional<Generator> gen) {
  check_parameter(self, "_sample_dirichlet");
  check_concentrations(self);
  const Tensor logarithms = at::empty(self.sizes(), self.options().dtype(kDouble));
  log_gamma_on_device(logarithms, self.contiguous(), gen);
  const ScalarType dtype = self.scalar_type();
  return at::softmax(logarithms, -1).clamp_(least_normal(dtype), below_one(dtype)).to(dtype);
}

Tensor _dirichlet_grad_cuda(const Tensor& x, const Tensor& alpha, const Tensor& total) {
  check_parameter(x, "_dirichlet_grad");
  Tensor result = at::empty(
      infer_size_dimvector(infer_size_dimvector(x.sizes(), alpha.sizes()), total.sizes()), x.options());
  TensorIterator iter = elementwise(result, {x, alpha, total});
  beta_slopes_on_device(iter);
  return result;
}

}  // namespace at::native
