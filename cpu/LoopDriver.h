// What elementwise loops share, whatever their function: how the elements of an iteration come to a loop over
// contiguous operands. It is compiled once, so that one more function costs its own loop and nothing else.
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/native/DispatchStub.h>

namespace at::native::loops {

inline constexpr int max_operands = 8;

// `n` contiguous elements of one type from those of another.
using Convert = void (*)(void* to, const void* from, int64_t n);
TORCH_API Convert conversion(ScalarType to, ScalarType from);

// Sizes in bytes of an element in memory, and of the number that the function takes or gives. `convert` leads
// from the one to the other (for the output the other way round); null where they are one.
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

// A function's loop over contiguous operands, the output first. The last inputs may be numbers, which are the
// same for all elements and no tensors of the iteration.
struct Loop {
  void (*run)(const void* f, char* const* data, int64_t n);
  const void* f;
  const Operand* operands;
  int num_operands;
  const void* const* numbers = nullptr;
  int num_numbers = 0;
  // The same with one value for all elements in the place of operand `number`, for functions that have it.
  void (*run_with_number)(const void* f, char* const* data, int64_t n, int number) = nullptr;
};

// By several threads where there are more than `grain_size` elements.
TORCH_API void run(TensorIteratorBase& iter, const Loop& loop, int64_t grain_size);

using run_loop_fn = void (*)(TensorIteratorBase&, const Loop&, int64_t);
using conversion_fn = Convert (*)(ScalarType, ScalarType);
DECLARE_DISPATCH(run_loop_fn, run_loop_stub)
DECLARE_DISPATCH(conversion_fn, conversion_stub)

}  // namespace at::native::loops
