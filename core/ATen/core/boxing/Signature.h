// An operator's C++ signature at run time: its types as data, and how to call it with a stack of IValues.
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

// A type-erased unboxed kernel. Its real type is Ret(const OperatorEntry&, DispatchKeySet, Args...) for the
// operator's Ret(Args...).
using AnyKernel = void (*)();

// A C++ type of arguments or results, where types that are passed alike are one: SymInt is int64_t. With
// `optional_flag` added it is the optional of that type.
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
  // Calls `kernel` with the arguments on top of the stack and replaces them by its results.
  void (*call_boxed)(AnyKernel kernel, const OperatorEntry& op, DispatchKeySet ks, Stack* stack);
  // An unboxed kernel that calls the boxed kernel in the operator's table.
  AnyKernel from_boxed;
  // The same where a quick check finds that autograd tracks an argument; else the kernel below autograd.
  AnyKernel from_boxed_if_tracked;
  // CppType codes: results (one; those of a tuple; none for void), then arguments.
  const uint8_t* types;
  uint8_t num_results;
  uint8_t num_arguments;
};

}  // namespace c10::inline C10_ABI
