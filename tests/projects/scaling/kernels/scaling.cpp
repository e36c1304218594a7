#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/scaling__hidden_native.h>
#include <ATen/ops/scaling_halves_native.h>
#include <ATen/ops/scaling_linalg_scaled_native.h>
#include <ATen/ops/scaling_relu_native.h>
#include <ATen/ops/scaling_returns_argument_native.h>
#include <ATen/ops/scaling_scale_by_native.h>
#include <ATen/ops/scaling_scale_twice_native.h>
#include <ATen/ops/scaling_writes_native.h>

#include <cmath>

namespace at::native {

std::tuple<Tensor, Tensor> scale_by(const Tensor& self, double k, int64_t times) {
  const Tensor factors = at::full_like(self, std::pow(k, static_cast<double>(times)));
  return {at::mul(self, factors), factors};
}
Tensor& scale_twice_(Tensor& self, double k) { return self.mul_(k * k); }
std::tuple<Tensor, Tensor> halves(const Tensor& self) { return {at::mul(self, 0.5), at::mul(self, 0.5)}; }
Tensor linalg_scaled(const Tensor& self, double k) { return at::mul(self, k); }
Tensor _hidden(const Tensor& self) { return self.clone(); }
Tensor relu(const Tensor& self) { return at::mul(self, 0); }

// These two do what native_functions.yaml doesn't say.
Tensor writes(const Tensor& self, const Tensor& other) { return at::add(self, other.mul_(2)); }
Tensor returns_argument(const Tensor& self) { return self; }

}  // namespace at::native
