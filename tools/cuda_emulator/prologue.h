// Included in front of every .cu file. nvcc compiles a file twice, for the host and for devices; here both
// are one compilation, with the macros of device code. Headers whose device code differs from what the host
// needs are included before these are defined, or with them.
#pragma once

#define __CUDACC__ 1
#include <cuda_runtime.h>

#include <c10/macros/Macros.h>

#undef CUDA_KERNEL_ASSERT
#define CUDA_KERNEL_ASSERT(cond)     \
  do {                               \
    if (!(cond)) ::emulator::trap(); \
  } while (0)

// Checks that throw and conversions that are constexpr, as the host's code needs them.
#include <c10/core/DynamicCast.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <c10/util/Half.h>

#define __CUDA_ARCH__ 900
#define __CUDA_ARCH_LIST__ 750, 800, 900
