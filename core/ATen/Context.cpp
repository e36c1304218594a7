// See the header.
#include <ATen/Context.h>

#include <c10/util/Exception.h>

#include <string>

namespace at::inline C10_ABI {

void Context::setDeterministicAlgorithms(bool enabled, bool warn_only) {
  warn_only_.store(warn_only, std::memory_order_relaxed);
  deterministic_.store(enabled, std::memory_order_relaxed);
}

void Context::alertNotDeterministic(c10::string_view caller) const {
  if (!deterministicAlgorithms()) return;
  const std::string message =
      std::string(caller) +
      " does not have a deterministic implementation, but use_deterministic_algorithms(True) is set. Turn it "
      "off for this call, or set it with warn_only=True.";
  TORCH_CHECK(deterministicAlgorithmsWarnOnly(), message);
  TORCH_WARN(message);
}

void Context::setFloat32MatmulPrecision(Float32MatmulPrecision precision) {
  precision_.store(precision, std::memory_order_relaxed);
}

void Context::setAllowTF32CuBLAS(bool allow) {
  setFloat32MatmulPrecision(allow ? Float32MatmulPrecision::HIGH : Float32MatmulPrecision::HIGHEST);
}

Context& globalContext() {
  static constinit Context context;
  return context;
}

}  // namespace at::inline C10_ABI
