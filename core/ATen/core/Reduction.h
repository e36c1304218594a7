// How a loss is reduced.
#pragma once

#include <c10/macros/Macros.h>

#include <cstdint>

namespace at::inline C10_ABI {
namespace Reduction {
enum Reduction : int64_t {
  None,  // one value per element
  Mean,
  Sum,
  END
};
}  // namespace Reduction
}  // namespace at::inline C10_ABI
