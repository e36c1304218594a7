// What a function sees in place of a tensor while it is mapped over a batch: one example's geometry in front,
// all examples behind.
#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/intrusive_ptr.h>

#include <cstdint>
#include <vector>

namespace at::inline C10_ABI {

// Below autograd, so that a batched tensor has a graph of its own: the value behind it is recorded in
// another.
inline constexpr c10::DispatchKey kBatchedKey = c10::DispatchKey::FuncTorchDynamicLayerBackMode;

/// What random operators do in a map: fail, draw for each example, or draw once for all.
enum class Randomness : uint8_t { Error, Different, Same };

/// One map that runs, or has run. Maps nest: the outermost has number 1.
struct TORCH_API BatchLevel final : c10::intrusive_ptr_target {
  BatchLevel(int64_t number, int64_t size, Randomness randomness)
      : number(number), size(size), randomness(randomness) {}
  ~BatchLevel() override;

  const int64_t number;
  const int64_t size;
  const Randomness randomness;
  bool ended = false;
};
using BatchLevelPtr = c10::intrusive_ptr<BatchLevel>;

/// The innermost map of this thread, null outside of maps.
TORCH_API BatchLevelPtr current_batch_level();
TORCH_API const BatchLevelPtr& enter_batch_level(int64_t size, Randomness randomness);
/// Tensors of the level that are still referred to can't be used any more.
TORCH_API void exit_batch_level();

/// In its scope only maps outside of the one of that number are seen.
class TORCH_API BatchLevelsBelow {
 public:
  explicit BatchLevelsBelow(int64_t number);
  BatchLevelsBelow(const BatchLevelsBelow&) = delete;
  BatchLevelsBelow& operator=(const BatchLevelsBelow&) = delete;
  ~BatchLevelsBelow();

 private:
  size_t before_;
};

/// The same for calls in which maps may begin: the levels are put back in the end.
class TORCH_API BatchLevelsTaken {
 public:
  explicit BatchLevelsTaken(int64_t number);
  BatchLevelsTaken(const BatchLevelsTaken&) = delete;
  BatchLevelsTaken& operator=(const BatchLevelsTaken&) = delete;
  ~BatchLevelsTaken();

 private:
  std::vector<BatchLevelPtr> taken_;
  size_t before_;
};

/// The value has the examples along dimension 0; without `is_batched` it is the same for all of them. It may
/// itself be a tensor of a level further out.
class TORCH_API BatchedTensorImpl final : public c10::TensorImpl {
 public:
  BatchedTensorImpl(TensorBase value, bool is_batched, BatchLevelPtr level);
  ~BatchedTensorImpl() override;

  const TensorBase& value() const { return value_; }
  bool is_batched() const { return is_batched_; }
  const BatchLevelPtr& level() const { return level_; }
  /// Takes over the value's geometry after it was changed in place.
  void refresh();

  void release_resources() override;
  c10::intrusive_ptr<TensorImpl> shallow_copy_and_detach(const c10::VariableVersion& version_counter,
                                                         bool allow_tensor_metadata_change) const override;
  void shallow_copy_from(const c10::intrusive_ptr<TensorImpl>& impl) override;
  const char* tensorimpl_type_name() const override { return "a batched tensor"; }

 private:
  TensorBase value_;
  bool is_batched_;
  BatchLevelPtr level_;
};

/// Null for other tensors.
inline BatchedTensorImpl* batched_impl(const TensorBase& t) {
  const bool is_one = t.defined() && t.key_set().has(kBatchedKey);
  return is_one ? static_cast<BatchedTensorImpl*>(t.unsafeGetTensorImpl()) : nullptr;
}
/// Whether the tensor's values may be looked at: not those of examples, nor those that the meta device lacks.
inline bool has_one_value(const TensorBase& t) { return !t.is_meta() && batched_impl(t) == nullptr; }
TORCH_API TensorBase make_batched(TensorBase value, bool is_batched, const BatchLevelPtr& level);

}  // namespace at::inline C10_ABI
