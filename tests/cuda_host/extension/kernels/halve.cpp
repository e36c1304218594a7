// halving::halve on the CPU, and halving::quarter on every device.
#include <ATen/core/Tensor.h>

#include <ATen/ops/halving_halve.h>
#include <ATen/ops/halving_halve_native.h>
#include <ATen/ops/halving_quarter_native.h>
#include <ATen/ops/mul.h>

namespace at::native {

Tensor halve_cpu(const Tensor& self) { return self.mul(0.5); }

Tensor quarter(const Tensor& self) { return halving::halve(halving::halve(self)); }

}  // namespace at::native
