// _foreach_ operators of one list.
#include <ATen/core/Tensor.h>
#include <ATen/native/foreach/lists.h>

#include <ATen/ops/_foreach_abs_native.h>
#include <ATen/ops/_foreach_acos_native.h>
#include <ATen/ops/_foreach_asin_native.h>
#include <ATen/ops/_foreach_atan_native.h>
#include <ATen/ops/_foreach_ceil_native.h>
#include <ATen/ops/_foreach_cos_native.h>
#include <ATen/ops/_foreach_cosh_native.h>
#include <ATen/ops/_foreach_erf_native.h>
#include <ATen/ops/_foreach_erfc_native.h>
#include <ATen/ops/_foreach_exp_native.h>
#include <ATen/ops/_foreach_expm1_native.h>
#include <ATen/ops/_foreach_floor_native.h>
#include <ATen/ops/_foreach_frac_native.h>
#include <ATen/ops/_foreach_lgamma_native.h>
#include <ATen/ops/_foreach_log10_native.h>
#include <ATen/ops/_foreach_log1p_native.h>
#include <ATen/ops/_foreach_log2_native.h>
#include <ATen/ops/_foreach_log_native.h>
#include <ATen/ops/_foreach_neg_native.h>
#include <ATen/ops/_foreach_reciprocal_native.h>
#include <ATen/ops/_foreach_round_native.h>
#include <ATen/ops/_foreach_rsqrt_native.h>
#include <ATen/ops/_foreach_sigmoid_native.h>
#include <ATen/ops/_foreach_sign_native.h>
#include <ATen/ops/_foreach_sin_native.h>
#include <ATen/ops/_foreach_sinh_native.h>
#include <ATen/ops/_foreach_sqrt_native.h>
#include <ATen/ops/_foreach_tan_native.h>
#include <ATen/ops/_foreach_tanh_native.h>
#include <ATen/ops/_foreach_trunc_native.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/acos.h>
#include <ATen/ops/asin.h>
#include <ATen/ops/atan.h>
#include <ATen/ops/ceil.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/cosh.h>
#include <ATen/ops/erf.h>
#include <ATen/ops/erfc.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/expm1.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/frac.h>
#include <ATen/ops/lgamma.h>
#include <ATen/ops/log.h>
#include <ATen/ops/log10.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/log2.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/reciprocal.h>
#include <ATen/ops/round.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/sign.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/sinh.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/tan.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/trunc.h>

namespace at::native {

#define FOREACH_UNARY(op)                                                   \
  std::vector<Tensor> _foreach_##op(TensorList self) {                      \
    foreach                                                                 \
      ::check_lists({self});                                                \
    return foreach::map({self}, [&](size_t i) { return at::op(self[i]); }); \
  }                                                                         \
  void _foreach_##op##_(TensorList self) {                                  \
    foreach                                                                 \
      ::check_lists({self});                                                \
    foreach                                                                 \
      ::update({self}, [&](size_t i) { return self[i].op##_(); });          \
  }

FOREACH_UNARY(abs)
FOREACH_UNARY(acos)
FOREACH_UNARY(asin)
FOREACH_UNARY(atan)
FOREACH_UNARY(ceil)
FOREACH_UNARY(cos)
FOREACH_UNARY(cosh)
FOREACH_UNARY(erf)
FOREACH_UNARY(erfc)
FOREACH_UNARY(exp)
FOREACH_UNARY(expm1)
FOREACH_UNARY(floor)
FOREACH_UNARY(frac)
FOREACH_UNARY(lgamma)
FOREACH_UNARY(log)
FOREACH_UNARY(log10)
FOREACH_UNARY(log1p)
FOREACH_UNARY(log2)
FOREACH_UNARY(neg)
FOREACH_UNARY(reciprocal)
FOREACH_UNARY(round)
FOREACH_UNARY(rsqrt)
FOREACH_UNARY(sigmoid)
FOREACH_UNARY(sign)
FOREACH_UNARY(sin)
FOREACH_UNARY(sinh)
FOREACH_UNARY(sqrt)
FOREACH_UNARY(tan)
FOREACH_UNARY(tanh)
FOREACH_UNARY(trunc)

#undef FOREACH_UNARY

}  // namespace at::native
