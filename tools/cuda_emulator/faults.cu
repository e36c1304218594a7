// Kernels with a fault, which the emulator must report, each beside a sound twin of which it must say
// nothing: faults NAME runs one of them. test_emulator.py has what is expected of each.
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>

namespace {

constexpr int threads = 256;

// ---- races in shared memory

template <bool sound>
__global__ void reverse(int* p) {
  __shared__ int s[threads];
  const int t = threadIdx.x;
  s[t] = t;
  if (sound) __syncthreads();
  p[t] = s[threads - 1 - t];
}

template <bool sound>
__global__ void reverse_twice(int* p) {
  __shared__ int s[threads];
  const int t = threadIdx.x;
  for (int i = 0; i < 2; ++i) {
    s[t] = t + i;
    __syncthreads();
    p[t] = s[threads - 1 - t];
    if (sound) __syncthreads();
  }
}

template <bool sound>
__global__ void reverse_in_warp(int* p) {
  __shared__ int s[threads];
  const int t = threadIdx.x;
  s[t] = t;
  if (sound) __syncwarp();
  p[t] = s[t ^ 1];
}

// The halves of a warp synchronize by themselves: that orders nothing between them.
template <bool sound>
__global__ void synchronize_halves(int* p) {
  __shared__ int s[32];
  const unsigned t = threadIdx.x, half = t < 16 ? 0x0000ffffu : 0xffff0000u;
  s[t] = 1;
  __syncwarp(half);
  p[t] = s[sound ? t ^ 1 : t ^ 16];
}

template <bool sound>
__global__ void count(int* p) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  if (sound) {
    atomicAdd(&total, 1);
  } else {
    total += 1;
  }
  __syncthreads();
  if (threadIdx.x == 0) p[0] = total;
}

// The first thread adds to what it has set itself.
template <bool sound>
__global__ void set_and_count(int* p) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  if (sound) __syncthreads();
  atomicAdd(&total, 1);
  __syncthreads();
  if (threadIdx.x == 0) p[0] = total;
}

// A read of one thread, then a write of another that has read it too.
template <bool sound>
__global__ void clear_what_others_read(int* p) {
  __shared__ int s;
  if (threadIdx.x == 0) s = 1;
  __syncthreads();
  p[threadIdx.x] = s;
  if (sound) __syncthreads();
  if (threadIdx.x == blockDim.x - 1) s = 0;
}

// ---- races in global memory

template <bool sound>
__global__ void write_by_blocks(int* p) {
  if (threadIdx.x == 0) p[sound ? blockIdx.x : 0] = static_cast<int>(blockIdx.x);
}

template <bool sound>
__global__ void read_of_other_block(int* p) {
  if (threadIdx.x != 0) return;
  p[blockIdx.x] = 1;
  p[16 + blockIdx.x] = p[sound ? blockIdx.x : blockIdx.x ^ 1];
}

template <bool sound>
__global__ void add_by_blocks(int* p) {
  if (sound) {
    atomicAdd(p, 1);
  } else {
    *p += 1;
  }
}

template <bool sound>
__global__ void read_beside_atomics(int* p) {
  atomicAdd(p, 1);
  if (!sound && threadIdx.x == 1) p[1] = p[0];
}

// ---- bounds, lifetimes, values

template <bool sound>
__global__ void write_beyond_global(int* p, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (sound ? i < n : i <= n) p[i] = i;
}

template <bool sound>
__global__ void read_byte_beyond(const char* bytes, int n, int* p) {
  p[0] = bytes[sound ? n - 1 : n];
}

// The word that contains the last element, as atomics on small elements access it.
template <bool sound>
__global__ void swap_last_word(char* bytes, int n) {
  auto* word = reinterpret_cast<unsigned*>(bytes + (sound ? (n - 1) / 4 * 4 : (n + 3) / 4 * 4));
  atomicCAS(word, 0u, 1u);
}

template <bool sound>
__global__ void write_beyond_static(int* p) {
  __shared__ int s[64];
  s[threadIdx.x + (sound ? 0 : 1)] = 1;
  p[threadIdx.x] = 0;
}

