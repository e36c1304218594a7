// Functions of two operands, one of them a scalar: xlogy, copysign, the zeta function, orthogonal
// polynomials.
#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/copysign.h>
#include <ATen/ops/copysign_native.h>
#include <ATen/ops/special_chebyshev_polynomial_t.h>
#include <ATen/ops/special_chebyshev_polynomial_t_native.h>
#include <ATen/ops/special_chebyshev_polynomial_u.h>
#include <ATen/ops/special_chebyshev_polynomial_u_native.h>
#include <ATen/ops/special_chebyshev_polynomial_v.h>
#include <ATen/ops/special_chebyshev_polynomial_v_native.h>
#include <ATen/ops/special_chebyshev_polynomial_w.h>
#include <ATen/ops/special_chebyshev_polynomial_w_native.h>
#include <ATen/ops/special_hermite_polynomial_h.h>
#include <ATen/ops/special_hermite_polynomial_h_native.h>
#include <ATen/ops/special_hermite_polynomial_he.h>
#include <ATen/ops/special_hermite_polynomial_he_native.h>
#include <ATen/ops/special_laguerre_polynomial_l.h>
#include <ATen/ops/special_laguerre_polynomial_l_native.h>
#include <ATen/ops/special_legendre_polynomial_p.h>
#include <ATen/ops/special_legendre_polynomial_p_native.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_t.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_t_native.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_u.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_u_native.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_v.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_v_native.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_w.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_w_native.h>
#include <ATen/ops/special_xlog1py.h>
#include <ATen/ops/special_xlog1py_native.h>
#include <ATen/ops/special_zeta.h>
#include <ATen/ops/special_zeta_native.h>
#include <ATen/ops/xlogy.h>
#include <ATen/ops/xlogy_native.h>

namespace at::native {

Tensor copysign(const Tensor& self, const Scalar& other) {
  return at::copysign(self, wrapped_scalar_tensor(other));
}
Tensor& copysign_(Tensor& self, const Scalar& other) { return self.copysign_(wrapped_scalar_tensor(other)); }
Tensor& copysign_out(const Tensor& self, const Scalar& other, Tensor& result) {
  return at::copysign_outf(self, wrapped_scalar_tensor(other), result);
}

#define NUMBER_WITH_TENSOR(name)                                                \
  Tensor name(const Scalar& self, const Tensor& other) {                        \
    return at::name(wrapped_scalar_tensor(self), other);                        \
  }                                                                             \
  Tensor name(const Tensor& self, const Scalar& other) {                        \
    return at::name(self, wrapped_scalar_tensor(other));                        \
  }                                                                             \
  Tensor& name##_out(const Scalar& self, const Tensor& other, Tensor& result) { \
    return at::name##_outf(wrapped_scalar_tensor(self), other, result);         \
  }                                                                             \
  Tensor& name##_out(const Tensor& self, const Scalar& other, Tensor& result) { \
    return at::name##_outf(self, wrapped_scalar_tensor(other), result);         \
  }

NUMBER_WITH_TENSOR(xlogy)
NUMBER_WITH_TENSOR(special_xlog1py)
NUMBER_WITH_TENSOR(special_zeta)
NUMBER_WITH_TENSOR(special_chebyshev_polynomial_t)
NUMBER_WITH_TENSOR(special_chebyshev_polynomial_u)
NUMBER_WITH_TENSOR(special_chebyshev_polynomial_v)
NUMBER_WITH_TENSOR(special_chebyshev_polynomial_w)
NUMBER_WITH_TENSOR(special_hermite_polynomial_h)
NUMBER_WITH_TENSOR(special_hermite_polynomial_he)
NUMBER_WITH_TENSOR(special_laguerre_polynomial_l)
NUMBER_WITH_TENSOR(special_legendre_polynomial_p)
NUMBER_WITH_TENSOR(special_shifted_chebyshev_polynomial_t)
NUMBER_WITH_TENSOR(special_shifted_chebyshev_polynomial_u)
NUMBER_WITH_TENSOR(special_shifted_chebyshev_polynomial_v)
NUMBER_WITH_TENSOR(special_shifted_chebyshev_polynomial_w)

#undef NUMBER_WITH_TENSOR

Tensor& xlogy_(Tensor& self, const Scalar& other) { return self.xlogy_(wrapped_scalar_tensor(other)); }

}  // namespace at::native
