// DLPack both ways: sharing, layout, flags, refusals, and that every deleter runs exactly once.
#include "check.h"

#include <ATen/DLConvertor.h>
#include <ATen/EmptyTensor.h>

#include <cstdint>
#include <thread>
#include <vector>

namespace {

using at::TensorBase;

// A producer in another library: a struct with its own memory that counts calls of its deleter.
struct Producer {
  explicit Producer(int* deleted) : deleted(deleted) {
    managed.version = {1, 0};
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensorVersioned* self) {
      auto* producer = static_cast<Producer*>(self->manager_ctx);
      ++*producer->deleted;
      delete producer;
    };
    managed.dl_tensor = {data, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, nullptr, 0};
  }
  int* deleted;
  alignas(64) float data[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  int64_t shape[2] = {2, 3};
  int64_t strides[2] = {3, 1};
  DLManagedTensorVersioned managed{};
};

void round_trip_shares_memory() {
  TensorBase t = at::detail::empty_cpu({2, 3}, at::kFloat);
  t.data_ptr<float>()[0] = 42;
  TensorBase back = at::fromDLPack(at::toDLPack(t));
  CHECK(back.const_data_ptr() == t.const_data_ptr());
  CHECK_EQ(back.sizes(), t.sizes());
  CHECK_EQ(back.strides(), t.strides());
  CHECK_EQ(t.use_count(), 2u);
  back.reset();
  CHECK_EQ(t.use_count(), 1u);
  TensorBase versioned = at::fromDLPackVersioned(at::toDLPackVersioned(t));
  CHECK(versioned.const_data_ptr() == t.const_data_ptr());
  const void* data = t.const_data_ptr();
  t.reset();
  CHECK(versioned.const_data_ptr() == data);
  CHECK_EQ(versioned.data_ptr<float>()[0], 42.0f);
}

void all_types() {
  for (at::ScalarType type : {at::kByte, at::kChar, at::kShort, at::kInt, at::kLong, at::kHalf, at::kFloat,
                              at::kDouble, at::kComplexFloat, at::kComplexDouble, at::kBool, at::kBFloat16,
                              at::kUInt16, at::kUInt32, at::kUInt64, at::kComplexHalf}) {
    TensorBase back = at::fromDLPackVersioned(at::toDLPackVersioned(at::detail::empty_cpu({3}, type)));
    CHECK_EQ(back.scalar_type(), type);
  }
}

void shapes() {
  for (const std::vector<int64_t>& sizes :
       {std::vector<int64_t>{}, {0}, {3, 0, 2}, {1, 1}, {2, 3, 4, 5, 6, 7}}) {
    TensorBase t = at::detail::empty_cpu(sizes, at::kDouble);
    DLManagedTensor* managed = at::toDLPack(t);
    CHECK(sizes.empty() || managed->dl_tensor.strides != nullptr);
    TensorBase back = at::fromDLPack(managed);
    CHECK_EQ(back.sizes(), at::IntArrayRef(sizes));
    CHECK_EQ(back.numel(), t.numel());
  }
}

// Changing the tensor's shape later doesn't reach a struct that is out already.
void exported_shape_is_kept() {
  TensorBase t = at::detail::empty_cpu({2, 3}, at::kFloat);
  DLManagedTensor* managed = at::toDLPack(t);
  t.unsafeGetTensorImpl()->set_sizes_contiguous({6});
  CHECK_EQ(managed->dl_tensor.shape[1], 3);
  managed->deleter(managed);
}

void foreign_memory() {
  int deleted = 0;
  {
    auto* producer = new Producer(&deleted);
    producer->managed.dl_tensor.byte_offset = 8;
    TensorBase t = at::fromDLPackVersioned(&producer->managed);
    CHECK_EQ(t.strides(), at::IntArrayRef({3, 1}));
    CHECK_EQ(t.data_ptr<float>()[0], 2.0f);
    TensorBase copy = t;
    std::thread([moved = std::move(copy)]() mutable { moved.reset(); }).join();
    CHECK_EQ(deleted, 0);
    std::thread([moved = std::move(t)]() mutable { moved.reset(); }).join();
    CHECK_EQ(deleted, 1);
  }
  CHECK_EQ(deleted, 1);
}

void read_only_stays_read_only() {
  int deleted = 0;
  auto* producer = new Producer(&deleted);
  producer->managed.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  TensorBase t = at::fromDLPackVersioned(&producer->managed);
  CHECK_EQ(t.const_data_ptr<float>()[1], 1.0f);
  CHECK_THROWS(t.data_ptr<float>(), c10::ValueError, "read-only");
  CHECK_THROWS(at::toDLPack(t), c10::BufferError, "read-only");
  DLManagedTensorVersioned* again = at::toDLPackVersioned(t, /*is_copied=*/false);
  CHECK_EQ(again->flags, uint64_t{DLPACK_FLAG_BITMASK_READ_ONLY});
  again->deleter(again);
  CHECK_EQ(deleted, 0);
  t.reset();
  CHECK_EQ(deleted, 1);
}

template <class Change>
void refused(Change change, const char* part) {
  int deleted = 0;
  auto* producer = new Producer(&deleted);
  change(*producer);
  CHECK_THROWS(at::fromDLPackVersioned(&producer->managed), c10::Error, part);
  CHECK_EQ(deleted, 1);
}

void refusals_call_the_deleter() {
  refused([](Producer& p) { p.managed.version.major = 2; }, "major version 2");
  refused([](Producer& p) { p.managed.dl_tensor.device.device_type = kDLOpenCL; }, "device type 4");
  refused([](Producer& p) { p.managed.dl_tensor.device.device_type = kDLOneAPI; },
          "no support for device type xpu");
  refused([](Producer& p) { p.managed.dl_tensor.device.device_id = -3; }, "device index");
  refused([](Producer& p) { p.managed.dl_tensor.dtype = {kDLFloat, 32, 4}; }, "lanes");
  refused([](Producer& p) { p.managed.dl_tensor.dtype = {kDLFloat8_e5m2, 8, 1}; }, "type code 12");
  refused([](Producer& p) { p.managed.dl_tensor.dtype = {kDLUInt, 4, 1}; }, "4 bits");
  refused([](Producer& p) { p.managed.dl_tensor.ndim = -1; }, "number of dimensions");
  refused([](Producer& p) { p.managed.dl_tensor.ndim = 1000; }, "number of dimensions");
  refused([](Producer& p) { p.managed.dl_tensor.shape = nullptr; }, "shape");
  refused([](Producer& p) { p.managed.dl_tensor.data = nullptr; }, "null");
  refused([](Producer& p) { p.managed.dl_tensor.byte_offset = 2; }, "aligned");
  refused([](Producer& p) { p.shape[0] = -2; }, "negative size");
  refused([](Producer& p) { p.shape[0] = p.shape[1] = INT64_MAX; }, "overflow");
  refused(
      [](Producer& p) {
        p.managed.dl_tensor.strides = p.strides;
        p.strides[1] = -1;
      },
      "negative strides");
  refused(
      [](Producer& p) {
        p.managed.dl_tensor.strides = p.strides;
        p.strides[0] = INT64_MAX;
      },
      "overflow");
  CHECK_THROWS(at::fromDLPack(nullptr), c10::ValueError, "null pointer");
  CHECK_THROWS(at::toDLPack(TensorBase()), c10::BufferError, "undefined");
  CHECK_THROWS(at::toDLPack(at::detail::empty_meta({1}, at::kFloat)), c10::BufferError, "meta");
}

void a_null_deleter_is_allowed() {
  float data[6] = {};
  int64_t shape[1] = {6};
  DLManagedTensor managed{{data, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, nullptr, 0}, nullptr, nullptr};
  TensorBase t = at::fromDLPack(&managed);
  CHECK(t.const_data_ptr() == data);
}

}  // namespace

int main() {
  RUN(round_trip_shares_memory);
  RUN(all_types);
  RUN(shapes);
  RUN(exported_shape_is_kept);
  RUN(foreign_memory);
  RUN(read_only_stays_read_only);
  RUN(refusals_call_the_deleter);
  RUN(a_null_deleter_is_allowed);
  return check_result();
}
