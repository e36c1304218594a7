// CUDA C++ for a host compiler: qualifiers, vector types, built-in variables, and the functions of device
// code.
#pragma once

#include <cuda_runtime_api.h>
#include <math.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#define __host__
#define __device__
#define __global__
#define __grid_constant__
#define __noinline__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)

struct uint2 {
  unsigned x, y;
};
struct uint3 {
  unsigned x, y, z;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
constexpr int warpSize = 32;

#include <emulator/launch.h>

#include <emulator/atomic.h>
#include <emulator/math.h>
#include <emulator/warp.h>
