// Kernels of operators on lists: one launch for the tensors of a run (ops/foreach/binding.h).
#pragma once

#include <ATen/native/foreach/binding.h>

#include <cstddef>

namespace at::native::cuda_lists {

/// The kernels that operators come to while this exists are bound to the items of a run. Where scalars differ
/// between items, the operator is called for each of them, and the launch waits for the last one.
class TORCH_API Lists final : public foreach::Binding {
 public:
  /// Launches a kernel for `items`, for item i with the functor and scalars of calls[i * step].
  using Launch = void (*)(const Lists& lists, const void* calls, size_t step);

  explicit Lists(const foreach::Run& run);
  ~Lists() override;

  /// Whether the kernel of the iteration is launched for lists, now or later; else it is for the caller to
  /// launch. `call`: the `size` bytes of a functor and its inputs.
  bool take(const TensorIteratorBase& iter, Launch launch, const void* call, size_t size);
  /// The same of a reduction to one element; the caller launches it for `items`.
  bool take_reduction(const TensorIteratorBase& iter);
  /// There was a kernel that can't be bound.
  void leave_out() { loops_++; }

  /// The other items of a run, after the leader.
  void run_others(foreach::ItemFunction item);

 private:
  bool take_other(const TensorIteratorBase& iter, Launch launch, const void* call, size_t size);
  void add(const TensorIteratorBase& iter, Launch launch, const void* call, size_t size);
  void launch_added();

  size_t item_;              // that the operator is called for
  void* written_ = nullptr;  // where the kernel that was added for it writes
  Launch launch_ = nullptr;  // of those that were added
  std::vector<char> calls_;
};

/// Of this thread; null outside of operators on lists.
TORCH_API Lists* current();

}  // namespace at::native::cuda_lists
