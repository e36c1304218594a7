// The counting allocator (see the header): the present one's blocks, each with its size.
#include <ATen/profiler/CountingAllocator.h>

#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <memory>
#include <mutex>
#include <utility>

namespace at::inline C10_ABI {
namespace profiler {

namespace {

// A block outlives the counting; its memory is then still freed here.
struct CountedBlock {
  c10::DataPtr data;
  int64_t bytes;
};

void free_block(void* context) {
  const std::unique_ptr<CountedBlock> block(static_cast<CountedBlock*>(context));
  note_memory(reinterpret_cast<uint64_t>(block->data.get()), -block->bytes);
}

class CountingAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t nbytes) override { return counted(inner_->allocate(nbytes), nbytes); }
  c10::DataPtr allocate_zeroed(size_t nbytes) override {
    return counted(inner_->allocate_zeroed(nbytes), nbytes);
  }
  void copy_data(void* dest, const void* src, size_t count) const override {
    inner_->copy_data(dest, src, count);
  }
  void empty_cache() override { inner_->empty_cache(); }

  void enter() {
    const std::lock_guard lock(mutex_);
    if (users_++ > 0) return;
    inner_ = c10::GetCPUAllocator();
    c10::SetCPUAllocator(this);
    if (c10::GetCPUAllocator() == this) return;
    --users_;
    TORCH_CHECK(false,
                "profile_memory: memory can't be counted, as the program's own allocator has a priority");
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    if (--users_ == 0 && c10::GetCPUAllocator() == this) c10::SetCPUAllocator(inner_);
  }

 private:
  static c10::DataPtr counted(c10::DataPtr&& data, size_t nbytes) {
    if (data.get() == nullptr) return std::move(data);
    void* const start = data.get();
    const c10::Device device = data.device();
    note_memory(reinterpret_cast<uint64_t>(start), static_cast<int64_t>(nbytes));
    auto* block = new CountedBlock{std::move(data), static_cast<int64_t>(nbytes)};
    return {start, block, &free_block, device};
  }

  // Threads that read it while no one counts any more still need it: it is never reset.
  c10::Allocator* inner_ = nullptr;
  int users_ = 0;
  std::mutex mutex_;
};

// Never destroyed: tensors may be freed at exit.
CountingAllocator& allocator() {
  static auto& made = *new CountingAllocator;
  return made;
}

}  // namespace

CountedMemory::CountedMemory() { allocator().enter(); }
CountedMemory::~CountedMemory() { allocator().leave(); }

}  // namespace profiler
}  // namespace at::inline C10_ABI
