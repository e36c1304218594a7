// Batched tensors, and the levels that a thread is in (see the header).
#include <ATen/batching/BatchedTensorImpl.h>

#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace at::inline C10_ABI {

namespace {

thread_local std::vector<BatchLevelPtr> levels;
thread_local size_t visible = 0;  // how many of them calls see

c10::DispatchKeySet keys_of(const TensorBase& value) {
  return (value.key_set() - c10::python_ks) | c10::DispatchKeySet(kBatchedKey);
}

// Random operators are asked about only in maps.
void see(size_t count) {
  if ((visible == 0) != (count == 0)) {
    c10::impl::tls_set_dispatch_key_included(c10::DispatchKey::FuncTorchVmapMode, count != 0);
  }
  visible = count;
}

}  // namespace

BatchLevel::~BatchLevel() = default;

BatchLevelPtr current_batch_level() { return visible == 0 ? BatchLevelPtr() : levels[visible - 1]; }

const BatchLevelPtr& enter_batch_level(int64_t size, Randomness randomness) {
  TORCH_CHECK(visible == levels.size(), "vmap can't begin inside of an operator");
  levels.push_back(c10::make_intrusive<BatchLevel>(static_cast<int64_t>(visible) + 1, size, randomness));
  see(visible + 1);
  return levels.back();
}

void exit_batch_level() {
  TORCH_CHECK(visible > 0 && visible == levels.size(), "this thread is in no vmap");
  levels.back()->ended = true;
  levels.pop_back();
  see(visible - 1);
}

BatchLevelsBelow::BatchLevelsBelow(int64_t number) : before_(visible) {
  visible = std::min(visible, static_cast<size_t>(number - 1));
}
BatchLevelsBelow::~BatchLevelsBelow() { visible = before_; }

BatchLevelsTaken::BatchLevelsTaken(int64_t number) : before_(visible) {
  const auto kept = std::min(visible, static_cast<size_t>(number - 1));
  const auto first = levels.begin() + static_cast<std::ptrdiff_t>(kept);
  taken_.assign(std::make_move_iterator(first), std::make_move_iterator(levels.end()));
  levels.resize(kept);
  see(kept);
}
BatchLevelsTaken::~BatchLevelsTaken() {
  levels.insert(levels.end(), std::make_move_iterator(taken_.begin()), std::make_move_iterator(taken_.end()));
  see(before_);
}

BatchedTensorImpl::BatchedTensorImpl(TensorBase value, bool is_batched, BatchLevelPtr level)
    : TensorImpl(keys_of(value), value.scalar_type(), value.device()),
      value_(std::move(value)),
      is_batched_(is_batched),
      level_(std::move(level)) {
  set_key_set(keys_of(value_));  // an inference tensor's has no autograd keys
  refresh();
}
BatchedTensorImpl::~BatchedTensorImpl() = default;

void BatchedTensorImpl::refresh() {
  const auto skipped = static_cast<size_t>(is_batched_);
  set_sizes_and_strides(value_.sizes().slice(skipped), value_.strides().slice(skipped),
                        value_.storage_offset());
  if (!is_batched_ && dim() == 0) set_wrapped_number(value_.unsafeGetTensorImpl()->is_wrapped_number());
}

void BatchedTensorImpl::release_resources() {
  TensorImpl::release_resources();
  value_ = TensorBase();
}

c10::intrusive_ptr<c10::TensorImpl> BatchedTensorImpl::shallow_copy_and_detach(
    const c10::VariableVersion& version_counter, bool allow_tensor_metadata_change) const {
  auto copy = c10::make_intrusive<BatchedTensorImpl>(value_, is_batched_, level_);
  if (!copy->is_inference()) copy->set_version_counter(version_counter);
  copy->set_allow_tensor_metadata_change(allow_tensor_metadata_change);
  return copy;
}

void BatchedTensorImpl::shallow_copy_from(const c10::intrusive_ptr<TensorImpl>& impl) {
  TORCH_CHECK(impl->key_set().has(kBatchedKey),
              "the data of a tensor in vmap can't be set to those of one outside of it");
  const auto& other = static_cast<const BatchedTensorImpl&>(*impl);
  value_ = other.value_;
  is_batched_ = other.is_batched_;
  level_ = other.level_;
  refresh();
}

TensorBase make_batched(TensorBase value, bool is_batched, const BatchLevelPtr& level) {
  return TensorBase(c10::make_intrusive<BatchedTensorImpl>(std::move(value), is_batched, level));
}

}  // namespace at::inline C10_ABI
