// at::Generator: a shared handle to a GeneratorImpl.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/GeneratorImpl.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

namespace at::inline C10_ABI {

struct TORCH_API Generator {
  /// An undefined generator.
  Generator() = default;
  explicit Generator(c10::intrusive_ptr<c10::GeneratorImpl> impl) : impl_(std::move(impl)) {
    TORCH_CHECK(impl_, "GeneratorImpl with nullptr is not supported");
  }

  bool operator==(const Generator& rhs) const { return impl_ == rhs.impl_; }
  bool defined() const { return impl_; }
  c10::GeneratorImpl* unsafeGetGeneratorImpl() const { return impl_.get(); }
  c10::GeneratorImpl* unsafeReleaseGeneratorImpl() { return impl_.release(); }
  const c10::intrusive_ptr<c10::GeneratorImpl>& getIntrusivePtr() const { return impl_; }

  void set_current_seed(uint64_t seed) { impl_->set_current_seed(seed); }
  void set_offset(uint64_t offset) { impl_->set_offset(offset); }
  uint64_t get_offset() const { return impl_->get_offset(); }
  uint64_t current_seed() const { return impl_->current_seed(); }
  uint64_t seed() { return impl_->seed(); }
  std::mutex& mutex() { return impl_->mutex_; }
  DispatchKeySet key_set() const { return impl_->key_set(); }
  Device device() const { return impl_->device(); }
  template <class T>
  T* get() const {
    return static_cast<T*>(impl_.get());
  }
  Generator clone() const { return Generator(impl_->clone()); }

 private:
  c10::intrusive_ptr<c10::GeneratorImpl> impl_;
};

template <class Impl, class... Args>
Generator make_generator(Args&&... args) {
  return Generator(c10::make_intrusive<Impl>(std::forward<Args>(args)...));
}

/// The generator as T, which must be of its device type.
template <class T>
T* check_generator(std::optional<Generator> gen) {
  TORCH_CHECK(gen.has_value(), "Expected Generator but received nullopt");
  TORCH_CHECK(gen->defined(), "Generator with undefined implementation is not allowed");
  TORCH_CHECK(T::device_type() == gen->device().type(), "Expected a '", T::device_type(),
              "' device type for generator but found '", gen->device().type(), "'");
  return gen->get<T>();
}
template <class T>
T* get_generator_or_default(const std::optional<Generator>& gen, const Generator& default_gen) {
  return gen.has_value() && gen->defined() ? check_generator<T>(gen) : check_generator<T>(default_gen);
}

/// The default generator of `device`.
TORCH_API const Generator& default_generator(Device device);
/// A new generator for `device`, with the default seed.
TORCH_API Generator new_generator(Device device);
/// Seeds the default generators of all devices that are in use.
TORCH_API void manual_seed(uint64_t seed);

}  // namespace at::inline C10_ABI
