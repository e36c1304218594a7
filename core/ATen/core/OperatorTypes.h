// The types in operator signatures, declared or defined with as few includes as each allows.
#pragma once
#include <ATen/core/Generator.h>
#include <ATen/core/IListRef.h>
#include <ATen/core/List.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/dispatch/OperatorEntry.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/QScheme.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Stream.h>
#include <c10/core/SymInt.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/OptionalArrayRef.h>
#include <c10/util/string_view.h>

#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

namespace at::inline C10_ABI {
class Tensor;
using TensorList = c10::ArrayRef<Tensor>;
}  // namespace at::inline C10_ABI
