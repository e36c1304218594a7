// The kernels an operator calls for each runtime key, resolved; immutable once an operator points to it.
#pragma once
#include <ATen/core/boxing/Signature.h>
#include <c10/core/DispatchKeySet.h>

#include <cstdint>

namespace c10::inline C10_ABI {

struct Kernel;

// The rule that filled a slot, in the words of PyTorch's dispatcher.
enum class DispatchRule : uint8_t {
  Missing,
  OwnKernel,
  DefaultBackendKernel,  // CompositeExplicitAutograd[NonFunctional]
  NestedKernel,          // CompositeImplicitAutogradNestedTensor
  MathKernel,            // CompositeImplicitAutograd
  AmbiguousAutogradOther,
  AutogradKernel,  // Autograd
  BatchedKernel,   // FuncTorchBatchedDecomposition
  BackendFallback,
};

struct DispatchTable {
  // All backends, and all functionalities except those without a kernel that fall through for some backends
  // only.
  DispatchKeySet mask;
  AnyKernel slots[num_runtime_entries] = {};
  // Parallel to slots: what was registered at run time; nullptr for kernels that were linked in.
  const Kernel* kernels[num_runtime_entries] = {};
  DispatchRule rules[num_runtime_entries] = {};
  // A slot without a kernel whose key falls through; reached only where other backends of the functionality
  // have a kernel.
  bool fallthrough[num_runtime_entries] = {};
};

}  // namespace c10::inline C10_ABI
