// StorageImpl's functions that are seldom called, and thread-local state and hooks that core holds for other
// parts.
#include <c10/core/StorageImpl.h>

#include <c10/core/AutogradState.h>
#include <c10/core/impl/GilRelease.h>
#include <c10/core/impl/PyObjectSlot.h>
#include <c10/core/impl/SizesAndStrides.h>

#include <atomic>
#include <cstring>
#include <utility>

namespace c10::inline C10_ABI {

void StorageImpl::throw_read_only() {
  TORCH_CHECK_VALUE(false,
                    "assignment destination is read-only: the memory was handed over by another library "
                    "without permission to write to it");
  __builtin_unreachable();
}

void StorageImpl::move_inline_data_out() {
  DataPtr moved = allocator_->allocate(nbytes_);
  std::memcpy(moved.mutable_get(), data_ptr_.get(), nbytes_);
  data_ptr_ = std::move(moved);
}

namespace impl {

constinit thread_local AutogradState raw_autograd_state{true, false, true, true};

namespace {
constinit std::atomic<const PyInterpreterHooks*> interpreter_hooks{nullptr};
constinit std::atomic<const GilHooks*> gil_hooks{nullptr};
}  // namespace

void set_python_hooks(const PyInterpreterHooks* hooks) noexcept { interpreter_hooks.store(hooks); }
const PyInterpreterHooks* python_hooks() noexcept {
  return interpreter_hooks.load(std::memory_order_acquire);
}

void PyObjectSlot::release_owned() noexcept {
  PyObject* object = pyobj();
  clear();
  const PyInterpreterHooks* hooks = python_hooks();
  if (hooks != nullptr) hooks->decref(object);
}

void set_gil_hooks(const GilHooks* hooks) noexcept { gil_hooks.store(hooks); }
GilRelease::GilRelease() : hooks_(gil_hooks.load(std::memory_order_acquire)), token_(nullptr) {
  if (hooks_ != nullptr) token_ = hooks_->release();
}
GilRelease::~GilRelease() {
  if (token_ != nullptr) hooks_->reacquire(token_);
}

void SizesAndStrides::free_heap() { small_block_free(heap_, 2 * size_ * sizeof(int64_t)); }

void SizesAndStrides::resize_slow(size_t n) {
  if (n == size_) return;  // the values may be read from this storage while they are set
  TORCH_CHECK(n <= kMaxDims, "a tensor can have at most ", kMaxDims, " dimensions, got ", n);
  int64_t* fresh =
      n > kInlineDims ? static_cast<int64_t*>(small_block_allocate(2 * n * sizeof(int64_t))) : nullptr;
  if (!is_inline()) free_heap();
  size_ = n;
  if (fresh != nullptr) heap_ = fresh;
}

}  // namespace impl
}  // namespace c10::inline C10_ABI
