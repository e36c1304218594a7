// The interface of device types, and the registry of its implementations. Core names no device but CPU and
// Meta: CUDA and PrivateUse1 are clients like any other.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/Device.h>
#include <c10/core/GeneratorImpl.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/CachingDeviceAllocator.h>
#include <c10/core/impl/DeviceProperties.h>
#include <c10/macros/Macros.h>
#include <c10/util/intrusive_ptr.h>

#include <cstddef>
#include <string>

namespace c10::inline C10_ABI {

/// BACKEND_DEFAULT: events between which time is measured. With *_BLOCKING, a thread that waits for the event
/// sleeps instead of polling.
enum class EventFlag { PYTORCH_DEFAULT, BACKEND_DEFAULT, PYTORCH_BLOCKING, BACKEND_BLOCKING, INVALID };

/// One per device type, never destroyed. Functions are called from several threads; "current" is per thread.
/// The defaults describe a device with one index that executes synchronously, as the host does.
class C10_API DeviceInterface {
 public:
  virtual ~DeviceInterface();

  virtual DeviceType type() const = 0;

  // ---- devices
  virtual DeviceIndex device_count() const noexcept { return 1; }
  virtual DeviceIndex current_device() const { return 0; }
  virtual void set_device(DeviceIndex index) const;
  /// Sets the current device; returns the previous one.
  virtual DeviceIndex exchange_device(DeviceIndex index) const;
  /// Waits for all work on a device.
  virtual void synchronize_device(DeviceIndex) const {}
  virtual DeviceProperties properties(DeviceIndex index) const;
  /// Whether kernels of `index` can access the memory of `peer`.
  virtual bool can_access_peer(DeviceIndex, DeviceIndex) const { return false; }

  // ---- streams
  virtual Stream current_stream(DeviceIndex index) const;
  virtual Stream default_stream(DeviceIndex index) const;
  /// A new stream; a lower number is a higher priority.
  virtual Stream new_stream(DeviceIndex index, int priority = 0) const;
  /// Makes `stream` current on its device; returns the previous one.
  virtual Stream exchange_stream(const Stream& stream) const;
  virtual bool query_stream(const Stream&) const { return true; }
  virtual void synchronize_stream(const Stream&) const {}
  /// The device's own handle of a stream; the stream of such a handle, whose owner keeps it.
  virtual void* native_stream(const Stream&) const { return nullptr; }
  virtual Stream external_stream(void* handle, DeviceIndex index) const;

  // ---- events: `*event` is null until the first record
  virtual void record_event(void** event, const Stream& stream, EventFlag flag) const;
  virtual void block_stream(void* event, const Stream& stream) const;
  virtual bool query_event(void* event) const;
  virtual void synchronize_event(void* event) const;
  /// Milliseconds from one recorded event to another.
  virtual double elapsed_time(void* begin, void* end) const;
  virtual void destroy_event(void* event, DeviceIndex index) const noexcept;

  // ---- memory
  virtual Allocator* allocator() const = 0;
  /// Page-locked host memory for transfers; null if there is no such thing.
  virtual Allocator* pinned_allocator() const { return nullptr; }
  virtual bool is_pinned(const void*) const { return false; }
  /// Where the memory at an address is; an error where this device type knows nothing about it.
  virtual Device device_of(const void* ptr) const;
  /// `stream` uses the memory, the device's or page-locked: it must not be reused before the stream's present
  /// work is done.
  virtual void record_data_ptr_on_stream(const DataPtr&, const Stream&) const {}
  /// Copies bytes; at least one side is on this device type, the other on it or the host. With non_blocking
  /// the copy is queued on the current stream, otherwise it is done on return.
  virtual void copy_bytes(void* dst, Device dst_device, const void* src, Device src_device, size_t nbytes,
                          bool non_blocking) const = 0;

  /// What is free on the device and what it has, other processes' share included.
  virtual MemoryInfo memory_info(DeviceIndex index) const;
  virtual CachingDeviceAllocator::DeviceStats memory_stats(DeviceIndex index) const;
  virtual void reset_peak_memory_stats(DeviceIndex index) const;
  virtual void reset_accumulated_memory_stats(DeviceIndex index) const;

  // ---- random numbers
  virtual const intrusive_ptr<GeneratorImpl>& default_generator(DeviceIndex index) const = 0;
  virtual intrusive_ptr<GeneratorImpl> new_generator(DeviceIndex index) const = 0;

  // ---- other libraries and the driver
  /// Why there is no device, as a sentence; empty if that isn't known.
  virtual std::string why_no_device() const { return {}; }
  /// Makes later work on another library's stream, given by its native handle, wait for the present work of
  /// the current stream. The default waits for it on the host.
  virtual void order_native_stream(void*, DeviceIndex index) const { synchronize_device(index); }

 protected:
  [[noreturn]] void unsupported(const char* what) const;
};

/// Registers (or replaces) the interface of a device type and its allocator. It must never be destroyed.
C10_API void register_device_interface(DeviceInterface* interface);

/// The interface of a device type or null; doesn't load anything.
C10_API DeviceInterface* find_device_interface(DeviceType type) noexcept;

/// Loads the library of a device type (`lib<name>_<device>.so`, beside this one) unless it is registered;
/// returns whether it is then. The first attempt's outcome is kept.
C10_API bool ensure_device_library(DeviceType type);

/// For an extension's kernels of a device type: loads `file`, which lies beside the library that `anchor` is
/// an object of, after the library of the device type, or at once if that is loaded. A file that can't be
/// loaded gives a warning; its operators have no kernels then.
C10_API void load_with_device(DeviceType type, const void* anchor, const char* file);

/// The interface of a device type, loaded if necessary; otherwise an error that says how to get it.
C10_API DeviceInterface& device_interface(DeviceType type);

/// The number of devices of a type; 0 if it isn't registered.
C10_API DeviceIndex device_count(DeviceType type) noexcept;

/// `device` with its index filled in (the current one), checked against the number of devices.
C10_API Device resolve_device(Device device);

#define C10_REGISTER_DEVICE_INTERFACE(Class)                                   \
  static const bool C10_ANONYMOUS_VARIABLE(device_interface_registered) = [] { \
    ::c10::register_device_interface(new Class());                             \
    return true;                                                               \
  }();

}  // namespace c10::inline C10_ABI
