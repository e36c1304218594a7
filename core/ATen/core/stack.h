// Helpers for boxed kernels: arguments lie on the stack in the schema's order, the last on top.
#pragma once
#include <ATen/core/boxing/Signature.h>
#include <ATen/core/ivalue.h>

#include <utility>

namespace torch::inline C10_ABI {
namespace jit {

using c10::IValue;
using c10::Stack;

// The i-th of the last n values.
inline IValue& peek(Stack& stack, size_t i, size_t n) { return stack[stack.size() - n + i]; }
inline const IValue& peek(const Stack& stack, size_t i, size_t n) { return stack[stack.size() - n + i]; }

// The last n values.
inline c10::ArrayRef<IValue> last(const Stack& stack, size_t n) {
  return c10::ArrayRef<IValue>(&stack[stack.size() - n], n);
}

inline void drop(Stack& stack, size_t n) { stack.resize(stack.size() - n); }
inline void drop(Stack* stack, size_t n) { drop(*stack, n); }

inline IValue pop(Stack& stack) {
  IValue value = std::move(stack.back());
  stack.pop_back();
  return value;
}
inline IValue pop(Stack* stack) { return pop(*stack); }

// Pops the last values into the given variables, the deepest into the first.
template <class... T>
void pop(Stack& stack, T&... values) {
  size_t i = 0;
  ((values = peek(stack, i++, sizeof...(T)).template to<T>()), ...);
  drop(stack, sizeof...(T));
}

template <class... T>
void push(Stack& stack, T&&... values) {
  (stack.emplace_back(std::forward<T>(values)), ...);
}
template <class... T>
void push(Stack* stack, T&&... values) {
  push(*stack, std::forward<T>(values)...);
}

}  // namespace jit
}  // namespace torch::inline C10_ABI
