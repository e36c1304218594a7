// Entry points of the shared part of elementwise loops.
#include <ATen/native/cpu/loop_items.h>

namespace at::native {

DEFINE_DISPATCH(run_loop_stub);
DEFINE_DISPATCH(conversion_stub);

namespace loops {

constinit thread_local Items* items = nullptr;

void run(TensorIteratorBase& iter, const Loop& loop, int64_t grain_size) {
  run_loop_stub(kCPU, iter, loop, grain_size);
}

Convert conversion(ScalarType to, ScalarType from) { return conversion_stub(kCPU, to, from); }

}  // namespace loops
}  // namespace at::native
