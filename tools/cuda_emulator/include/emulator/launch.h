// What translated sources call: launches, variables in shared memory, barriers.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <tuple>
#include <utility>

#pragma GCC visibility push(default)
namespace emulator {

/// A place in a source file.
struct Place {
  const char* file;
  int line;
  bool operator==(const Place&) const = default;
};

struct Kernel {
  const char* name;
  Place place;  // of the launch
};

struct Configuration {
  dim3 grid, block;
  size_t dynamic_bytes = 0;
  cudaStream_t stream = nullptr;
};
inline Configuration configuration(dim3 grid, dim3 block, size_t dynamic_bytes = 0,
                                   cudaStream_t stream = nullptr) {
  return {grid, block, dynamic_bytes, stream};
}

struct Parameters {
  const void* begin;
  size_t bytes;
};

/// False, with an error for cudaGetLastError(), if the kernel can't be launched so.
bool check_launch(const Kernel& kernel, const Configuration& configuration);
/// Runs `work` on the stream: at once, or when something waits for it if streams are lazy.
void enqueue(cudaStream_t stream, std::function<void()> work);
void run_grid(const Kernel& kernel, const Configuration& configuration, const Parameters& parameters,
              const std::function<void()>& thread);

/// kernel<<<configuration>>>(arguments...). The arguments are copied now, as CUDA does.
template <class Call, class... Arguments>
void launch(const Kernel& kernel, const Configuration& configuration, Call call,
            const Arguments&... arguments) {
  using Copies = std::tuple<std::decay_t<Arguments>...>;
  static_assert(sizeof(Copies) <= 4096, "parameters of a kernel take at most 4 KiB");
  static_assert((std::is_trivially_destructible_v<std::decay_t<Arguments>> && ...),
                "parameters of a kernel are copied as bytes");
  if (!check_launch(kernel, configuration)) return;
  enqueue(configuration.stream, [=, copies = Copies(arguments...)] {
    run_grid(kernel, configuration, {&copies, sizeof(copies)}, [&] { std::apply(call, copies); });
  });
}

/// The block's memory for a `__shared__` variable; `key` tells one variable from another.
void* shared_storage(const void* key, size_t bytes, size_t alignment);
void* dynamic_storage();

// Each `site` is a lambda of its own type: one for each declaration and each instantiation around it.
template <class T, size_t alignment = alignof(T), class Site>
T& shared_variable(Site) {
  static char key;
  return *static_cast<T*>(shared_storage(&key, sizeof(T), alignment));
}
template <class T>
T* dynamic_shared() {
  return static_cast<T*>(dynamic_storage());
}

void wait_for_block(const Place& place);
[[noreturn]] void trap();

/// What the host asked for: "launch", "copy", "fill" or "library"; for EMULATOR_TRAFFIC.
void count_operation(const char* what);
/// A library call (cuBLAS, CUB) reads or writes device memory on behalf of the device.
void check_range(const void* begin, size_t bytes, bool writes);

struct BuiltIn {
  uint3 thread, block;
  dim3 block_size, grid_size;
};
extern BuiltIn built_in;

}  // namespace emulator
#pragma GCC visibility pop

#define threadIdx (::emulator::built_in.thread)
#define blockIdx (::emulator::built_in.block)
#define blockDim (::emulator::built_in.block_size)
#define gridDim (::emulator::built_in.grid_size)

// Threads run one at a time: what one wrote, all see.
inline void __threadfence_system() {}
inline void __syncthreads(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  ::emulator::wait_for_block({file, line});
}
[[noreturn]] inline void __trap() { ::emulator::trap(); }
