// Type promotion by category.
#include <ATen/native/TypeProperties.h>

#include <c10/core/DefaultDtype.h>

namespace at::native {

namespace {

using c10::ScalarType;

ScalarType default_complex() { return c10::toComplexType(c10::get_default_dtype_as_scalartype()); }

ScalarType promote_skip_undefined(ScalarType a, ScalarType b) {
  if (a == ScalarType::Undefined) {
    return b;
  }
  return b == ScalarType::Undefined || a == b ? a : c10::promoteTypes(a, b);
}

// `higher` decides unless `lower` is of a higher kind.
ScalarType combine_categories(ScalarType higher, ScalarType lower) {
  if (c10::isComplexType(higher)) {
    return higher;
  }
  if (c10::isFloatingType(higher)) {
    // A complex number among floating tensors keeps their precision.
    return c10::isComplexType(lower) ? c10::toComplexType(higher) : higher;
  }
  const bool decided =
      higher != ScalarType::Undefined &&
      (c10::isIntegralType(higher, /*includeBool=*/false)
           ? c10::isIntegralType(lower, /*includeBool=*/true) || lower == ScalarType::Undefined
           : lower == ScalarType::Bool || lower == ScalarType::Undefined);
  return decided ? higher : promote_skip_undefined(higher, lower);
}

}  // namespace

ResultTypeState update_result_type_state(const TensorBase& tensor, const ResultTypeState& in_state) {
  if (!tensor.defined()) {
    return in_state;
  }
  ResultTypeState state = in_state;
  ScalarType current = tensor.scalar_type();
  const bool wrapped = tensor.unsafeGetTensorImpl()->is_wrapped_number();
  if (wrapped) {
    if (c10::isComplexType(current)) {
      current = default_complex();
    } else if (c10::isFloatingType(current)) {
      current = c10::get_default_dtype_as_scalartype();
    }
  }
  ScalarType& slot = tensor.dim() > 0 ? state.dimResult : wrapped ? state.wrappedResult : state.zeroResult;
  slot = promote_skip_undefined(slot, current);
  return state;
}

ResultTypeState update_result_type_state(const Scalar& scalar, const ResultTypeState& in_state) {
  ResultTypeState state = in_state;
  ScalarType current = scalar.type();
  if (c10::isComplexType(current)) {
    current = default_complex();
  } else if (c10::isFloatingType(current)) {
    current = c10::get_default_dtype_as_scalartype();
  }
  state.wrappedResult = promote_skip_undefined(state.wrappedResult, current);
  return state;
}

ScalarType result_type(const ResultTypeState& state) {
  return combine_categories(state.dimResult, combine_categories(state.zeroResult, state.wrappedResult));
}

ScalarType promoted_type(const TensorBase& a, const TensorBase& b) {
  return result_type(update_result_type_state(b, update_result_type_state(a, {})));
}

ScalarType promoted_type(const TensorBase& a, const Scalar& b) {
  return result_type(update_result_type_state(b, update_result_type_state(a, {})));
}

}  // namespace at::native
