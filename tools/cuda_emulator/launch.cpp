// Launches: their limits, and the blocks of a grid one after another.
#include "state.h"

#include <algorithm>
#include <vector>

namespace emulator {
namespace {

constexpr uint64_t max_block_threads = 1024;
constexpr unsigned max_grid_yz = 65535, max_block_z = 64;
constexpr size_t max_shared_bytes = 48 * 1024;
constexpr uint64_t shuffled_blocks = 1 << 16;  // of more the order is random by a start only

Grid running_grid;
uint32_t launches = 0, blocks = 0;

bool is_within_limits(const Configuration& c) {
  const uint64_t threads = uint64_t{c.block.x} * c.block.y * c.block.z;
  const bool has_grid = c.grid.x > 0 && c.grid.y > 0 && c.grid.z > 0;
  return threads > 0 && threads <= max_block_threads && c.block.z <= max_block_z && has_grid &&
         c.grid.x <= settings().max_grid_x && c.grid.y <= max_grid_yz && c.grid.z <= max_grid_yz &&
         c.dynamic_bytes <= max_shared_bytes;
}

class BlockOrder {
 public:
  explicit BlockOrder(uint64_t count) : count_(count) {
    if (settings().order != Order::random) return;
    start_ = random_numbers()() % count;
    if (count > shuffled_blocks) return;
    shuffled_.resize(count);
    for (uint64_t i = 0; i < count; ++i) shuffled_[i] = static_cast<uint32_t>(i);
    std::shuffle(shuffled_.begin(), shuffled_.end(), random_numbers());
  }
  uint64_t operator[](uint64_t i) const {
    if (!shuffled_.empty()) return shuffled_[i];
    return settings().order == Order::reverse ? count_ - 1 - i : (i + start_) % count_;
  }

 private:
  uint64_t count_, start_ = 0;
  std::vector<uint32_t> shuffled_;
};

}  // namespace

const Grid& grid() { return running_grid; }

bool check_launch(const Kernel& kernel, const Configuration& c) {
  const std::lock_guard<std::recursive_mutex> lock(global_lock());
  const Kernel* before = reported_kernel();
  set_reported_kernel(&kernel);
  cudaError_t error = cudaSuccess;
  if (!is_within_limits(c)) {
    report("launch-configuration", nullptr, nullptr,
           "grid %u %u %u, block %u %u %u, %zu bytes of shared memory", c.grid.x, c.grid.y, c.grid.z,
           c.block.x, c.block.y, c.block.z, c.dynamic_bytes);
    error = cudaErrorInvalidConfiguration;
  } else if (const int device = device_of_stream(c.stream); device != current_device()) {
    report("stream-of-other-device", nullptr, nullptr, "the current device is %d, the stream's %d",
           current_device(), device);
    error = cudaErrorInvalidResourceHandle;
  }
  set_reported_kernel(before);
  return fail(error) == cudaSuccess;
}

void run_grid(const Kernel& kernel, const Configuration& c, const Parameters& parameters,
              const std::function<void()>& thread) {
  if (has_device_error()) return;  // after a kernel that failed nothing runs
  count_launch(kernel);
  const Kernel copy = kernel;
  set_reported_kernel(&copy);
  count_operation("launch");
  running_grid = {&parameters, &thread, running_device(), ++launches, 0, 0};
  built_in.grid_size = c.grid;
  built_in.block_size = c.block;
  const uint64_t count = uint64_t{c.grid.x} * c.grid.y * c.grid.z;
  const BlockOrder order(count);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t b = order[i];
    running_grid.block = static_cast<uint32_t>(b);
    running_grid.block_epoch = ++blocks;
    built_in.block = {static_cast<unsigned>(b % c.grid.x), static_cast<unsigned>(b / c.grid.x % c.grid.y),
                      static_cast<unsigned>(b / c.grid.x / c.grid.y)};
    begin_block_memory(c.dynamic_bytes);
    if (!run_block(static_cast<int>(c.block.x * c.block.y * c.block.z), thread)) break;
  }
  set_reported_kernel(nullptr);
}

}  // namespace emulator
