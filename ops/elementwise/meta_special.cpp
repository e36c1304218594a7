// Meta functions of special functions: integers are computed as floats.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/i0_meta.h>
#include <ATen/ops/igamma_meta.h>
#include <ATen/ops/igammac_meta.h>
#include <ATen/ops/special_airy_ai_meta.h>
#include <ATen/ops/special_bessel_j0_meta.h>
#include <ATen/ops/special_bessel_j1_meta.h>
#include <ATen/ops/special_bessel_y0_meta.h>
#include <ATen/ops/special_bessel_y1_meta.h>
#include <ATen/ops/special_chebyshev_polynomial_t_meta.h>
#include <ATen/ops/special_chebyshev_polynomial_u_meta.h>
#include <ATen/ops/special_chebyshev_polynomial_v_meta.h>
#include <ATen/ops/special_chebyshev_polynomial_w_meta.h>
#include <ATen/ops/special_hermite_polynomial_h_meta.h>
#include <ATen/ops/special_hermite_polynomial_he_meta.h>
#include <ATen/ops/special_i0e_meta.h>
#include <ATen/ops/special_i1_meta.h>
#include <ATen/ops/special_i1e_meta.h>
#include <ATen/ops/special_laguerre_polynomial_l_meta.h>
#include <ATen/ops/special_legendre_polynomial_p_meta.h>
#include <ATen/ops/special_modified_bessel_i0_meta.h>
#include <ATen/ops/special_modified_bessel_i1_meta.h>
#include <ATen/ops/special_modified_bessel_k0_meta.h>
#include <ATen/ops/special_modified_bessel_k1_meta.h>
#include <ATen/ops/special_ndtri_meta.h>
#include <ATen/ops/special_scaled_modified_bessel_k0_meta.h>
#include <ATen/ops/special_scaled_modified_bessel_k1_meta.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_t_meta.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_u_meta.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_v_meta.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_w_meta.h>
#include <ATen/ops/special_spherical_bessel_j0_meta.h>
#include <ATen/ops/special_zeta_meta.h>

namespace at::meta {

#define UNARY_FLOAT_META_FUNC(name) \
  TORCH_META_FUNC(name)(const Tensor& self) { build_borrowing_unary_float_op(maybe_get_output(), self); }
#define BINARY_FLOAT_META_FUNC(name)                                  \
  TORCH_META_FUNC(name)(const Tensor& self, const Tensor& other) {    \
    build_borrowing_binary_float_op(maybe_get_output(), self, other); \
  }

UNARY_FLOAT_META_FUNC(i0)
UNARY_FLOAT_META_FUNC(special_i0e)
UNARY_FLOAT_META_FUNC(special_i1)
UNARY_FLOAT_META_FUNC(special_i1e)
UNARY_FLOAT_META_FUNC(special_ndtri)
UNARY_FLOAT_META_FUNC(special_airy_ai)
UNARY_FLOAT_META_FUNC(special_bessel_j0)
UNARY_FLOAT_META_FUNC(special_bessel_j1)
UNARY_FLOAT_META_FUNC(special_bessel_y0)
UNARY_FLOAT_META_FUNC(special_bessel_y1)
UNARY_FLOAT_META_FUNC(special_modified_bessel_i0)
UNARY_FLOAT_META_FUNC(special_modified_bessel_i1)
UNARY_FLOAT_META_FUNC(special_modified_bessel_k0)
UNARY_FLOAT_META_FUNC(special_modified_bessel_k1)
UNARY_FLOAT_META_FUNC(special_scaled_modified_bessel_k0)
UNARY_FLOAT_META_FUNC(special_scaled_modified_bessel_k1)
UNARY_FLOAT_META_FUNC(special_spherical_bessel_j0)

BINARY_FLOAT_META_FUNC(special_chebyshev_polynomial_t)
BINARY_FLOAT_META_FUNC(special_chebyshev_polynomial_u)
BINARY_FLOAT_META_FUNC(special_chebyshev_polynomial_v)
BINARY_FLOAT_META_FUNC(special_chebyshev_polynomial_w)
BINARY_FLOAT_META_FUNC(special_hermite_polynomial_h)
BINARY_FLOAT_META_FUNC(special_hermite_polynomial_he)
BINARY_FLOAT_META_FUNC(special_laguerre_polynomial_l)
BINARY_FLOAT_META_FUNC(special_legendre_polynomial_p)
BINARY_FLOAT_META_FUNC(special_shifted_chebyshev_polynomial_t)
BINARY_FLOAT_META_FUNC(special_shifted_chebyshev_polynomial_u)
BINARY_FLOAT_META_FUNC(special_shifted_chebyshev_polynomial_v)
BINARY_FLOAT_META_FUNC(special_shifted_chebyshev_polynomial_w)
BINARY_FLOAT_META_FUNC(special_zeta)

// Integers alone are no operands of the incomplete gamma functions.
#define INCOMPLETE_GAMMA_META_FUNC(name)                           \
  TORCH_META_FUNC(name)(const Tensor& self, const Tensor& other) { \
    build_borrowing_binary_op(maybe_get_output(), self, other);    \
  }

INCOMPLETE_GAMMA_META_FUNC(igamma)
INCOMPLETE_GAMMA_META_FUNC(igammac)

#undef UNARY_FLOAT_META_FUNC
#undef BINARY_FLOAT_META_FUNC
#undef INCOMPLETE_GAMMA_META_FUNC

}  // namespace at::meta
