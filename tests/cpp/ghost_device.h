// A device under PrivateUse1 for the tests: two "ghosts" whose memory the host cannot read. Their memory is
// mapped twice, once without access at the addresses that tensors carry, once for the device's own kernels:
// whoever takes a tensor of theirs for host memory crashes at once.
#pragma once
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Generator.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/impl/DeviceInterface.h>
#include <c10/util/Exception.h>

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>

namespace ghost {

constexpr c10::DeviceIndex kCount = 2;
constexpr size_t kArenaBytes = size_t{1} << 26;

// Counters of what was asked of the device.
struct Statistics {
  std::atomic<int> switches{0};
  std::atomic<int> transfers{0};
  std::atomic<int> synchronizations{0};
  std::atomic<int> live_events{0};
  std::atomic<int64_t> live_bytes{0};
};
inline Statistics statistics;

inline thread_local c10::DeviceIndex current_index = 0;
inline thread_local c10::StreamId current_streams[kCount] = {};

// Blocks follow each other and are never used again, so that stale pointers stay recognisable.
class Memory final : public c10::Allocator {
 public:
  Memory() {
    const int file = ::memfd_create("ghost", 0);
    TORCH_CHECK(file >= 0 && ::ftruncate(file, kArenaBytes) == 0, "ghost: no memory");
    outside_ = static_cast<char*>(::mmap(nullptr, kArenaBytes, PROT_NONE, MAP_SHARED, file, 0));
    inside_ = static_cast<char*>(::mmap(nullptr, kArenaBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    ::close(file);
    TORCH_CHECK(outside_ != MAP_FAILED && inside_ != MAP_FAILED, "ghost: no memory");
  }

  c10::DataPtr allocate(size_t nbytes) override {
    const c10::Device device(c10::kPrivateUse1, current_index);
    if (nbytes == 0) return c10::DataPtr(nullptr, device);
    const size_t size = (nbytes + 255) & ~size_t{255};
    std::lock_guard<std::mutex> lock(mutex_);
    if (nbytes > kArenaBytes || used_ + size > kArenaBytes) {
      throw c10::OutOfMemoryError("ghost: out of memory");
    }
    char* block = outside_ + used_;
    used_ += size;
    sizes_[block] = nbytes;
    statistics.live_bytes += static_cast<int64_t>(nbytes);
    return c10::DataPtr(block, block, &free_block, device);
  }
  c10::DeleterFnPtr raw_deleter() const override { return &free_block; }
  void copy_data(void* dst, const void* src, size_t nbytes) const override {
    std::memcpy(inside(dst), inside(src), nbytes);
  }

  bool owns(const void* p) const { return p >= outside_ && p < outside_ + kArenaBytes; }
  // Where the device's kernels find what tensors call `p`; host pointers are left alone.
  template <class T>
  T* inside(T* p) const {
    return owns(p) ? reinterpret_cast<T*>(inside_ + (reinterpret_cast<const char*>(p) - outside_)) : p;
  }

 private:
  static void free_block(void* block);

  std::mutex mutex_;
  std::map<void*, size_t> sizes_;
  char* outside_;
  char* inside_;
  size_t used_ = 0;
};

inline Memory& memory() {
  static Memory* instance = new Memory();
  return *instance;
}
inline void Memory::free_block(void* block) {
  Memory& self = memory();
  std::lock_guard<std::mutex> lock(self.mutex_);
  const auto found = self.sizes_.find(block);
  if (found == self.sizes_.end()) std::abort();  // freed twice, or not ours
  statistics.live_bytes -= static_cast<int64_t>(found->second);
  self.sizes_.erase(found);
}

class Generator final : public c10::GeneratorImpl {
 public:
  explicit Generator(c10::DeviceIndex index)
      : GeneratorImpl(c10::Device(c10::kPrivateUse1, index),
                      c10::DispatchKeySet(c10::DispatchKey::PrivateUse1)) {}
  static c10::DeviceType device_type() { return c10::kPrivateUse1; }

  void set_current_seed(uint64_t seed) override { host_.set_current_seed(seed); }
  uint64_t current_seed() const override { return host_.current_seed(); }
  uint64_t seed() override { return host_.seed(); }
  void set_offset(uint64_t offset) override { host_.set_offset(offset); }
  uint64_t get_offset() const override { return host_.get_offset(); }
  void set_state(const c10::TensorImpl& state) override { host_.set_state(state); }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override { return host_.get_state(); }

 private:
  Generator* clone_impl() const override {
    auto* copy = new Generator(device_.index());
    copy->set_current_seed(current_seed());
    copy->set_offset(get_offset());
    return copy;
  }
  at::CPUGeneratorImpl host_;
};

// Work is done at once, so an event is only a number: the position in the stream's order.
class Interface final : public c10::DeviceInterface {
 public:
  c10::DeviceType type() const override { return c10::kPrivateUse1; }
  c10::DeviceIndex device_count() const noexcept override { return kCount; }
  c10::DeviceIndex current_device() const override { return current_index; }
  void set_device(c10::DeviceIndex index) const override {
    TORCH_CHECK(index >= 0 && index < kCount, "ghost: no device ", static_cast<int>(index));
    ++statistics.switches;
    current_index = index;
  }
  void synchronize_device(c10::DeviceIndex) const override { ++statistics.synchronizations; }

  c10::Stream current_stream(c10::DeviceIndex index) const override {
    return stream(index, current_streams[index]);
  }
  c10::Stream default_stream(c10::DeviceIndex index) const override { return stream(index, 0); }
  c10::Stream new_stream(c10::DeviceIndex index, int) const override { return stream(index, ++last_stream_); }
  c10::Stream exchange_stream(const c10::Stream& s) const override {
    const c10::Stream before = current_stream(s.device_index());
    current_streams[s.device_index()] = s.id();
    return before;
  }
  void synchronize_stream(const c10::Stream&) const override { ++statistics.synchronizations; }

  void record_event(void** event, const c10::Stream&, c10::EventFlag) const override {
    if (*event == nullptr) {
      *event = new int64_t(0);
      ++statistics.live_events;
    }
    *static_cast<int64_t*>(*event) = ++clock_;
  }
  void block_stream(void*, const c10::Stream&) const override {}
  double elapsed_time(void* begin, void* end) const override {
    return static_cast<double>(*static_cast<int64_t*>(end) - *static_cast<int64_t*>(begin));
  }
  void destroy_event(void* event, c10::DeviceIndex) const noexcept override {
    delete static_cast<int64_t*>(event);
    --statistics.live_events;
  }

  c10::Allocator* allocator() const override { return &memory(); }
  void copy_bytes(void* dst, c10::Device, const void* src, c10::Device, size_t nbytes, bool) const override {
    ++statistics.transfers;
    std::memmove(memory().inside(dst), memory().inside(src), nbytes);
  }

  const c10::intrusive_ptr<c10::GeneratorImpl>& default_generator(c10::DeviceIndex index) const override {
    static const c10::intrusive_ptr<c10::GeneratorImpl> generators[kCount] = {
        c10::make_intrusive<Generator>(0), c10::make_intrusive<Generator>(1)};
    return generators[index];
  }
  c10::intrusive_ptr<c10::GeneratorImpl> new_generator(c10::DeviceIndex index) const override {
    return c10::make_intrusive<Generator>(index);
  }

 private:
  static c10::Stream stream(c10::DeviceIndex index, c10::StreamId id) {
    return c10::Stream(c10::Stream::UNSAFE, c10::Device(c10::kPrivateUse1, index), id);
  }
  mutable std::atomic<c10::StreamId> last_stream_{0};
  mutable std::atomic<int64_t> clock_{0};
};

}  // namespace ghost
