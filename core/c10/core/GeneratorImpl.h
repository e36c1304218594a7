// A device's random number generator: its seed and its offset.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/impl/PyObjectSlot.h>
#include <c10/macros/Macros.h>
#include <c10/util/intrusive_ptr.h>

#include <cstdint>
#include <mutex>

namespace c10::inline C10_ABI {

constexpr uint64_t default_rng_seed_val = 67280421310721;

class C10_API GeneratorImpl : public intrusive_ptr_target {
 public:
  GeneratorImpl(Device device, DispatchKeySet key_set) : device_(device), key_set_(key_set) {}
  GeneratorImpl(const GeneratorImpl&) = delete;
  GeneratorImpl& operator=(const GeneratorImpl&) = delete;
  ~GeneratorImpl() override;

  intrusive_ptr<GeneratorImpl> clone() const {
    return intrusive_ptr<GeneratorImpl>::unsafe_steal_from_new(clone_impl());
  }

  virtual void set_current_seed(uint64_t seed) = 0;
  virtual uint64_t current_seed() const = 0;
  /// Seeds from the system's entropy; returns the seed.
  virtual uint64_t seed() = 0;
  /// How many values of the seed's sequence have been used.
  virtual void set_offset(uint64_t offset) = 0;
  virtual uint64_t get_offset() const = 0;
  /// The state as a uint8 tensor on the CPU.
  virtual void set_state(const TensorImpl& new_state) = 0;
  virtual intrusive_ptr<TensorImpl> get_state() const = 0;

  Device device() const { return device_; }
  DispatchKeySet key_set() const { return key_set_; }
  impl::PyObjectSlot* pyobj_slot() { return &pyobj_slot_; }

  /// Locked by every kernel while it reserves values.
  std::mutex mutex_;

 protected:
  virtual GeneratorImpl* clone_impl() const = 0;

  Device device_;
  DispatchKeySet key_set_;
  impl::PyObjectSlot pyobj_slot_;
};

namespace detail {
/// A random seed from the system, of 53 bits where it must survive a conversion to double.
C10_API uint64_t getNonDeterministicRandom(bool is_cuda = false);
}  // namespace detail

}  // namespace c10::inline C10_ABI
