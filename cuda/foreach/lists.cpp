// Operators on lists, on CUDA: which kernels are launched for many tensors.
#include <ATen/native/cuda/foreach/lists.h>

#include <ATen/core/Tensor.h>
#include <c10/core/DeviceGuard.h>

#include <limits>

namespace at::native {
namespace cuda_lists {
namespace {

thread_local Lists* of_thread = nullptr;

}  // namespace

Lists* current() { return of_thread; }

// Blocks have no order: items that write what others read or write are left to the single operator, as are
// those whose elements need more than 32 bits to be counted.
Lists::Lists(const foreach::Run& run) : Binding(run), item_(run.leader) {
  for (size_t i = run.first; i < run.last; i++) {
    if (!run.reduces && first_[i].numel() > std::numeric_limits<int32_t>::max()) return;
  }
  if (run.results != nullptr || !overlap()) of_thread = this;
}

Lists::~Lists() { of_thread = nullptr; }

bool Lists::take(const TensorIteratorBase& iter, Launch launch, const void* call, size_t size) {
  if (run_.reduces || iter.ntensors() > most_operands) {
    leave_out();
    return false;
  }
  if (item_ != run_.leader) {
    return take_other(iter, launch, call, size);
  }
  int sizes[most_operands];
  for (int k = 0; k < iter.ntensors(); k++) {
    sizes[k] = static_cast<int>(iter.element_size(k));
  }
  if (!bind_leader(iter, sizes, sizes[0])) {
    return false;
  }
  if (!run_.has_scalars) {
    const c10::DeviceGuard guard(iter.device(0));
    list_items(iter);
    launch(*this, call, 0);
    return true;
  }
  // Whether it is the kernel that writes the leader's result is known only after it.
  if (run_.results != nullptr) {
    return false;
  }
  add(iter, launch, call, size);
  return true;
}

bool Lists::take_other(const TensorIteratorBase& iter, Launch launch, const void* call, size_t size) {
  if (written_ != nullptr || !is_of_item(iter, item_)) {
    launch_added();
    return false;
  }
  add(iter, launch, call, size);
  return true;
}

void Lists::add(const TensorIteratorBase& iter, Launch launch, const void* call, size_t size) {
  if (launch != launch_) {
    launch_added();
    launch_ = launch;
  }
  Item item{{}, numel, iter.numel()};
  for (int k = 0; k < iter.ntensors(); k++) {
    item.data[k] = static_cast<char*>(iter.data_ptr(k));
  }
  written_ = item.data[0];
  numel += item.numel;
  items.push_back(item);
  const auto* bytes = static_cast<const char*>(call);
  calls_.insert(calls_.end(), bytes, bytes + size);
}

void Lists::launch_added() {
  if (items.empty()) return;
  const c10::DeviceGuard guard(first_[run_.leader].device());
  launch_(*this, calls_.data(), 1);
  items.clear();
  calls_.clear();
}

bool Lists::take_reduction(const TensorIteratorBase& iter) {
  if (!run_.reduces || iter.ntensors() != 2) {
    leave_out();
    return false;
  }
  const int sizes[2] = {0, static_cast<int>(iter.element_size(1))};
  if (!bind_leader(iter, sizes, 0)) {
    return false;
  }
  list_items(iter);
  return true;
}

void Lists::run_others(foreach::ItemFunction item) {
  for (size_t i = run_.first; i < run_.last; i++) {
    if (i == run_.leader) continue;
    item_ = i;
    written_ = nullptr;
    Tensor result = item(i);
    TORCH_INTERNAL_ASSERT(written_ == nullptr || written_ == result.data_ptr());
    if (run_.results != nullptr) {
      (*run_.results)[i] = std::move(result);
    }
  }
  launch_added();
}

namespace {

bool foreach_run(const foreach::Run& run, foreach::ItemFunction item) {
  Lists lists(run);
  Tensor result = item(run.leader);
  const bool done = lists.is_done(result);
  if (run.results != nullptr) {
    (*run.results)[run.leader] = std::move(result);
  }
  if (done && run.has_scalars) {
    lists.run_others(item);
  }
  return done;
}

}  // namespace
}  // namespace cuda_lists

REGISTER_CUDA_DISPATCH(foreach_run_stub, &cuda_lists::foreach_run)

}  // namespace at::native
