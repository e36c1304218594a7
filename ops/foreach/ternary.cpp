// _foreach_ operators of three lists: addcmul, addcdiv, lerp.
#include <ATen/core/Tensor.h>
#include <ATen/native/foreach/lists.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/_foreach_addcdiv_native.h>
#include <ATen/ops/_foreach_addcmul_native.h>
#include <ATen/ops/_foreach_lerp_native.h>
#include <ATen/ops/addcdiv.h>
#include <ATen/ops/addcmul.h>
#include <ATen/ops/lerp.h>

namespace at::native {

// self + value * tensor1 * tensor2 or the like, with one value for all or one for each.
#define FOREACH_POINTWISE(op)                                                                                \
  std::vector<Tensor> _foreach_##op(TensorList self, TensorList tensor1, TensorList tensor2,                 \
                                    const Scalar& value) {                                                   \
    foreach                                                                                                  \
      ::check_lists({self, tensor1, tensor2});                                                               \
    return foreach::map({self, tensor1, tensor2},                                                            \
                        [&](size_t i) { return at::op(self[i], tensor1[i], tensor2[i], value); });           \
  }                                                                                                          \
  void _foreach_##op##_(TensorList self, TensorList tensor1, TensorList tensor2, const Scalar& value) {      \
    foreach                                                                                                  \
      ::check_lists({self, tensor1, tensor2});                                                               \
    foreach                                                                                                  \
      ::update({self, tensor1, tensor2},                                                                     \
               [&](size_t i) { return self[i].op##_(tensor1[i], tensor2[i], value); });                      \
  }                                                                                                          \
  std::vector<Tensor> _foreach_##op(TensorList self, TensorList tensor1, TensorList tensor2,                 \
                                    ArrayRef<Scalar> scalars) {                                              \
    foreach                                                                                                  \
      ::check_lists({self, tensor1, tensor2}, scalars);                                                      \
    return foreach::map(                                                                                     \
        {self, tensor1, tensor2},                                                                            \
        [&](size_t i) { return at::op(self[i], tensor1[i], tensor2[i], scalars[i]); }, scalars);             \
  }                                                                                                          \
  void _foreach_##op##_(TensorList self, TensorList tensor1, TensorList tensor2, ArrayRef<Scalar> scalars) { \
    foreach                                                                                                  \
      ::check_lists({self, tensor1, tensor2}, scalars);                                                      \
    foreach                                                                                                  \
      ::update(                                                                                              \
          {self, tensor1, tensor2},                                                                          \
          [&](size_t i) { return self[i].op##_(tensor1[i], tensor2[i], scalars[i]); }, scalars);             \
  }                                                                                                          \
  std::vector<Tensor> _foreach_##op(TensorList self, TensorList tensor1, TensorList tensor2,                 \
                                    const Tensor& scalars) {                                                 \
    return _foreach_##op(self, tensor1, tensor2, foreach::unpack_scalars(scalars, self.size()));             \
  }                                                                                                          \
  void _foreach_##op##_(TensorList self, TensorList tensor1, TensorList tensor2, const Tensor& scalars) {    \
    _foreach_##op##_(self, tensor1, tensor2, foreach::unpack_scalars(scalars, self.size()));                 \
  }

FOREACH_POINTWISE(addcdiv)
FOREACH_POINTWISE(addcmul)

#undef FOREACH_POINTWISE

// -------------------- lerp

std::vector<Tensor> _foreach_lerp(TensorList self, TensorList tensors1, TensorList weights) {
  foreach
    ::check_lists({self, tensors1, weights});
  return foreach::map({self, tensors1, weights},
                      [&](size_t i) { return at::lerp(self[i], tensors1[i], weights[i]); });
}
void _foreach_lerp_(TensorList self, TensorList tensors1, TensorList weights) {
  foreach
    ::check_lists({self, tensors1, weights});
  foreach
    ::update({self, tensors1, weights}, [&](size_t i) { return self[i].lerp_(tensors1[i], weights[i]); });
}
std::vector<Tensor> _foreach_lerp(TensorList self, TensorList tensors1, const Scalar& weight) {
  foreach
    ::check_lists({self, tensors1});
  return foreach::map({self, tensors1}, [&](size_t i) { return at::lerp(self[i], tensors1[i], weight); });
}
void _foreach_lerp_(TensorList self, TensorList tensors1, const Scalar& weight) {
  foreach
    ::check_lists({self, tensors1});
  foreach
    ::update({self, tensors1}, [&](size_t i) { return self[i].lerp_(tensors1[i], weight); });
}
std::vector<Tensor> _foreach_lerp(TensorList self, TensorList tensors1, ArrayRef<Scalar> weight) {
  foreach
    ::check_lists({self, tensors1}, weight);
  return foreach::map(
      {self, tensors1}, [&](size_t i) { return at::lerp(self[i], tensors1[i], weight[i]); }, weight);
}
void _foreach_lerp_(TensorList self, TensorList tensors1, ArrayRef<Scalar> weight) {
  foreach
    ::check_lists({self, tensors1}, weight);
  foreach
    ::update({self, tensors1}, [&](size_t i) { return self[i].lerp_(tensors1[i], weight[i]); }, weight);
}

}  // namespace at::native
