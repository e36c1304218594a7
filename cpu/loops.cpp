// Entry points of the code that elementwise loops share.
#include <ATen/native/cpu/LoopDriver.h>

namespace at::native::loops {

DEFINE_DISPATCH(run_loop_stub);
DEFINE_DISPATCH(conversion_stub);

void run(TensorIteratorBase& iter, const Loop& loop, int64_t grain_size) {
  run_loop_stub(kCPU, iter, loop, grain_size);
}

Convert conversion(ScalarType to, ScalarType from) { return conversion_stub(kCPU, to, from); }

}  // namespace at::native::loops
