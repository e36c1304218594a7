// Device memory, pinned memory and the shared memory of the running block, with the state of each byte.
#include "state.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <deque>
#include <map>
#include <vector>

namespace emulator {
namespace {

constexpr size_t granule = 256,
                 gap = 256;  // what is beyond an allocation belongs to no other for at least this far
constexpr size_t shared_limit = 48 * 1024, shared_region_bytes = 256 * 1024;
constexpr size_t large = 64 * 1024;            // from here pages of freed memory go back to the system
constexpr size_t kept_back = size_t{2} << 20;  // bytes that stay unused after they were freed

template <class T>
T* reserve(size_t count) {
  void* p = ::mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    std::perror("emulator: mmap");
    std::abort();
  }
  return static_cast<T*>(p);
}

struct DeviceMemory {
  Region region;
  char* unused = nullptr;          // from here on nothing was allocated yet
  std::map<char*, size_t> blocks;  // their exact sizes
  std::multimap<size_t, char*> free_blocks;
  std::deque<std::pair<char*, size_t>> freed;  // not to be used again yet: accesses to them are seen
  size_t freed_bytes = 0;
};

// A fourth of a power of two at least, so that freed blocks fit other sizes, too.
size_t extent(size_t bytes) {
  const size_t step = std::max(granule, std::bit_floor(bytes) / 4);
  return (bytes + step - 1) / step * step + gap;
}

std::vector<DeviceMemory>& devices() {
  static auto* all = [] {
    auto* made = new std::vector<DeviceMemory>(static_cast<size_t>(settings().devices));
    const size_t bytes = settings().bytes_per_device, count = made->size();
    // Neighbours, so that one division finds the device of an address.
    Region whole = reserve_region(bytes * count, 0, /*is_shared=*/false);
    for (size_t d = 0; d < count; ++d) {
      (*made)[d].region = {whole.begin + d * bytes,
                           bytes,
                           whole.states + d * bytes,
                           whole.cells + d * bytes,
                           whole.granules + d * bytes / granule_bytes,
                           static_cast<int>(d),
                           false};
      (*made)[d].unused = whole.begin + d * bytes;
    }
    return made;
  }();
  return *all;
}

char* take_block(DeviceMemory& memory, size_t needed) {
  const auto found = memory.free_blocks.lower_bound(needed);
  if (found != memory.free_blocks.end() && found->first == needed) {
    char* block = found->second;
    memory.free_blocks.erase(found);
    return block;
  }
  if (needed > memory.region.bytes - static_cast<size_t>(memory.unused - memory.region.begin)) return nullptr;
  char* block = memory.unused;
  memory.unused += needed;
  return block;
}

void make_live(Region& region, char* block, size_t bytes) {
  region.set_state(block, bytes, live);
  if (bytes % 4 != 0) region.set_state(block + bytes, 4 - bytes % 4, padding | written);
  if (bytes < large) std::memset(block, 0xFF, bytes);  // NaN, -1
}

void make_dead(DeviceMemory& memory, char* block, size_t bytes) {
  Region& region = memory.region;
  const size_t whole = extent(bytes), at = static_cast<size_t>(block - region.begin);
  region.set_state(block, whole, 0);
  if (bytes < large) {
    std::memset(block, 0xDB, bytes);
  } else {
    constexpr size_t page = 4096;
    const size_t first = (at + page - 1) / page * page, last = (at + bytes) / page * page;
    ::madvise(region.begin + first, last - first, MADV_DONTNEED);
    ::madvise(reinterpret_cast<char*>(region.cells) + first * sizeof(Cell), (last - first) * sizeof(Cell),
              MADV_DONTNEED);
  }
  memory.freed.emplace_back(block, whole);
  memory.freed_bytes += whole;
  while (memory.freed_bytes > kept_back) {
    const auto [oldest, size] = memory.freed.front();
    memory.freed.pop_front();
    memory.freed_bytes -= size;
    memory.free_blocks.emplace(size, oldest);
  }
}

std::map<char*, size_t>& pinned_blocks() {
  static auto* all = new std::map<char*, size_t>();
  return *all;
}

// ---- shared memory

struct SharedVariable {
  const void* key;
  char* address;
};
std::vector<SharedVariable> shared_variables;
size_t shared_extent = 0, shared_bytes = 0;  // of the running block: with gaps, and as CUDA counts them

char* take_shared(size_t bytes, size_t alignment) {
  Region& region = shared_region();
  const size_t at = (shared_extent + alignment - 1) / alignment * alignment;
  shared_extent = at + bytes + gap;
  shared_bytes += bytes;
  if (shared_extent > shared_region_bytes || shared_bytes > shared_limit) {
    report("shared-too-large", nullptr, nullptr, "a block uses %zu bytes of shared memory, of %zu",
           shared_bytes, shared_limit);
    stop_kernel(cudaErrorLaunchFailure);
  }
  region.set_state(region.begin + at, bytes, live);
  std::memset(region.begin + at, 0xFF, bytes);
  return region.begin + at;
}

}  // namespace

