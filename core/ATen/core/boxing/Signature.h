// What the dispatcher knows of an operator's C++ signature: its types as data, and how to call through a
// stack of IValues.
#pragma once
#include <c10/core/DispatchKeySet.h>
#include <c10/macros/Macros.h>

#include <cstdint>
#include <vector>

namespace c10::inline C10_ABI {

class OperatorEntry;
struct IValue;

// Arguments, then results, of a boxed call; the last element is the top.
using Stack = std::vector<IValue>;

// An erased unboxed kernel. Its real type is Ret(const OperatorEntry&, DispatchKeySet, Args...) for the
// operator's Ret(Args...).
using AnyKernel = void (*)();

// A C++ type of arguments or results, up to what can be passed in place of it: SymInt counts as int64_t.
// An `optional_flag` added to it makes the optional of that type.
enum class CppType : uint8_t {
  Void,
  Tensor,              // by value, as a result
  ConstTensorRef,      // const at::Tensor &
  TensorRef,           // at::Tensor &
  TensorArray,         // at::TensorList
  TensorListRef,       // const at::ITensorListRef &
  TensorVector,        // std::vector<at::Tensor>, as a result
  OptionalTensorList,  // const c10::List<std::optional<at::Tensor>> &
  Int,
  Double,
  Bool,
  Scalar,
  ScalarArray,
  ComplexDouble,
  String,
  IntArray,
  DoubleArray,
  BoolArray,
  BoolStdArray,  // std::array<bool, N>
  ScalarType,
  Layout,
  MemoryFormat,
  Device,
  DeviceIndex,
  Stream,
  Storage,
  Generator,
  QScheme,
  StringArray,
  IValue,
  Other,
};
inline constexpr uint8_t optional_flag = 0x80;

struct Signature {
  // Calls `kernel` with the arguments on top of the stack and leaves its results there instead.
  void (*call_boxed)(AnyKernel kernel, const OperatorEntry& op, DispatchKeySet ks, Stack* stack);
  // An unboxed kernel that calls the boxed kernel in the operator's table.
  AnyKernel from_boxed;
  // The same where autograd tracks an argument, as far as a look can tell; else the kernel after autograd.
  AnyKernel from_boxed_if_tracked;
  // CppType codes: results (one; those of a tuple; none for void), then arguments.
  const uint8_t* types;
  uint8_t num_results;
  uint8_t num_arguments;
};

}  // namespace c10::inline C10_ABI
