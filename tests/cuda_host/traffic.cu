// Kernels whose traffic can be told from their text: test_traffic.py has what the emulator must count of
// each.
#include <cuda_runtime.h>

namespace {

constexpr int threads = 64, elements = 4096;

extern "C" void emulator_write_traffic(const char* title);

// ---- global memory: one request of each warp to read, one to write

__global__ void contiguous(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void every_second(const float* in, float* out) { out[threadIdx.x] = in[2 * threadIdx.x]; }
__global__ void column(const float* in, float* out) { out[threadIdx.x] = in[32 * threadIdx.x]; }
__global__ void one_for_all(const float* in, float* out) { out[threadIdx.x] = in[0]; }
__global__ void shifted(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x + 1]; }
__global__ void bytes(const char* in, char* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void vectors(const float4* in, float4* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void half_of_the_lanes(const float* in, float* out) {
  if (threadIdx.x % 2 == 0) out[threadIdx.x / 2] = in[threadIdx.x / 2];
}
// Each lane goes its own number of rounds.
__global__ void rounds(const float* in, float* out) {
  float sum = 0;
  for (unsigned i = 0; i <= threadIdx.x % 32; ++i) sum += in[32 * i + threadIdx.x % 32];
  out[threadIdx.x] = sum;
}
// Each lane leaves out other rounds, of which each is an instruction of its own.
__global__ void unrolled(const float* in, float* out) {
  float sum = 0;
#pragma unroll
  for (unsigned k = 0; k < 5; ++k) {
    if (threadIdx.x >> k & 1) sum += in[32 * k + threadIdx.x % 32];
  }
  out[threadIdx.x] = sum;
}
// Two parts of 16 bytes, each of which leaves out the other's.
struct alignas(16) Wide {
  float4 first, second;
};
__global__ void wide(const Wide* in, Wide* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void atomic(float* out) { atomicAdd(&out[threadIdx.x % 2], 1.0f); }

// ---- shared memory

template <int stride>
__global__ void banks(float* out) {
  __shared__ float s[32 * 32];
  for (int i = threadIdx.x; i < 32 * 32; i += 32) s[i] = 0;
  __syncthreads();
  out[threadIdx.x] = s[stride * threadIdx.x];
}
__global__ void shared_vectors(float4* out) {
  __shared__ float4 s[32];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x];
}

template <class T>
T* zeros(int count) {
  void* p = nullptr;
  cudaMalloc(&p, count * sizeof(T));
  cudaMemsetAsync(p, 0, count * sizeof(T), nullptr);
  return static_cast<T*>(p);
}

}  // namespace

int main() {
  auto* in = zeros<float>(elements);
  auto* out = zeros<float>(elements);
  contiguous<<<1, threads>>>(in, out);
  every_second<<<1, threads>>>(in, out);
  column<<<1, threads>>>(in, out);
  one_for_all<<<1, threads>>>(in, out);
  shifted<<<1, threads>>>(in, out);
  bytes<<<1, threads>>>(reinterpret_cast<char*>(in), reinterpret_cast<char*>(out));
  vectors<<<1, threads>>>(reinterpret_cast<float4*>(in), reinterpret_cast<float4*>(out));
  half_of_the_lanes<<<1, threads>>>(in, out);
  rounds<<<1, threads>>>(in, out);
  unrolled<<<1, threads>>>(in, out);
  wide<<<1, threads>>>(reinterpret_cast<Wide*>(in), reinterpret_cast<Wide*>(out));
  atomic<<<1, threads>>>(out);
  emulator_write_traffic("global");
  banks<0><<<1, 32>>>(out);
  banks<1><<<1, 32>>>(out);
  banks<2><<<1, 32>>>(out);
  banks<3><<<1, 32>>>(out);
  banks<32><<<1, 32>>>(out);
  shared_vectors<<<1, 32>>>(reinterpret_cast<float4*>(out));
  emulator_write_traffic("shared");
  for (int i = 0; i < 3; ++i) contiguous<<<2, threads>>>(in, out);
  cudaMemsetAsync(out, 0, 16, nullptr);
  cudaMemcpyAsync(out, in, 16, cudaMemcpyDeviceToDevice, nullptr);
  emulator_write_traffic("operations");
  return 0;
}
