// Allocators return memory as DataPtr: a pointer with its device and its deleter.
#pragma once

#include <c10/core/Device.h>
#include <c10/macros/Macros.h>

#include <cstddef>
#include <utility>

namespace c10::inline C10_ABI {

using DeleterFnPtr = void (*)(void*);

namespace detail {
// For a DataPtr that does not own its context.
C10_API void deleteNothing(void*);
}  // namespace detail

/// Memory with one owner: `deleter(context)` runs when it is destroyed. Without context nothing is freed.
class DataPtr {
 public:
  constexpr DataPtr() noexcept = default;
  constexpr DataPtr(void* data, Device device) noexcept : data_(data), device_(device) {}
  constexpr DataPtr(void* data, void* context, DeleterFnPtr deleter, Device device) noexcept
      : data_(data), context_(context), deleter_(deleter), device_(device) {}
  DataPtr(DataPtr&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        context_(std::exchange(other.context_, nullptr)),
        deleter_(other.deleter_),
        device_(other.device_) {}
  DataPtr& operator=(DataPtr&& other) noexcept {
    if (this != &other) {
      clear();
      data_ = std::exchange(other.data_, nullptr);
      context_ = std::exchange(other.context_, nullptr);
      deleter_ = other.deleter_;
      device_ = other.device_;
    }
    return *this;
  }
  ~DataPtr() { free_context(); }

  void clear() noexcept {
    free_context();
    context_ = nullptr;
    data_ = nullptr;
  }
  void* get() const noexcept { return data_; }
  void* mutable_get() noexcept { return data_; }
  void* operator->() const noexcept { return data_; }
  operator bool() const noexcept { return data_ != nullptr || context_ != nullptr; }
  void* get_context() const noexcept { return context_; }
  DeleterFnPtr get_deleter() const noexcept { return deleter_; }
  /// Releases the context: the caller must call get_deleter() on it.
  void* release_context() noexcept { return std::exchange(context_, nullptr); }
  template <class T>
  T* cast_context(DeleterFnPtr expected_deleter) const noexcept {
    return deleter_ == expected_deleter ? static_cast<T*>(context_) : nullptr;
  }
  /// Replaces the deleter if it is the expected one; returns whether it was.
  bool compare_exchange_deleter(DeleterFnPtr expected, DeleterFnPtr desired) noexcept {
    if (deleter_ != expected) return false;
    deleter_ = desired;
    return true;
  }
  Device device() const noexcept { return device_; }
  void unsafe_set_device(Device device) noexcept { device_ = device; }

 private:
  void free_context() noexcept {
    if (context_ != nullptr && deleter_ != nullptr) deleter_(context_);
  }

  void* data_ = nullptr;
  void* context_ = nullptr;
  DeleterFnPtr deleter_ = nullptr;
  Device device_{DeviceType::CPU};
};

/// The source of memory of one device type. Implementations are thread-safe.
class C10_API Allocator {
 public:
  virtual ~Allocator();
  /// `nbytes` bytes on the current device, uninitialised; a null pointer for 0. OutOfMemoryError if there are
  /// none.
  virtual DataPtr allocate(size_t nbytes) = 0;
  /// The same, zeroed. The default allocates and copies zeros, which only host memory allows.
  virtual DataPtr allocate_zeroed(size_t nbytes);
  /// Copies within the allocator's device (or the host).
  virtual void copy_data(void* dest, const void* src, size_t count) const;
  /// Returns cached free memory to the system.
  virtual void empty_cache() {}
  /// The deleter for raw pointers, or null if a pointer alone isn't enough to free its block.
  virtual DeleterFnPtr raw_deleter() const { return nullptr; }

  void* raw_allocate(size_t nbytes);
  void raw_deallocate(void* ptr);
  DataPtr clone(const void* data, size_t nbytes);
};

/// The allocator of a device type. One of higher or equal priority replaces the present one.
C10_API void SetAllocator(DeviceType type, Allocator* allocator, uint8_t priority = 0);
/// NotImplementedError if the device type has none.
C10_API Allocator* GetAllocator(DeviceType type);

}  // namespace c10::inline C10_ABI
