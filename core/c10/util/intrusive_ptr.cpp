// Dropping a reference that is not the last one.
#include <c10/util/intrusive_ptr.h>

namespace c10::inline C10_ABI {

void intrusive_ptr_target::release_shared(intrusive_ptr_target* self) noexcept {
  const uint64_t left = self->counts_.fetch_sub(kStrong, std::memory_order_acq_rel) - kStrong;
  if (strong_of(left) != 0) return;
  if (weak_of(left) != 1) self->release_resources();
  release_weak(self);
}

void intrusive_ptr_target::release_weak(intrusive_ptr_target* self) noexcept {
  if (self->counts_.load(std::memory_order_acquire) == kWeak ||
      self->counts_.fetch_sub(kWeak, std::memory_order_acq_rel) == kWeak) {
    delete self;
  }
}

}  // namespace c10::inline C10_ABI
