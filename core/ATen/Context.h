// Settings of the process that select among kernels: determinism, and the precision of float32 products.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/string_view.h>

#include <atomic>

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

 private:
  std::atomic<bool> deterministic_{false}, warn_only_{false};
  std::atomic<Float32MatmulPrecision> precision_{Float32MatmulPrecision::HIGHEST};
};

TORCH_API Context& globalContext();

}  // namespace at::inline C10_ABI
