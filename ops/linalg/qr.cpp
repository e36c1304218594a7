// Former names: qr is linalg_qr, orgqr linalg_householder_product.
#include <ATen/core/Tensor.h>

#include <ATen/ops/linalg_householder_product.h>
#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/orgqr_native.h>
#include <ATen/ops/qr_native.h>

#include <tuple>

namespace at::native {

std::tuple<Tensor, Tensor> qr(const Tensor& self, bool some) {
  return at::linalg_qr(self, some ? "reduced" : "complete");
}

std::tuple<Tensor&, Tensor&> qr_out(const Tensor& self, bool some, Tensor& Q, Tensor& R) {
  return at::linalg_qr_outf(self, some ? "reduced" : "complete", Q, R);
}

Tensor orgqr(const Tensor& self, const Tensor& input2) {
  return at::linalg_householder_product(self, input2);
}

Tensor& orgqr_out(const Tensor& self, const Tensor& input2, Tensor& out) {
  return at::linalg_householder_product_outf(self, input2, out);
}

}  // namespace at::native
