// All that the library asks of a device type, in one interface; and where implementations register. Core
// names no device but CPU and Meta: CUDA and PrivateUse1 are clients like any other.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/Device.h>
#include <c10/core/GeneratorImpl.h>
#include <c10/core/Stream.h>
#include <c10/macros/Macros.h>
#include <c10/util/intrusive_ptr.h>

#include <cstddef>
#include <string>

namespace c10::inline C10_ABI {

enum class EventFlag { PYTORCH_DEFAULT, BACKEND_DEFAULT, INVALID };

/// One per device type, never destroyed. Functions are called from several threads; "current" is per thread.
/// The defaults describe a device with one index that computes at once (no queues), as the host does.
class C10_API DeviceInterface {
 public:
  virtual ~DeviceInterface();

  virtual DeviceType type() const = 0;

  // ---- devices
  virtual DeviceIndex device_count() const noexcept { return 1; }
  virtual DeviceIndex current_device() const { return 0; }
  virtual void set_device(DeviceIndex index) const;
  /// Sets the current device; the one before.
  virtual DeviceIndex exchange_device(DeviceIndex index) const;
  /// Waits for all work on a device.
  virtual void synchronize_device(DeviceIndex) const {}

  // ---- streams
  virtual Stream current_stream(DeviceIndex index) const;
  virtual Stream default_stream(DeviceIndex index) const;
  /// A stream for other work; a higher priority has the lower number.
  virtual Stream new_stream(DeviceIndex index, int priority = 0) const;
  /// Makes `stream` current on its device; the one before.
  virtual Stream exchange_stream(const Stream& stream) const;
  virtual bool query_stream(const Stream&) const { return true; }
  virtual void synchronize_stream(const Stream&) const {}
  virtual void* native_stream(const Stream&) const { return nullptr; }

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
  /// Host memory that the device copies from and to fastest; null if there is no such thing.
  virtual Allocator* pinned_allocator() const { return nullptr; }
  virtual bool is_pinned(const void*) const { return false; }
  /// The memory is in use by `stream` and may not be reused before its present work is done.
  virtual void record_data_ptr_on_stream(const DataPtr&, const Stream&) const {}
  /// Copies bytes; one side at least is of this device type, the other of it or the host. With non_blocking
  /// the copy is put on the current stream, otherwise it is done on return.
  virtual void copy_bytes(void* dst, Device dst_device, const void* src, Device src_device, size_t nbytes,
                          bool non_blocking) const = 0;

  // ---- random numbers
  virtual const intrusive_ptr<GeneratorImpl>& default_generator(DeviceIndex index) const = 0;
  virtual intrusive_ptr<GeneratorImpl> new_generator(DeviceIndex index) const = 0;

 protected:
  [[noreturn]] void unsupported(const char* what) const;
};

/// Registers (or replaces) the interface of its device type and its allocator. It must live for ever.
C10_API void register_device_interface(DeviceInterface* interface);

/// The interface of a device type or null; doesn't load anything.
C10_API DeviceInterface* find_device_interface(DeviceType type) noexcept;

/// Loads the library that serves a device type (`lib<name>_<device>.so`, beside this one) if nothing serves
/// it yet; whether something serves it then. The first attempt's outcome is kept.
C10_API bool ensure_device_library(DeviceType type);

/// The interface of a device type, loaded if need be; otherwise an error that says how to get it.
C10_API DeviceInterface& device_interface(DeviceType type);

/// Number of devices of a type; 0 if nothing serves it.
C10_API DeviceIndex device_count(DeviceType type) noexcept;

/// `device` with its index filled in (the current one), checked against the number of devices.
C10_API Device resolve_device(Device device);

#define C10_REGISTER_DEVICE_INTERFACE(Class)                                   \
  static const bool C10_ANONYMOUS_VARIABLE(device_interface_registered) = [] { \
    ::c10::register_device_interface(new Class());                             \
    return true;                                                               \
  }();

}  // namespace c10::inline C10_ABI
