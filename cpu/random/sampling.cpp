// Distributions whose numbers take a varying number of uniform ones: poisson, binomial, gamma and Dirichlet.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ExpandUtils.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/random/sample_gradients.h>
#include <ATen/native/random/samplers.h>
#include <ATen/native/random/sampling.h>
#include <c10/util/FunctionRef.h>

#include <ATen/ops/_dirichlet_grad_native.h>
#include <ATen/ops/_sample_dirichlet_native.h>
#include <ATen/ops/_standard_gamma_grad_native.h>
#include <ATen/ops/_standard_gamma_native.h>
#include <ATen/ops/binomial_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/poisson_native.h>
#include <ATen/ops/to.h>

#include <algorithm>
#include <mutex>

namespace at::native {

namespace {

// The elements as doubles, in order.
Tensor doubles(const Tensor& self, IntArrayRef sizes) { return self.to(kDouble).expand(sizes).contiguous(); }

constexpr int64_t sampling_grain = 256;

// Calls make(i) for each element and stores what it returns.
void fill_each(const Tensor& result, c10::function_ref<double(int64_t)> make) {
  auto* out = result.mutable_data_ptr<double>();
  at::parallel_for(0, result.numel(), sampling_grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      out[i] = make(i);
    }
  });
}

PhiloxState reserve_streams(const std::optional<Generator>& gen, int64_t count) {
  auto* generator = get_generator_or_default<CPUGeneratorImpl>(gen, detail::getDefaultCPUGenerator());
  const std::lock_guard<std::mutex> lock(generator->mutex_);
  return generator->reserve(static_cast<uint64_t>(count));
}

// A tensor of `like`'s dtype, each element drawn by draw(its stream, its index).
Tensor drawn(IntArrayRef sizes, const Tensor& like, const std::optional<Generator>& gen,
             c10::function_ref<double(samplers::Stream&, int64_t)> draw) {
  const Tensor result = at::empty(sizes, like.options().dtype(kDouble));
  const PhiloxState state = reserve_streams(gen, result.numel());
  fill_each(result, [&](int64_t i) {
    samplers::Stream stream(state.seed, state.offset + static_cast<uint64_t>(i));
    return draw(stream, i);
  });
  return result.to(like.scalar_type());
}

}  // namespace

Tensor poisson(const Tensor& self, std::optional<Generator> gen) {
  check_parameter(self, "poisson");
  if (self.is_meta()) return at::empty(self.sizes(), self.options());
  const Tensor rates = doubles(self, self.sizes());
  const auto* rate = rates.const_data_ptr<double>();
  TORCH_CHECK(std::all_of(rate, rate + rates.numel(), [](double x) { return x >= 0.0; }),
              "invalid Poisson rate, expected rate to be non-negative");
  return drawn(self.sizes(), self, gen, [&](samplers::Stream& stream, int64_t i) {
    return samplers::poisson_sample(stream, rate[i]);
  });
}

Tensor binomial(const Tensor& count, const Tensor& prob, std::optional<Generator> gen) {
  check_parameter(count, "binomial");
  check_parameter(prob, "binomial");
  TORCH_CHECK(prob.device() == count.device() || (prob.dim() == 0 && prob.is_cpu()),
              "Expected count and prob to be on the same device, but found ", count.device(), " and ",
              prob.device());
  const DimVector sizes = infer_size_dimvector(count.sizes(), prob.sizes());
  if (count.is_meta()) return at::empty(sizes, count.options());
  const Tensor counts = doubles(count, sizes), chances = doubles(prob, sizes);
  const auto *n = counts.const_data_ptr<double>(), *p = chances.const_data_ptr<double>();
  return drawn(sizes, count, gen, [&](samplers::Stream& stream, int64_t i) {
    return samplers::binomial_sample(stream, n[i], p[i]);
  });
}

Tensor _standard_gamma(const Tensor& self, std::optional<Generator> gen) {
  check_parameter(self, "_standard_gamma");
  if (self.is_meta()) return at::empty(self.sizes(), self.options());
  const Tensor shapes = doubles(self, self.sizes());
  const auto* shape = shapes.const_data_ptr<double>();
  const double least = least_normal(self.scalar_type());
  return drawn(self.sizes(), self, gen, [&](samplers::Stream& stream, int64_t i) {
    const double sample = std::exp(samplers::log_gamma_sample(stream, shape[i]));
    return sample < least ? least : sample;
  });
}

Tensor _standard_gamma_grad(const Tensor& self, const Tensor& output) {
  check_parameter(self, "_standard_gamma_grad");
  const DimVector sizes = infer_size_dimvector(self.sizes(), output.sizes());
  if (self.is_meta()) return at::empty(sizes, self.options());
  const Tensor shapes = doubles(self, sizes), samples = doubles(output, sizes);
  const auto *shape = shapes.const_data_ptr<double>(), *sample = samples.const_data_ptr<double>();
  const Tensor result = at::empty(sizes, self.options().dtype(kDouble));
  fill_each(result, [&](int64_t i) { return samplers::gamma_slope(shape[i], sample[i]); });
  return result.to(self.scalar_type());
}

// Gamma-distributed numbers divided by their sum: by their logarithms, as small concentrations give numbers
// that underflow.
Tensor _sample_dirichlet(const Tensor& self, std::optional<Generator> gen) {
  check_parameter(self, "_sample_dirichlet");
  if (self.is_meta()) return at::empty(self.sizes(), self.options());
  check_concentrations(self);
  const Tensor concentrations = doubles(self, self.sizes());
  const auto* alpha = concentrations.const_data_ptr<double>();
  const Tensor logarithms = drawn(
      self.sizes(), concentrations, gen,
      [&](samplers::Stream& stream, int64_t i) { return samplers::log_gamma_sample(stream, alpha[i]); });
  auto* values = logarithms.mutable_data_ptr<double>();
  const double least = least_normal(self.scalar_type()), most = below_one(self.scalar_type());
  const int64_t length = self.size(-1), count = logarithms.numel();
  for (int64_t first = 0; first < count; first += length) {
    double *row = values + first, *end = row + length;
    const double greatest = *std::max_element(row, end);
    double sum = 0.0;
    for (double* x = row; x < end; ++x) {
      *x = std::exp(*x - greatest);
      sum += *x;
    }
    for (double* x = row; x < end; ++x) {
      const double part = *x / sum;
      *x = part < least ? least : part > most ? most : part;
    }
  }
  return logarithms.to(self.scalar_type());
}

Tensor _dirichlet_grad(const Tensor& x, const Tensor& alpha, const Tensor& total) {
  check_parameter(x, "_dirichlet_grad");
  const DimVector sizes = infer_size_dimvector(infer_size_dimvector(x.sizes(), alpha.sizes()), total.sizes());
  if (x.is_meta()) return at::empty(sizes, x.options());
  const Tensor points = doubles(x, sizes), alphas = doubles(alpha, sizes), totals = doubles(total, sizes);
  const auto *point = points.const_data_ptr<double>(), *a = alphas.const_data_ptr<double>(),
             *t = totals.const_data_ptr<double>();
  const Tensor result = at::empty(sizes, x.options().dtype(kDouble));
  fill_each(result, [&](int64_t i) { return samplers::beta_slope(point[i], a[i], t[i]); });
  return result.to(x.scalar_type());
}

}  // namespace at::native