bool all_have(const uint8_t* states, size_t n, uint8_t state) {
  uint8_t all = 0xFF;
  for (size_t i = 0; i < n; ++i) all &= states[i];
  return (all & state) != 0;
}

Region reserve_region(size_t bytes, int device, bool is_shared) {
  return {reserve<char>(bytes),
          bytes,
          reserve<uint8_t>(bytes),
          reserve<Cell>(bytes),
          reserve<Granule>(bytes / granule_bytes),
          device,
          is_shared};
}

Region* device_region(const void* p) {
  static const char* begin = devices().front().region.begin;
  static const size_t each = settings().bytes_per_device, all = each * devices().size();
  static DeviceMemory* first = devices().data();
  const auto at = static_cast<size_t>(static_cast<const char*>(p) - begin);
  if (at < each) return &first->region;
  return at < all ? &first[at / each].region : nullptr;
}

Region& shared_region() {
  static Region region = reserve_region(shared_region_bytes, 0, /*is_shared=*/true);
  return region;
}

bool is_pinned(const void* p) {
  auto* address = static_cast<char*>(const_cast<void*>(p));
  auto block = pinned_blocks().upper_bound(address);
  if (block == pinned_blocks().begin()) return false;
  --block;
  return address < block->first + block->second;
}

void begin_block_memory(size_t dynamic_bytes) {
  Region& region = shared_region();
  region.set_state(region.begin, std::min(shared_extent, region.bytes), 0);
  shared_variables.clear();
  shared_bytes = 0;
  shared_extent = gap;
  if (dynamic_bytes > 0) take_shared(dynamic_bytes, granule);
}

void* dynamic_storage() { return shared_region().begin + gap; }

void* shared_storage(const void* key, size_t bytes, size_t alignment) {
  for (const SharedVariable& variable : shared_variables) {
    if (variable.key == key) return variable.address;
  }
  shared_variables.push_back({key, take_shared(bytes, alignment)});
  return shared_variables.back().address;
}

void check_range(const void* begin, size_t bytes, bool writes) {
  Region* region = bytes == 0 ? nullptr : device_region(begin);
  if (region == nullptr) return;
  const auto at = static_cast<size_t>(static_cast<const char*>(begin) - region->begin);
  uint8_t* states = region->states + at;
  if (!all_have(states, bytes, live)) {
    const size_t i = static_cast<size_t>(
        std::find_if(states, states + bytes, [](uint8_t state) { return (state & live) == 0; }) - states);
    report("out-of-bounds", __builtin_return_address(0), nullptr,
           "a copy or a library call %s byte %zu of %zu at %p", writes ? "writes" : "reads", i, bytes, begin);
    return;
  }
  for (size_t i = 0; writes && i < bytes; ++i) states[i] |= written;
}

}  // namespace emulator

using namespace emulator;