template <bool sound>
__global__ void write_beyond_dynamic(int* p) {
  extern __shared__ int s[];
  s[threadIdx.x + (sound ? 0 : 1)] = 1;
  p[threadIdx.x] = 0;
}

struct Large {
  int values[64];
};
template <bool sound>
__global__ void copy_beyond_global(Large* p) {
  p[sound ? 1 : 2] = p[0];
}

template <bool sound>
__global__ void read_unwritten_shared(int* p) {
  __shared__ int s[threads];
  if (sound || threadIdx.x < 200) s[threadIdx.x] = 1;
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x];
}

template <bool sound>
__global__ void leave_unwritten(int* p) {
  if (sound || threadIdx.x != 7) p[threadIdx.x] = 1;
}
__global__ void add_one(int* p) { p[threadIdx.x] += 1; }

template <bool sound>
__global__ void read_misaligned(const char* bytes, int* p) {
  p[0] = *reinterpret_cast<const int*>(bytes + (sound ? 4 : 2));
}

template <bool sound>
__global__ void read_misaligned_vector(const float* from, float* p) {
  const float4 v = *reinterpret_cast<const float4*>(from + (sound ? 4 : 2));
  *reinterpret_cast<float4*>(p) = v;
}

__device__ const int table[4] = {1, 2, 3, 4};
__global__ void read(const int* from, int* p) { p[threadIdx.x] = from[threadIdx.x] + table[threadIdx.x % 4]; }

template <bool sound>
__global__ void write_local_of_other(int* p) {
  __shared__ int* address;
  int own = 0;
  int* of_own = &own;
  if (threadIdx.x == 0) address = of_own;
  __syncthreads();
  if (sound ? threadIdx.x == 0 : threadIdx.x == 1) *address = 1;
  __syncthreads();
  p[threadIdx.x] = *of_own;
}

// A reference stands for a `const __grid_constant__` parameter: all threads see the same copy, which is
// constant.
template <bool sound>
__global__ void write_to_parameter(const int& n, int* p) {
  int own = n;
  *(sound ? &own : const_cast<int*>(&n)) = 1;
  p[0] = n + own;
}

// ---- barriers and warps

template <bool sound>
__global__ void wait_in_branches(int* p) {
  if (sound || threadIdx.x < 32) {
    __syncthreads();
    p[threadIdx.x] = 1;
  } else {
    __syncthreads();
  }
}

template <bool sound>
__global__ void wait_after_others_left(int* p) {
  if (!sound && threadIdx.x == 5) return;
  __syncthreads();
  p[threadIdx.x] = 1;
}

template <bool sound>
__global__ void shuffle_without_some(int* p) {
  if (sound || threadIdx.x % 2 == 1) {
    p[threadIdx.x] = __shfl_xor_sync(0xffffffffu, 1, 1);
  } else {
    __syncthreads();
  }
}

template <bool sound>
__global__ void mask_without_itself(int* p) {
  __syncwarp(sound ? 0xffffffffu : 0xfffffffeu);
  p[threadIdx.x] = 1;
}

template <bool sound>
__global__ void read_lane_beyond_mask(int* p) {
  if (threadIdx.x < 16) {
    p[threadIdx.x] = __shfl_sync(0x0000ffffu, static_cast<int>(threadIdx.x), sound ? 3 : 20);
  }
}

template <bool sound>
__global__ void sum_by_shuffles(int* p) {
  int v = 1;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) p[threadIdx.x / 32] = v;
  const unsigned votes = __ballot_sync(0xffffffffu, threadIdx.x % 2);
  if (threadIdx.x == 0 && (v != 32 || votes != 0xaaaaaaaau)) __trap();
  if (!sound && threadIdx.x == 3) __trap();
}

// What is meant for the host only, and says so by an exception.
template <bool sound>
__global__ void throw_exception(int* p) {
  if (!sound && threadIdx.x == 3) throw std::runtime_error("a check of the host");
  p[threadIdx.x] = 1;
}

template <bool sound>
__global__ void use_shared(int* p) {
  __shared__ int s[sound ? 12 * 1024 : 12 * 1024 + 1];
  s[threadIdx.x] = 1;
  p[threadIdx.x] = s[threadIdx.x];
}

