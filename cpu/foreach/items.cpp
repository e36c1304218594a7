// Operators on lists as one loop: the operator is called for one item, the leader, and when its kernel comes
// to its loop, the operands of all other items are bound to it, too.
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/loop_items.h>

namespace at::native {
namespace {

using foreach::Run;

class RunItems final : public loops::Items {
 public:
  explicit RunItems(const Run& run) : Items(run) { loops::items = this; }
  ~RunItems() override { loops::items = nullptr; }

  bool bind(const TensorIteratorBase& iter, const loops::Loop& loop, int64_t grain_size) override {
    const int num_tensors = loop.num_operands - loop.num_scalars;
    if (run_.reduces || iter.ntensors() != num_tensors) {
      loops_++;
      return false;
    }
    int sizes[loops::max_operands];  // of the elements of the tensors, in memory
    for (int k = 0; k < num_tensors; k++) {
      sizes[k] = loop.operands[k].stored_size;
    }
    if (!bind_leader(iter, sizes, sizes[0])) {
      return false;
    }
    list_items(iter);
    for (int k = num_tensors; k < loop.num_operands; k++) {
      strides[k] = 0;
      for (Item& item : items) {
        item.data[k] = static_cast<char*>(const_cast<void*>(loop.scalars[k - num_tensors]));
      }
    }
    in_order = run_.results == nullptr && numel > grain_size && at::get_num_threads() > 1 && overlap();
    return true;
  }

  bool bind_reduction(const TensorIteratorBase& iter) override {
    if (!run_.reduces || iter.ntensors() != 2) {
      return false;
    }
    const int sizes[2] = {0, static_cast<int>(iter.element_size(1))};
    if (!bind_leader(iter, sizes, 0)) {
      return false;
    }
    list_items(iter);
    return true;
  }
};

bool foreach_run(const Run& run, foreach::ItemFunction item) {
  RunItems items(run);
  Tensor result = item(run.leader);
  const bool done = items.is_done(result);
  if (run.results != nullptr) {
    (*run.results)[run.leader] = std::move(result);
  }
  return done;
}

}  // namespace

REGISTER_DISPATCH(foreach_run_stub, &foreach_run)

}  // namespace at::native
