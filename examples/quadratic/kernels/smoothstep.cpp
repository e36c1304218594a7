// quadratic::smoothstep: its meta function. The loops are generated from functors/smoothstep.h.
#include <ATen/ops/quadratic_smoothstep_meta.h>

namespace at::meta {

TORCH_META_FUNC(smoothstep)(const Tensor& self) {
  TORCH_CHECK(c10::isFloatingType(self.scalar_type()), "smoothstep(): expected a floating point tensor, got ",
              c10::toString(self.scalar_type()));
  build_borrowing_unary_op(maybe_get_output(), self);
}

}  // namespace at::meta
