// TensorImpl and TensorBase: geometry, keys, versions, references, errors.
#include "check.h"

#include <ATen/EmptyTensor.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/InferenceMode.h>

#include <cstdint>
#include <vector>

namespace {

using at::TensorBase;
using at::detail::empty_cpu;

void fresh_tensor() {
  TensorBase t = empty_cpu({2, 3}, at::kFloat);
  CHECK_EQ(t.sizes(), at::IntArrayRef({2, 3}));
  CHECK_EQ(t.strides(), at::IntArrayRef({3, 1}));
  CHECK_EQ(t.numel(), 6);
  CHECK_EQ(t.nbytes(), 24u);
  CHECK(t.is_contiguous() && t.is_non_overlapping_and_dense() && t.is_cpu());
  CHECK_EQ(t.scalar_type(), at::kFloat);
  CHECK_EQ(t.size(-1), 3);
  CHECK_THROWS(t.size(2), c10::IndexError, "expected to be in range of [-2, 1], but got 2");
  CHECK_THROWS(t.size(INT64_MIN), c10::IndexError, "Dimension out of range");
  CHECK_THROWS(t.data_ptr<double>(), c10::Error, "expected scalar type Double but found Float");
  t.data_ptr<float>()[5] = 1.5f;
  CHECK_EQ((t.accessor<float, 2>()[1][2]), 1.5f);
  CHECK_EQ(c10::str(t), "Tensor(Float, [2, 3], cpu)");
  CHECK_EQ(t.toString(), "CPUFloatType");
}

void keys() {
  const TensorBase t = empty_cpu({1}, at::kFloat);
  CHECK_EQ(t.key_set(), c10::DispatchKeySet({c10::DispatchKey::CPU, c10::DispatchKey::AutogradCPU,
                                             c10::DispatchKey::ADInplaceOrView}));
  CHECK_EQ(at::detail::empty_meta({1}, at::kFloat).key_set(),
           c10::DispatchKeySet(
               {c10::DispatchKey::Meta, c10::DispatchKey::AutogradMeta, c10::DispatchKey::ADInplaceOrView}));
  CHECK(TensorBase().key_set().empty());
  c10::InferenceMode guard;
  const TensorBase inference = empty_cpu({1}, at::kFloat);
  CHECK_EQ(inference.key_set(), c10::DispatchKeySet(c10::DispatchKey::CPU));
  CHECK(inference.is_inference() && !t.is_inference());
  CHECK_THROWS(inference._version(), c10::Error, "Inference tensors do not track version counter");
}

void undefined() {
  TensorBase t;
  CHECK(!t.defined() && t.use_count() == 0 && !t.has_storage());
  TensorBase copy = t, other = std::move(copy);
  CHECK(t.is_same(other));
  CHECK_EQ(c10::str(t), "Tensor(undefined)");
  CHECK_THROWS(t.const_data_ptr(), c10::NotImplementedError, "Cannot access storage");
}

void many_dimensions() {
  std::vector<int64_t> sizes(64, 1);
  sizes[0] = 7;
  TensorBase t = empty_cpu(sizes, at::kByte);
  CHECK_EQ(t.dim(), 64);
  CHECK_EQ(t.sizes(), at::IntArrayRef(sizes));
  t.unsafeGetTensorImpl()->set_sizes_and_strides(t.sizes(), t.strides());  // its own values as arguments
  CHECK_EQ(t.sizes(), at::IntArrayRef(sizes));
  t.unsafeGetTensorImpl()->set_sizes_contiguous({7});
  CHECK_EQ(t.sizes(), at::IntArrayRef({7}));
  sizes.push_back(1);
  CHECK_THROWS(empty_cpu(sizes, at::kByte), c10::Error, "at most 64 dimensions");
}

void sizes_are_checked() {
  CHECK_THROWS(empty_cpu({-1}, at::kFloat), c10::Error, "negative dimension -1: [-1]");
  CHECK_THROWS(empty_cpu({2, -3}, at::kFloat), c10::Error, "negative dimension -3: [2, -3]");
  CHECK_THROWS(empty_cpu({-1, -1}, at::kFloat), c10::Error, "negative dimension -1: [-1, -1]");
  CHECK_THROWS(empty_cpu({INT64_MAX, INT64_MAX}, at::kFloat), c10::Error, "overflow");
  CHECK_THROWS(empty_cpu({INT64_MAX}, at::kFloat), c10::Error, "overflow");
  CHECK_THROWS(empty_cpu({int64_t{1} << 60}, at::kFloat), c10::OutOfMemoryError, "bytes");
  CHECK_THROWS(empty_cpu({INT64_MAX, INT64_MAX, 0}, at::kFloat), c10::Error, "overflow");
  CHECK_EQ(empty_cpu({0, int64_t{1} << 40}, at::kFloat).numel(), 0);
  CHECK_THROWS(at::detail::empty_strided_cpu({2}, {INT64_MAX}, at::kFloat), c10::Error, "overflow");
  CHECK_THROWS(at::detail::empty_strided_cpu({2}, {-1}, at::kFloat), c10::Error, "negative strides");
  CHECK_THROWS(at::detail::empty_strided_cpu({2}, {1, 1}, at::kFloat), c10::Error, "dimensionality");
  CHECK_THROWS(empty_cpu({1}, at::kQInt8), c10::NotImplementedError, "qint8");
}

void storage_bounds() {
  using at::detail::checkInBoundsForStorage;
  checkInBoundsForStorage({2, 3}, {3, 1}, 0, 4, 24);
  checkInBoundsForStorage({0, 3}, {3, 1}, 100, 4, 0);
  CHECK_THROWS(checkInBoundsForStorage({2, 3}, {3, 1}, 1, 4, 24), c10::Error,
               "out of bounds for storage of size 24");
  CHECK_THROWS(checkInBoundsForStorage({2}, {INT64_MAX}, 0, 8, 24), c10::Error, "overflow");
  CHECK_THROWS(checkInBoundsForStorage({1}, {1}, -1, 8, 24), c10::Error, "must not be negative");
}

// A failed change leaves the tensor as it was.
void failed_changes_change_nothing() {
  TensorBase t = empty_cpu({2, 3}, at::kFloat);
  c10::TensorImpl* impl = t.unsafeGetTensorImpl();
  CHECK_THROWS(impl->set_sizes_contiguous({5, -1}), c10::Error, "negative");
  CHECK_THROWS(impl->set_sizes_contiguous({INT64_MAX, 4}), c10::Error, "overflow");
  CHECK_THROWS(impl->set_sizes_and_strides({INT64_MAX, 4}, {1, 1}), c10::Error, "overflow");
  CHECK_THROWS(impl->set_size(0, INT64_MAX), c10::Error, "overflow");
  CHECK_EQ(t.sizes(), at::IntArrayRef({2, 3}));
  CHECK_EQ(t.numel(), 6);
}

void contiguity() {
  TensorBase t = empty_cpu({2, 3, 4, 5}, at::kFloat, false, at::MemoryFormat::ChannelsLast);
  CHECK_EQ(t.strides(), at::IntArrayRef({60, 1, 15, 3}));
  CHECK(!t.is_contiguous() && t.is_contiguous(at::MemoryFormat::ChannelsLast) &&
        t.is_non_overlapping_and_dense());
  CHECK_EQ(t.suggest_memory_format(), at::MemoryFormat::ChannelsLast);
  TensorBase n111 = empty_cpu({3, 1, 1, 1}, at::kFloat);
  CHECK_EQ(n111.suggest_memory_format(), at::MemoryFormat::Contiguous);
  CHECK(n111.is_contiguous(at::MemoryFormat::ChannelsLast));
  CHECK(empty_cpu({2, 3, 4, 5, 6}, at::kFloat, false, at::MemoryFormat::ChannelsLast3d)
            .is_contiguous(at::MemoryFormat::ChannelsLast3d));
  TensorBase transposed = at::detail::empty_strided_cpu({3, 2}, {1, 3}, at::kFloat);
  CHECK(!transposed.is_contiguous() && transposed.is_non_overlapping_and_dense());
  TensorBase expanded = at::detail::empty_strided_cpu({3, 2}, {0, 1}, at::kFloat);
  CHECK(!expanded.is_contiguous() && !expanded.is_non_overlapping_and_dense());
  CHECK(at::detail::empty_strided_cpu({1, 2}, {99, 1}, at::kFloat).is_contiguous());
  CHECK(at::detail::empty_strided_cpu({0, 2}, {1, 9}, at::kFloat).is_contiguous());
  CHECK_THROWS(empty_cpu({2, 3}, at::kFloat, false, at::MemoryFormat::ChannelsLast), c10::Error, "rank 4");
}

void versions_are_shared_by_views() {
  TensorBase t = empty_cpu({2}, at::kFloat);
  c10::TensorImpl* impl = t.unsafeGetTensorImpl();
  CHECK_EQ(t._version(), 0);
  impl->bump_version();
  CHECK_EQ(t._version(), 1);
  auto view = impl->shallow_copy_and_detach(impl->version_counter(), true);
  view->bump_version();
  impl->bump_version();
  CHECK_EQ(t._version(), 3);
  CHECK_EQ(view->current_version(), 3u);
  CHECK(view->storage().is_alias_of(t.storage()));
  auto fixed = impl->shallow_copy_and_detach(c10::VariableVersion(0u), false);
  CHECK_EQ(fixed->current_version(), 0u);
  CHECK_THROWS(fixed->set_sizes_contiguous({1}), c10::Error, "not allowed on a tensor created by detach()");
}

void references() {
  TensorBase t = empty_cpu({2}, at::kFloat);
  CHECK_EQ(t.use_count(), 1u);
  CHECK(t.is_uniquely_owned());
  {
    TensorBase copy = t;
    CHECK_EQ(t.use_count(), 2u);
    auto borrowed = c10::MaybeOwned<TensorBase>::borrowed(t);
    CHECK_EQ(t.use_count(), 2u);
    auto second = borrowed;
    CHECK(second->is_same(t));
  }
  c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> weak(t.getIntrusivePtr());
  CHECK(weak.lock().get() == t.unsafeGetTensorImpl());
  CHECK(!t.is_uniquely_owned());
  t.reset();
  CHECK(weak.expired() && !weak.lock());
}

void read_only_storage() {
  TensorBase t = empty_cpu({2}, at::kFloat);
  t.storage().unsafeGetStorageImpl()->set_read_only(true);
  CHECK(t.const_data_ptr() != nullptr);
  CHECK_THROWS(t.mutable_data_ptr(), c10::ValueError, "read-only");
}

void meta_has_no_memory() {
  const TensorBase t = at::detail::empty_meta({int64_t{1} << 40}, at::kFloat);
  CHECK(t.is_meta() && t.const_data_ptr() == nullptr);
  CHECK_EQ(t.numel(), int64_t{1} << 40);
}

void devices() {
  CHECK_EQ(at::Device("cuda:1"), at::Device(at::kCUDA, 1));
  CHECK_EQ(at::Device("cpu").str(), "cpu");
  for (const char* bad : {"cuda:", "cuda:x", "cuda:01", "cuda:-1", "cuda:1:2", "cuda:999", "cuda 1"}) {
    CHECK_THROWS(at::Device{bad}, c10::Error, "");
  }
  CHECK_THROWS(at::Device("tpu"), c10::Error, "at start of device string: tpu");
  CHECK_THROWS(at::Device("cpu:1"), c10::Error, "CPU device index");
  CHECK_THROWS(at::detail::empty_device({1}, at::kFloat, at::Device(at::kXPU)), c10::Error,
               "no support for device type xpu");
  c10::rename_privateuse1_backend("npu");
  CHECK_EQ(at::Device("npu:2").str(), "npu:2");
  CHECK_THROWS(c10::rename_privateuse1_backend("other"), c10::Error, "already named npu");
  CHECK_THROWS(at::detail::empty_device({1}, at::kFloat, at::Device("npu")), c10::Error,
               "no backend is registered");
}

void errors_collect_operators() {
  try {
    TORCH_CHECK_VALUE(false, "sizes ", at::IntArrayRef({1, 2}), " are bad");
  } catch (c10::Error& error) {
    error.add_context("aten::addmm");
    error.add_context("aten::addmm");
    CHECK_EQ(std::string(error.what()), "aten::addmm: sizes [1, 2] are bad");
    error.add_context("aten::linear");
    CHECK_EQ(std::string(error.what()), "aten::addmm: sizes [1, 2] are bad [in aten::linear]");
    CHECK(dynamic_cast<c10::ValueError*>(&error) != nullptr);
  }
}

}  // namespace

int main() {
  RUN(fresh_tensor);
  RUN(keys);
  RUN(undefined);
  RUN(many_dimensions);
  RUN(sizes_are_checked);
  RUN(storage_bounds);
  RUN(failed_changes_change_nothing);
  RUN(contiguity);
  RUN(versions_are_shared_by_views);
  RUN(references);
  RUN(read_only_storage);
  RUN(meta_has_no_memory);
  RUN(devices);
  RUN(errors_collect_operators);
  return check_result();
}
