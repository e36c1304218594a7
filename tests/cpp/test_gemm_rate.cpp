// Products of floats run near the rate of this processor's multiply-adds. Kernels compiled without fused
// ones, or with accumulators that left the registers, give the same numbers at half of it.
#include "check.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/native/DispatchStub.h>

#include <algorithm>
#include <chrono>

#if defined(__x86_64__)
namespace {

constexpr int chains = 10, steps = 20000;

// Ten multiply-adds that do not wait for each other; of zeros, as denormal numbers can take longer.
#define FUSED(v, i) "vfmadd231ps %%" #v "14, %%" #v "15, %%" #v #i "\n"
#define FIVE_FUSED(v, a, b, c, d, e) FUSED(v, a) FUSED(v, b) FUSED(v, c) FUSED(v, d) FUSED(v, e)
#define TEN_FUSED(v) FIVE_FUSED(v, 0, 1, 2, 3, 4) FIVE_FUSED(v, 5, 6, 7, 8, 9)
#define USED_REGISTERS                                                                                       \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", \
      "xmm13", "xmm14", "xmm15"

void fuse(bool wide) {
  asm volatile("vzeroall" ::: USED_REGISTERS);
  for (int step = 0; step < steps; ++step) {
    if (wide) {
      asm volatile(TEN_FUSED(zmm)::: USED_REGISTERS);
    } else {
      asm volatile(TEN_FUSED(ymm)::: USED_REGISTERS);
    }
  }
  asm volatile("vzeroall" ::: USED_REGISTERS);
}

template <class F>
double seconds(const F& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main() {
  const auto capability = at::native::get_cpu_capability();
  if (capability == at::native::CPUCapability::DEFAULT) return 77;  // counts as skipped
  const bool wide = capability == at::native::CPUCapability::AVX512;
  constexpr int64_t n = 384;
  at::set_num_threads(1);
  at::Tensor a, b, c;
  try {
    a = at::rand({n, n}), b = at::rand({n, n}), c = at::mm(a, b);
  } catch (const c10::NotImplementedError& error) {
    std::puts(error.what());  // a library without the copies that ATEN_CPU_CAPABILITY asks for
    return 77;
  }
  double peak = 0, rate = 0;
  // In turns, the best of each: what else the machine does slows both.
  for (int round = 0; round < 200; ++round) {
    const double fused = 2.0 * chains * steps * (wide ? 16 : 8);
    peak = std::max(peak, fused / seconds([&] { fuse(wide); }));
    rate = std::max(rate, 2.0 * n * n * n / seconds([&] { at::mm_out(c, a, b); }));
  }
  std::printf("%.1f of %.1f GFLOP/s: %.2f\n", rate * 1e-9, peak * 1e-9, rate / peak);
  CHECK(rate > 0.7 * peak);
  return check::result();
}
#else
int main() { return 77; }
#endif
