// The part of elementwise loops that does not depend on the function: it brings the elements of an iteration
// to a loop over contiguous operands. Compiled once, so that another function costs only its own loop.
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/native/DispatchStub.h>

namespace at::native::loops {

inline constexpr int max_operands = 8;

// Converts `n` contiguous elements.
using Convert = void (*)(void* to, const void* from, int64_t n);
TORCH_API Convert conversion(ScalarType to, ScalarType from);

// Sizes in bytes of an element in memory, and of the type that the function computes with. `convert` converts
// from the first to the second (the reverse for the output); null where they are equal.
struct Operand {
  int stored_size, computed_size;
  Convert convert;
};

template <class T>
inline constexpr Operand operand = {sizeof(T), sizeof(T), nullptr};

// An input of type O, stored as `dtype`.
template <class O>
Operand converted_input(ScalarType dtype) {
  return {static_cast<int>(c10::elementSize(dtype)), sizeof(O),
          conversion(c10::CppTypeToScalarType<O>::value, dtype)};
}

// A result of type O, stored as `dtype`.
template <class O>
Operand converted_output(ScalarType dtype) {
  return {static_cast<int>(c10::elementSize(dtype)), sizeof(O),
          conversion(dtype, c10::CppTypeToScalarType<O>::value)};
}

// A function's loop over contiguous operands, the output first. The last inputs may be scalars, which are the
// same for all elements and no tensors of the iteration.
struct Loop {
  void (*run)(const void* f, char* const* data, int64_t n);
  const void* f;
  const Operand* operands;
  int num_operands;
  const void* const* scalars = nullptr;
  int num_scalars = 0;
  // The same with operand `operand` a scalar, for functions that have such a loop.
  void (*run_with_scalar)(const void* f, char* const* data, int64_t n, int operand) = nullptr;
};

// On several threads where there are more than `grain_size` elements.
TORCH_API void run(TensorIteratorBase& iter, const Loop& loop, int64_t grain_size);

using run_loop_fn = void (*)(TensorIteratorBase&, const Loop&, int64_t);
using conversion_fn = Convert (*)(ScalarType, ScalarType);

}  // namespace at::native::loops

namespace at::native {

DECLARE_DISPATCH(loops::run_loop_fn, run_loop_stub)
DECLARE_DISPATCH(loops::conversion_fn, conversion_stub)

}  // namespace at::native
