// Operators on lists: the checks that all of them share, and how items are put together into runs.
#include <ATen/native/foreach/lists.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <algorithm>

#include <ATen/ops/item.h>
#include <ATen/ops/select.h>

namespace at::native {

DEFINE_DISPATCH(foreach_run_stub);

namespace foreach {

void check_lists(std::initializer_list<TensorList> lists) {
  const TensorList& first = *lists.begin();
  for (const TensorList& list : lists) {
    TORCH_CHECK(!list.empty(), "Tensor list must have at least one tensor.");
    TORCH_CHECK(list.size() == first.size(), "Tensor lists must have the same number of tensors, got ",
                first.size(), " and ", list.size());
  }
}

void check_lists(std::initializer_list<TensorList> lists, ScalarList scalars) {
  check_lists(lists);
  TORCH_CHECK(scalars.size() == lists.begin()->size(),
              "Tensor list must have same number of elements as scalar list, got ", lists.begin()->size(),
              " and ", scalars.size());
}

void check_scalar_tensor(const Tensor& scalar) {
  TORCH_CHECK(scalar.dim() == 0, "scalar tensor expected to be 0 dim but it has ", scalar.dim(),
              " dimensions and ", scalar.numel(), " elements.");
}

std::vector<Scalar> unpack_scalars(const Tensor& scalars, size_t count) {
  TORCH_CHECK(scalars.is_cpu(), "Expected scalars to be on CPU, got ", scalars.device(), " instead.");
  TORCH_CHECK(scalars.is_contiguous(), "Expected scalars to be contiguous.");
  TORCH_CHECK(scalars.dim() == 1, "Expected packed scalar Tensor to be of dimension 1. Got ", scalars.dim(),
              " instead.");
  TORCH_CHECK(scalars.numel() == static_cast<int64_t>(count),
              "Expected length of scalars to match input of length ", count, " but got ", scalars.numel(),
              " instead.");
  std::vector<Scalar> values;
  values.reserve(count);
  for (size_t i = 0; i < count; i++) {
    values.push_back(scalars.select(0, static_cast<int64_t>(i)).item());
  }
  return values;
}

namespace {

// The same memory, or none in common; both tensors are dense.
bool same_or_apart(const Tensor& a, const Tensor& b) {
  const char *at = static_cast<const char*>(a.const_data_ptr()),
             *bt = static_cast<const char*>(b.const_data_ptr());
  const size_t an = a.nbytes(), bn = b.nbytes();
  return (at == bt && an == bn) || at + an <= bt || bt + bn <= at;
}

// Whether one loop over contiguous memory processes item i, an item with the leader's dtypes and device.
bool fits(const Run& run, size_t i) {
  const Tensor& first = (*run.operands.begin())[i];
  if (!foreach_run_stub.is_device_supported(first.device().type())) {
    return false;
  }
  if (run.reduces && first.numel() < 2) {  // whose kernels reduce nothing
    return false;
  }
  for (const TensorList& list : run.operands) {
    const Tensor &t = list[i], &leader = list[run.leader];
    if (t.device() != (*run.operands.begin())[run.leader].device() ||
        t.scalar_type() != leader.scalar_type() || (t.dim() == 0) != (leader.dim() == 0) ||
        !t.is_non_overlapping_and_dense()) {
      return false;
    }
    if (&t == &first) {
      continue;
    }
    if (t.sizes() != first.sizes() || (t.strides() != first.strides() && !t.is_contiguous()) ||
        t.is_contiguous() != first.is_contiguous() || (run.results == nullptr && !same_or_apart(t, first))) {
      return false;
    }
  }
  return true;
}

bool same_value(const Scalar& a, const Scalar& b) {
  return (a.isComplex()         ? a.equal(b.toComplexDouble())
          : a.isFloatingPoint() ? a.equal(b.toDouble())
          : a.isBoolean()       ? a.toBool() == b.toBool()
                                : a.equal(b.toLong()));
}

// The leader has several elements: kernels of single elements are no loops.
void find_run(Run& run, ScalarList scalars) {
  const size_t n = run.operands.begin()->size();
  run.leader = run.first;
  run.last = run.first + 1;
  run.has_scalars = false;
  if (!fits(run, run.first)) {
    return;
  }
  const bool is_cpu = (*run.operands.begin())[run.first].is_cpu();
  while (run.last < n && fits(run, run.last)) {
    if (!scalars.empty()) {
      const Scalar &scalar = scalars[run.first], &next = scalars[run.last];
      const bool differs = scalar.type() != next.type() || !same_value(scalar, next);
      if (differs && (is_cpu || scalar.type() != next.type())) break;
      run.has_scalars = run.has_scalars || differs;
    }
    if ((*run.operands.begin())[run.leader].numel() < 2) {
      run.leader = run.last;
    }
    run.last++;
  }
}

// Whether a call for a single tensor would be recorded or counted: then none may be left out.
bool is_recorded(std::initializer_list<TensorList> lists) {
  const DispatchKeySet excluded = c10::impl::tls_local_dispatch_key_set().excluded_;
  if (excluded.has(DispatchKey::AutogradCPU)) {
    return false;
  }
  const DispatchKeySet recording = c10::autograd_dispatch_keyset_with_ADInplaceOrView - excluded;
  return std::any_of(lists.begin(), lists.end(), [&](const TensorList& list) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Tensor& t) { return t.key_set().has_any(recording); });
  });
}

void process(std::initializer_list<TensorList> lists, ItemFunction item, ScalarList scalars,
             std::vector<Tensor>* results, bool reduces = false) {
  const size_t n = lists.begin()->size();
  const auto one = [&](size_t i) {
    Tensor result = item(i);
    if (results != nullptr) {
      (*results)[i] = std::move(result);
    }
  };
  if (is_recorded(lists)) {
    for (size_t i = 0; i < n; i++) one(i);
    return;
  }
  Run run{lists, results, reduces, 0, 0, 0};
  for (; run.first < n; run.first = run.last) {
    find_run(run, scalars);
    const bool several = run.last - run.first > 1 && (*lists.begin())[run.leader].numel() > 1;
    if (several && foreach_run_stub((*lists.begin())[run.leader].device().type(), run, item)) {
      continue;
    }
    for (size_t i = run.first; i < run.last; i++) {
      if (!several || i != run.leader) {
        one(i);
      }
    }
  }
}

}  // namespace

std::vector<Tensor> map(std::initializer_list<TensorList> lists, ItemFunction item, ScalarList scalars) {
  std::vector<Tensor> results(lists.begin()->size());
  process(lists, item, scalars, &results);
  return results;
}

std::vector<Tensor> reduce(TensorList list, ItemFunction item) {
  std::vector<Tensor> results(list.size());
  process({list}, item, {}, &results, /*reduces=*/true);
  return results;
}

void update(std::initializer_list<TensorList> lists, ItemFunction item, ScalarList scalars) {
  process(lists, item, scalars, nullptr);
}

}  // namespace foreach
}  // namespace at::native
