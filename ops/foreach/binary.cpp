// _foreach_ operators of two operands, of which the second is a list of tensors, one tensor of one element,
// or scalars: one for all, or a list.
#include <ATen/core/Tensor.h>
#include <ATen/native/foreach/lists.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/_foreach_add_native.h>
#include <ATen/ops/_foreach_clamp_max_native.h>
#include <ATen/ops/_foreach_clamp_min_native.h>
#include <ATen/ops/_foreach_div_native.h>
#include <ATen/ops/_foreach_maximum_native.h>
#include <ATen/ops/_foreach_minimum_native.h>
#include <ATen/ops/_foreach_mul_native.h>
#include <ATen/ops/_foreach_pow_native.h>
#include <ATen/ops/_foreach_sub_native.h>
#include <ATen/ops/add.h>
#include <ATen/ops/clamp_max.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/div.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/sub.h>

namespace at::native {

#define FOREACH_SCALAR(name, op)                                                                 \
  std::vector<Tensor> _foreach_##name(TensorList self, const Scalar& scalar) {                   \
    foreach                                                                                      \
      ::check_lists({self});                                                                     \
    return foreach::map({self}, [&](size_t i) { return at::op(self[i], scalar); });              \
  }                                                                                              \
  void _foreach_##name##_(TensorList self, const Scalar& scalar) {                               \
    foreach                                                                                      \
      ::check_lists({self});                                                                     \
    foreach                                                                                      \
      ::update({self}, [&](size_t i) { return self[i].op##_(scalar); });                         \
  }                                                                                              \
  std::vector<Tensor> _foreach_##name(TensorList self, ArrayRef<Scalar> scalars) {               \
    foreach                                                                                      \
      ::check_lists({self}, scalars);                                                            \
    return foreach::map({self}, [&](size_t i) { return at::op(self[i], scalars[i]); }, scalars); \
  }                                                                                              \
  void _foreach_##name##_(TensorList self, ArrayRef<Scalar> scalars) {                           \
    foreach                                                                                      \
      ::check_lists({self}, scalars);                                                            \
    foreach                                                                                      \
      ::update({self}, [&](size_t i) { return self[i].op##_(scalars[i]); }, scalars);            \
  }

#define FOREACH_LIST(name, op)                                                               \
  std::vector<Tensor> _foreach_##name(TensorList self, TensorList other) {                   \
    foreach                                                                                  \
      ::check_lists({self, other});                                                          \
    return foreach::map({self, other}, [&](size_t i) { return at::op(self[i], other[i]); }); \
  }                                                                                          \
  void _foreach_##name##_(TensorList self, TensorList other) {                               \
    foreach                                                                                  \
      ::check_lists({self, other});                                                          \
    foreach                                                                                  \
      ::update({self, other}, [&](size_t i) { return self[i].op##_(other[i]); });            \
  }

#define FOREACH_LIST_WITH_ALPHA(op)                                                                 \
  std::vector<Tensor> _foreach_##op(TensorList self, TensorList other, const Scalar& alpha) {       \
    foreach                                                                                         \
      ::check_lists({self, other});                                                                 \
    return foreach::map({self, other}, [&](size_t i) { return at::op(self[i], other[i], alpha); }); \
  }                                                                                                 \
  void _foreach_##op##_(TensorList self, TensorList other, const Scalar& alpha) {                   \
    foreach                                                                                         \
      ::check_lists({self, other});                                                                 \
    foreach                                                                                         \
      ::update({self, other}, [&](size_t i) { return self[i].op##_(other[i], alpha); });            \
  }

// With a tensor of one element, and arguments after it.
#define FOREACH_TENSOR(op, params, args)                                                \
  std::vector<Tensor> _foreach_##op(TensorList self, const Tensor& other params) {      \
    foreach                                                                             \
      ::check_scalar_tensor(other);                                                     \
    foreach                                                                             \
      ::check_lists({self});                                                            \
    return foreach::map({self}, [&](size_t i) { return at::op(self[i], other args); }); \
  }                                                                                     \
  void _foreach_##op##_(TensorList self, const Tensor& other params) {                  \
    foreach                                                                             \
      ::check_scalar_tensor(other);                                                     \
    foreach                                                                             \
      ::check_lists({self});                                                            \
    foreach                                                                             \
      ::update({self}, [&](size_t i) { return self[i].op##_(other args); });            \
  }
#define COMMA ,

FOREACH_SCALAR(add, add)
FOREACH_SCALAR(sub, sub)
FOREACH_SCALAR(mul, mul)
FOREACH_SCALAR(div, div)
FOREACH_SCALAR(pow, pow)
FOREACH_SCALAR(clamp_max, clamp_max)
FOREACH_SCALAR(clamp_min, clamp_min)
FOREACH_SCALAR(maximum, clamp_min)
FOREACH_SCALAR(minimum, clamp_max)

FOREACH_LIST_WITH_ALPHA(add)
FOREACH_LIST_WITH_ALPHA(sub)
FOREACH_LIST(mul, mul)
FOREACH_LIST(div, div)
FOREACH_LIST(pow, pow)
FOREACH_LIST(clamp_max, clamp_max)
FOREACH_LIST(clamp_min, clamp_min)
FOREACH_LIST(maximum, clamp_min)
FOREACH_LIST(minimum, clamp_max)

FOREACH_TENSOR(add, COMMA const Scalar& alpha, COMMA alpha)
FOREACH_TENSOR(mul, , )
FOREACH_TENSOR(div, , )

#undef COMMA
#undef FOREACH_TENSOR
#undef FOREACH_LIST_WITH_ALPHA
#undef FOREACH_LIST
#undef FOREACH_SCALAR

std::vector<Tensor> _foreach_pow(const Scalar& self, TensorList exponent) {
  foreach
    ::check_lists({exponent});
  return foreach::map({exponent}, [&](size_t i) { return at::pow(self, exponent[i]); });
}

}  // namespace at::native