// ---- tiles of a warp

namespace wmma = nvcuda::wmma;
using Left = wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>;
using Right = wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major>;
using Sums = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

template <bool sound>
__global__ void load_misaligned_tile(int* p) {
  Left tile;
  wmma::load_matrix_sync(tile, reinterpret_cast<const __half*>(p) + (sound ? 16 : 8), 16);
}

template <bool sound>
__global__ void load_tile_of_odd_rows(int* p) {
  Left tile;
  wmma::load_matrix_sync(tile, reinterpret_cast<const __half*>(p), sound ? 24 : 20);
}

template <bool sound>
__global__ void store_tile_beyond(int* p) {
  Sums tile;
  wmma::fill_fragment(tile, 1.0f);
  wmma::store_matrix_sync(reinterpret_cast<float*>(p) + (sound ? 768 : 776), tile, 16, wmma::mem_row_major);
}

// The functions of tiles order no accesses of the warp's lanes.
template <bool sound>
__global__ void load_what_others_stored(int* p) {
  __shared__ alignas(32) float s[256];
  Sums tile;
  wmma::fill_fragment(tile, 1.0f);
  wmma::store_matrix_sync(s, tile, 16, wmma::mem_row_major);
  if (sound) __syncwarp();
  wmma::load_matrix_sync(tile, s, 16, wmma::mem_col_major);
  wmma::store_matrix_sync(reinterpret_cast<float*>(p), tile, 16, wmma::mem_row_major);
}

template <bool sound>
__global__ void multiply_after_some_left(int* p) {
  if (!sound && threadIdx.x >= 16) return;
  Left left;
  Right right;
  Sums sums;
  wmma::fill_fragment(left, __ushort_as_half(0x3c00));
  wmma::fill_fragment(right, __ushort_as_half(0x3c00));
  wmma::fill_fragment(sums, 0.0f);
  wmma::mma_sync(sums, left, right, sums);
  p[threadIdx.x] = static_cast<int>(sums.x[0]);
}

template <bool sound>
__global__ void multiply_in_a_branch(int* p) {
  if (sound || threadIdx.x < 16) {
    Sums sums;
    wmma::load_matrix_sync(sums, reinterpret_cast<const float*>(p), 16, wmma::mem_row_major);
  }
  __syncwarp();
}

// ---- what a case needs

int* device_memory(size_t count) {
  void* p = nullptr;
  cudaMalloc(&p, count * sizeof(int));
  return static_cast<int*>(p);
}
int* zeros(size_t count, cudaStream_t stream = nullptr) {
  int* p = device_memory(count);
  cudaMemsetAsync(p, 0, count * sizeof(int), stream);
  return p;
}
cudaStream_t new_stream() {
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, 0);
  return stream;
}

