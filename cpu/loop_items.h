// Loops over the tensors of lists instead of those of their iteration (cpu/foreach/items.cpp).
#pragma once

#include <ATen/native/cpu/LoopDriver.h>
#include <ATen/native/foreach/binding.h>

namespace at::native::loops {

// The operands of one loop, or one reduction to single elements, over many tensors.
struct Items : foreach::Binding {
  static_assert(most_operands >= max_operands);
  bool in_order = false;  // an item reads or writes what another one writes

  using Binding::Binding;
  // Fills in what the iteration's loop needs for all items; false if it can't run over them.
  virtual bool bind(const TensorIteratorBase& iter, const Loop& loop, int64_t grain_size) = 0;
  virtual bool bind_reduction(const TensorIteratorBase& iter) = 0;
};

// What this thread's loops run over instead of their iteration's operands, if they can be bound.
extern C10_HIDDEN constinit thread_local Items* items;

}  // namespace at::native::loops
