// Type promotion over several operands: dimensioned tensors take precedence over 0-dim tensors, and those
// over scalars; a lower priority only counts where its category (bool < integral < floating < complex) is
// higher.
#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

namespace at::native {

struct ResultTypeState {
  c10::ScalarType dimResult = c10::ScalarType::Undefined;
  c10::ScalarType wrappedResult = c10::ScalarType::Undefined;
  c10::ScalarType zeroResult = c10::ScalarType::Undefined;
};

TORCH_API ResultTypeState update_result_type_state(const TensorBase& tensor, const ResultTypeState& in_state);
TORCH_API ResultTypeState update_result_type_state(const Scalar& scalar, const ResultTypeState& in_state);
TORCH_API c10::ScalarType result_type(const ResultTypeState& state);

// The dtype of `a op b`, and of an operation on all of `tensors` (any range of at::Tensor or at::TensorBase).
TORCH_API c10::ScalarType promoted_type(const TensorBase& a, const TensorBase& b);
TORCH_API c10::ScalarType promoted_type(const TensorBase& a, const Scalar& b);
template <typename Tensors>
c10::ScalarType promoted_type_of(const Tensors& tensors) {
  ResultTypeState state;
  for (const TensorBase& tensor : tensors) {
    state = update_result_type_state(tensor, state);
  }
  return result_type(state);
}

}  // namespace at::native
