// The DeviceInterface of the CPU and of Meta.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Generator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/DeviceInterface.h>

#include <cstring>

namespace at::inline C10_ABI {

namespace {

class CPUDevice final : public c10::DeviceInterface {
 public:
  DeviceType type() const override { return DeviceType::CPU; }
  c10::Allocator* allocator() const override { return c10::GetCPUAllocator(); }
  void copy_bytes(void* dst, Device, const void* src, Device, size_t nbytes, bool) const override {
    if (nbytes != 0) std::memmove(dst, src, nbytes);
  }
  const c10::intrusive_ptr<c10::GeneratorImpl>& default_generator(DeviceIndex) const override {
    return detail::getDefaultCPUGenerator().getIntrusivePtr();
  }
  c10::intrusive_ptr<c10::GeneratorImpl> new_generator(DeviceIndex) const override {
    return detail::createCPUGenerator().getIntrusivePtr();
  }
};

// Storages of Meta tensors have a size but no memory.
class MetaAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t) override { return c10::DataPtr(nullptr, Device(DeviceType::Meta)); }
  c10::DataPtr allocate_zeroed(size_t nbytes) override { return allocate(nbytes); }
  void copy_data(void*, const void*, size_t) const override {}
};

class MetaDevice final : public c10::DeviceInterface {
 public:
  DeviceType type() const override { return DeviceType::Meta; }
  c10::Allocator* allocator() const override {
    static MetaAllocator* instance = new MetaAllocator();
    return instance;
  }
  void copy_bytes(void*, Device, const void*, Device, size_t, bool) const override {}
  // Random operators on Meta compute nothing, but may be passed the CPU's generator.
  const c10::intrusive_ptr<c10::GeneratorImpl>& default_generator(DeviceIndex) const override {
    return detail::getDefaultCPUGenerator().getIntrusivePtr();
  }
  c10::intrusive_ptr<c10::GeneratorImpl> new_generator(DeviceIndex) const override {
    return detail::createCPUGenerator().getIntrusivePtr();
  }
};

C10_REGISTER_DEVICE_INTERFACE(CPUDevice)
C10_REGISTER_DEVICE_INTERFACE(MetaDevice)

}  // namespace

}  // namespace at::inline C10_ABI
