// The kernels of native_functions.yaml: composites that multiply.
#include <ATen/core/Tensor.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/doubled_native.h>
#include <ATen/ops/half_forward_native.h>
#include <ATen/ops/halved_native.h>
#include <ATen/ops/linalg_quartered_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/special_fifthed_native.h>
#include <ATen/ops/spread_native.h>
#include <ATen/ops/thirded_native.h>
#include <ATen/ops/unspread_native.h>

namespace at::native {

Tensor halved(const Tensor& self) { return at::mul(self, 0.5); }
Tensor half_forward(const Tensor& self) { return at::mul(self, 0.5); }
Tensor doubled(const Tensor& self) { return at::mul(self, 2.0); }
Tensor thirded(const Tensor& self) { return at::mul(self, 1.0 / 3); }
Tensor linalg_quartered(const Tensor& self) { return at::mul(self, 0.25); }
Tensor special_fifthed(const Tensor& self) { return at::mul(self, 0.2); }
Tensor spread(const Tensor& self) { return self.clone(); }
Tensor unspread(const Tensor& self) { return self.clone(); }

}  // namespace at::native
