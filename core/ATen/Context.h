// Settings of the process that select among kernels: determinism, the precision of float32 products, and the
// backends of attention.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/string_view.h>

#include <atomic>
#include <cstdint>

namespace at::inline C10_ABI {

enum class Float32MatmulPrecision { HIGHEST, HIGH, MEDIUM };

class TORCH_API Context {
 public:
  /// Whether operators whose results depend on the order of threads are refused, or warned of.
  bool deterministicAlgorithms() const { return deterministic_.load(std::memory_order_relaxed); }
  bool deterministicAlgorithmsWarnOnly() const { return warn_only_.load(std::memory_order_relaxed); }
  void setDeterministicAlgorithms(bool enabled, bool warn_only);
  /// For a kernel without a deterministic implementation, called `caller`: RuntimeError or a warning if
  /// deterministic algorithms are asked for.
  void alertNotDeterministic(c10::string_view caller) const;

  /// HIGHEST: products of float32 are float32's. HIGH and MEDIUM allow a device to round their operands to
  /// TF32 (10 bits of mantissa instead of 23). CPU kernels always compute in float32.
  Float32MatmulPrecision float32MatmulPrecision() const { return precision_.load(std::memory_order_relaxed); }
  void setFloat32MatmulPrecision(Float32MatmulPrecision precision);
  bool allowTF32CuBLAS() const { return float32MatmulPrecision() != Float32MatmulPrecision::HIGHEST; }
  void setAllowTF32CuBLAS(bool allow);

  /// The backends that scaled_dot_product_attention may choose: bit n is number n of native::SDPBackend.
  uint32_t enabledSDPBackends() const { return sdp_backends_.load(std::memory_order_relaxed); }
  void setEnabledSDPBackends(uint32_t backends) { sdp_backends_.store(backends, std::memory_order_relaxed); }
  /// The order in which it tries them on devices: numbers of four bits, the first one lowest.
  uint32_t sdpPriorityOrder() const { return sdp_order_.load(std::memory_order_relaxed); }
  void setSDPPriorityOrder(uint32_t order) { sdp_order_.store(order, std::memory_order_relaxed); }

 private:
  std::atomic<bool> deterministic_{false}, warn_only_{false};
  std::atomic<Float32MatmulPrecision> precision_{Float32MatmulPrecision::HIGHEST};
  std::atomic<uint32_t> sdp_backends_{0x1f}, sdp_order_{0x43021};
};

TORCH_API Context& globalContext();

}  // namespace at::inline C10_ABI
