// Questions about dtypes and flags as operators.
#include <ATen/core/Tensor.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <ATen/ops/_is_zerotensor_native.h>
#include <ATen/ops/can_cast_native.h>
#include <ATen/ops/is_complex_native.h>
#include <ATen/ops/is_floating_point_native.h>
#include <ATen/ops/is_inference_native.h>
#include <ATen/ops/is_neg_native.h>
#include <ATen/ops/is_signed_native.h>
#include <ATen/ops/promote_types_native.h>
#include <ATen/ops/result_type_native.h>

namespace at::native {

namespace {

template <class A, class B>
ScalarType type_of_result(const A& a, const B& b) {
  return result_type(update_result_type_state(b, update_result_type_state(a, {})));
}

}  // namespace

ScalarType result_type(const Tensor& tensor, const Tensor& other) { return type_of_result(tensor, other); }
ScalarType result_type(const Tensor& tensor, const Scalar& other) { return type_of_result(tensor, other); }
ScalarType result_type(const Scalar& scalar, const Tensor& tensor) { return type_of_result(scalar, tensor); }
ScalarType result_type(const Scalar& a, const Scalar& b) { return type_of_result(a, b); }

bool can_cast(ScalarType from, ScalarType to) { return c10::canCast(from, to); }
ScalarType promote_types(ScalarType a, ScalarType b) { return c10::promoteTypes(a, b); }

bool is_floating_point(const Tensor& self) { return self.is_floating_point(); }
bool is_complex(const Tensor& self) { return self.is_complex(); }
bool is_signed(const Tensor& self) { return self.is_signed(); }
bool is_inference(const Tensor& self) { return self.is_inference(); }
bool is_neg(const Tensor& self) { return self.is_neg(); }
bool _is_zerotensor(const Tensor& self) { return self._is_zerotensor(); }

}  // namespace at::native