template <bool sound>
void use_after_free() {
  int* p = zeros(64);
  if (!sound) cudaFree(p);
  add_one<<<1, 64>>>(p);
}
template <bool sound>
void free_twice() {
  int* p = zeros(64);
  cudaFree(p);
  if (!sound) cudaFree(p);
}
template <bool sound>
void free_other_memory() {
  void* pinned = nullptr;
  cudaHostAlloc(&pinned, 64, 0);
  auto* host = std::malloc(64);
  cudaFreeHost(sound ? pinned : host);
  std::free(host);
}
template <bool sound>
void read_unwritten_global() {
  int* p = device_memory(threads);
  if (sound) cudaMemsetAsync(p, 0, threads * sizeof(int));
  add_one<<<1, threads>>>(p);
}
template <bool sound>
void copy_unwritten_to_host() {
  int *p = device_memory(threads), *q = device_memory(threads), host[threads];
  leave_unwritten<sound><<<1, threads>>>(p);
  cudaMemcpyAsync(q, p, sizeof(host), cudaMemcpyDeviceToDevice);
  cudaMemcpyAsync(host, q, sizeof(host), cudaMemcpyDeviceToHost);
}
template <bool sound>
void read_host_memory() {
  int *p = zeros(64), *device = zeros(64);
  auto* host = static_cast<int*>(std::calloc(64, sizeof(int)));
  read<<<1, 64>>>(sound ? device : host, p);
  cudaDeviceSynchronize();
  std::free(host);
}
template <bool sound>
void read_null() {
  int* p = zeros(64);
  read<<<1, 64>>>(sound ? p : nullptr, sound ? zeros(64) : p);
}
template <bool sound>
void read_on_host() {
  int *p = zeros(1), host = 0;
  cudaMemcpyAsync(&host, p, sizeof(host), cudaMemcpyDeviceToHost);
  if (!sound) host = *static_cast<volatile int*>(p);
}
template <bool sound>
void copy_too_much() {
  int *p = zeros(64), host[65];
  cudaMemcpyAsync(host, p, (sound ? 64 : 65) * sizeof(int), cudaMemcpyDeviceToHost);
}
template <bool sound>
void copy_wrong_way() {
  int *p = zeros(64), host[64];
  cudaMemcpyAsync(host, p, sizeof(host), sound ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
}
template <bool sound>
void launch_too_large() {
  add_by_blocks<true><<<dim3(1, sound ? 2 : 65536), 32>>>(zeros(1));
}
template <bool sound>
void launch_many_threads() {
  add_by_blocks<true><<<1, sound ? 1024 : 1025>>>(zeros(1));
}
template <bool sound>
void launch_no_blocks() {
  add_by_blocks<true><<<sound ? 1 : 0, 32>>>(zeros(1));
}
template <bool sound>
void launch_much_shared() {
  write_beyond_dynamic<true><<<1, 64, sound ? 48 * 1024 : 48 * 1024 + 4>>>(zeros(64));
}
// Two devices.
template <bool sound>
void use_memory_of_other_device() {
  cudaSetDevice(1);
  int* p = zeros(64);
  cudaDeviceSynchronize();
  if (!sound) cudaSetDevice(0);
  add_one<<<1, 64>>>(p);
}
template <bool sound>
void launch_on_stream_of_other_device() {
  cudaSetDevice(1);
  const cudaStream_t stream = new_stream();
  if (!sound) cudaSetDevice(0);
  int* p = zeros(64);
  cudaDeviceSynchronize();
  add_one<<<1, 64, 0, stream>>>(p);
}
template <bool sound>
void record_event_of_other_device() {
  cudaEvent_t event = nullptr;
  cudaEventCreateWithFlags(&event, cudaEventDefault);
  if (!sound) cudaSetDevice(1);
  cudaEventRecord(event, nullptr);
}
// Lazy streams: what nothing waits for has not run.
template <bool sound>
void read_before_wait() {
  const cudaStream_t stream = new_stream();
  int* p = zeros(64, stream);
  add_one<<<1, 64, 0, stream>>>(p);
  if (sound) cudaStreamSynchronize(stream);
  int host[64];
  cudaMemcpyAsync(host, p, sizeof(host), cudaMemcpyDeviceToHost);
}
template <bool sound>
void use_before_event() {
  const cudaStream_t stream = new_stream();
  cudaEvent_t event = nullptr;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  int* p = zeros(64, stream);
  cudaEventRecord(event, stream);
  if (sound) cudaStreamWaitEvent(nullptr, event);
  add_one<<<1, 64>>>(p);
  cudaStreamSynchronize(nullptr);
}
template <bool sound>
void free_before_use() {
  const cudaStream_t stream = new_stream();
  int* p = zeros(64);
  cudaStreamSynchronize(nullptr);
  add_one<<<1, 64, 0, stream>>>(p);
  if (sound) cudaStreamSynchronize(stream);
  emulatorFreeAsync(p, nullptr);
  cudaStreamSynchronize(nullptr);
  cudaStreamSynchronize(stream);
}

using Case = void (*)();
#define HOST(name) \
  {#name, &name<false>}, { #name "/sound", &name<true> }
#define DEVICE(name, grid, block, bytes)                                    \
  {#name, [] { name<false><<<grid, block, bytes>>>(zeros(1024)); }}, {      \
    #name "/sound", [] { name<true><<<grid, block, bytes>>>(zeros(1024)); } \
  }
#define DEVICE_ARGUMENTS(name, ...)                           \
  {#name, [] { name<false><<<1, 1>>>(__VA_ARGS__); }}, {      \
    #name "/sound", [] { name<true><<<1, 1>>>(__VA_ARGS__); } \
  }

const std::map<std::string, Case> cases = {
    DEVICE(reverse, 1, threads, 0),
    DEVICE(reverse_twice, 1, threads, 0),
    DEVICE(reverse_in_warp, 1, threads, 0),
    DEVICE(synchronize_halves, 1, 32, 0),
    DEVICE(count, 1, threads, 0),
    DEVICE(set_and_count, 1, threads, 0),
    DEVICE(clear_what_others_read, 1, threads, 0),
    DEVICE(write_by_blocks, 2, 32, 0),
    DEVICE(read_of_other_block, 4, 32, 0),
    DEVICE(add_by_blocks, 4, 32, 0),
    DEVICE(read_beside_atomics, 1, 32, 0),
    DEVICE(write_beyond_static, 1, 64, 0),
    DEVICE(write_beyond_dynamic, 1, 64, 256),
    DEVICE(read_unwritten_shared, 1, threads, 0),
    DEVICE(write_local_of_other, 1, 32, 0),
    DEVICE(wait_in_branches, 1, 64, 0),
    DEVICE(wait_after_others_left, 1, 64, 0),
    DEVICE(shuffle_without_some, 1, 32, 0),
    DEVICE(mask_without_itself, 1, 32, 0),
    DEVICE(read_lane_beyond_mask, 1, 32, 0),
    DEVICE(sum_by_shuffles, 1, 64, 0),
    DEVICE(throw_exception, 1, 64, 0),
    DEVICE(use_shared, 1, 64, 0),
    DEVICE(load_misaligned_tile, 1, 32, 0),
    DEVICE(load_tile_of_odd_rows, 1, 32, 0),
    DEVICE(store_tile_beyond, 1, 32, 0),
    DEVICE(load_what_others_stored, 1, 32, 0),
    DEVICE(multiply_after_some_left, 1, 32, 0),
    DEVICE(multiply_in_a_branch, 1, 32, 0),
    {"write_beyond_global", [] { write_beyond_global<false><<<2, threads>>>(zeros(257), 257); }},
    {"write_beyond_global/sound", [] { write_beyond_global<true><<<2, threads>>>(zeros(257), 257); }},
    DEVICE_ARGUMENTS(read_byte_beyond, reinterpret_cast<char*>(zeros(64)), 256, zeros(1)),
    DEVICE_ARGUMENTS(swap_last_word, reinterpret_cast<char*>(zeros(64)), 255),
    DEVICE_ARGUMENTS(copy_beyond_global, reinterpret_cast<Large*>(zeros(128))),
    DEVICE_ARGUMENTS(write_to_parameter, 1, zeros(1)),
    DEVICE_ARGUMENTS(read_misaligned, reinterpret_cast<char*>(zeros(64)), zeros(1)),
    DEVICE_ARGUMENTS(read_misaligned_vector, reinterpret_cast<float*>(zeros(64)),
                     reinterpret_cast<float*>(zeros(64))),
    HOST(use_after_free),
    HOST(free_twice),
    HOST(free_other_memory),
    HOST(read_unwritten_global),
    HOST(copy_unwritten_to_host),
    HOST(read_host_memory),
    HOST(read_null),
    HOST(read_on_host),
    HOST(copy_too_much),
    HOST(copy_wrong_way),
    HOST(launch_too_large),
    HOST(launch_many_threads),
    HOST(launch_no_blocks),
    HOST(launch_much_shared),
    HOST(use_memory_of_other_device),
    HOST(launch_on_stream_of_other_device),
    HOST(record_event_of_other_device),
    HOST(read_before_wait),
    HOST(use_before_event),
    HOST(free_before_use),
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) {
    for (const auto& [name, run] : cases) std::puts(name.c_str());
    return 0;
  }
  cases.at(argv[1])();
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