extern "C" {

cudaError_t cudaMalloc(void** ptr, size_t bytes) {
  const std::lock_guard<std::recursive_mutex> lock(global_lock());
  DeviceMemory& memory = devices()[static_cast<size_t>(current_device())];
  char* block = bytes < memory.region.bytes ? take_block(memory, extent(bytes)) : nullptr;
  if (block == nullptr) return fail(cudaErrorMemoryAllocation);
  make_live(memory.region, block, bytes);
  memory.blocks[block] = bytes;
  *ptr = block;
  return cudaSuccess;
}

// What cudaFree() does when all devices have come to it.
static void free_now(void* ptr) {
  Region* region = device_region(ptr);
  auto* address = static_cast<char*>(ptr);
  if (region != nullptr) {
    DeviceMemory& memory = devices()[static_cast<size_t>(region->device)];
    if (const auto block = memory.blocks.find(address); block != memory.blocks.end()) {
      make_dead(memory, address, block->second);
      memory.blocks.erase(block);
      return;
    }
  }
  report("bad-free", nullptr, nullptr, "%p is no allocated device memory", ptr);
}

static void wait_for_devices() {
  const int before = current_device();
  for (int device = 0; device < settings().devices; ++device) {
    cudaSetDevice(device);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) set_device_error(error);
  }
  cudaSetDevice(before);
}

cudaError_t cudaFree(void* ptr) {
  const std::lock_guard<std::recursive_mutex> lock(global_lock());
  if (ptr == nullptr) return cudaSuccess;
  wait_for_devices();
  free_now(ptr);
  return cudaSuccess;
}

cudaError_t emulatorFreeAsync(void* ptr, cudaStream_t stream) {
  enqueue(stream, [ptr] { free_now(ptr); });
  return cudaSuccess;
}

cudaError_t cudaHostAlloc(void** ptr, size_t bytes, unsigned) {
  const std::lock_guard<std::recursive_mutex> lock(global_lock());
  *ptr = std::aligned_alloc(granule, (bytes + granule - 1) / granule * granule);
  if (*ptr == nullptr) return fail(cudaErrorMemoryAllocation);
  pinned_blocks()[static_cast<char*>(*ptr)] = bytes;
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void* ptr) {
  const std::lock_guard<std::recursive_mutex> lock(global_lock());
  wait_for_devices();
  if (pinned_blocks().erase(static_cast<char*>(ptr)) == 0) {
    report("bad-free", __builtin_return_address(0), nullptr, "%p is no pinned memory", ptr);
    return fail(cudaErrorInvalidValue);
  }
  std::free(ptr);
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device < 0 || static_cast<size_t>(device) >= devices().size()) return fail(cudaErrorInvalidDevice);
  *properties = {};
  std::snprintf(properties->name, sizeof(properties->name), "Emulated device");
  properties->uuid.bytes[15] = static_cast<char>(device);
  properties->totalGlobalMem = devices()[static_cast<size_t>(device)].region.bytes;
  properties->sharedMemPerBlock = properties->sharedMemPerBlockOptin = shared_limit;
  properties->sharedMemPerMultiprocessor = shared_limit;
  properties->major = settings().capability / 10;
  properties->minor = settings().capability % 10;
  properties->multiProcessorCount = 1;
  properties->maxThreadsPerMultiProcessor = properties->maxThreadsPerBlock = 1024;
  properties->warpSize = 32;
  properties->regsPerMultiprocessor = 65536;
  properties->pciBusID = device;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  const auto known = [](int d) { return d >= 0 && static_cast<size_t>(d) < devices().size(); };
  if (!known(device) || !known(peer)) return fail(cudaErrorInvalidDevice);
  *can = device != peer;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  const std::lock_guard<std::recursive_mutex> lock(global_lock());
  const DeviceMemory& memory = devices()[static_cast<size_t>(current_device())];
  *total = memory.region.bytes;
  *free = *total;
  for (const auto& [block, bytes] : memory.blocks) *free -= extent(bytes);
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* ptr) {
  const std::lock_guard<std::recursive_mutex> lock(global_lock());
  *attributes = {};
  if (const Region* region = device_region(ptr); region != nullptr) {
    attributes->type = cudaMemoryTypeDevice;
    attributes->device = region->device;
  } else {
    attributes->type = is_pinned(ptr) ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
  }
  return cudaSuccess;
}

}  // extern "C"
