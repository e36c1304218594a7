// Tensors over memory of one's own: what they show, when it is given back, what is refused.
#include <ATen/ATen.h>

#include <vector>

#include "check.h"

static std::vector<float> numbers() { return {0, 1, 2, 3, 4, 5}; }

static void test_geometry() {
  std::vector<float> memory = numbers();
  const at::Tensor rows = at::from_blob(memory.data(), {2, 3});
  CHECK(rows.is_contiguous());
  CHECK(rows.data_ptr() == memory.data());
  CHECK_EQ(rows[1][0].item<float>(), 3.0f);
  const at::Tensor columns = at::from_blob(memory.data(), {3, 2}, {1, 3});
  CHECK(columns.equal(rows.t()));
  const at::Tensor last = at::from_blob(memory.data(), {2}, {1}, /*storage_offset=*/4, nullptr);
  CHECK_EQ(last.sum().item<float>(), 9.0f);
  const at::Tensor longs = at::from_blob(memory.data(), {3}, at::TensorOptions(at::kLong));
  CHECK(longs.scalar_type() == at::kLong);
  rows.add_(10);
  CHECK_EQ(memory[5], 15.0f);
  CHECK_EQ(at::from_blob(nullptr, {0, 3}).numel(), 0);
}

static void test_deleter() {
  std::vector<float> memory = numbers();
  std::vector<void*> released;
  {
    at::Tensor view;
    {
      const auto note = [&](void* data) { released.push_back(data); };
      view = at::from_blob(memory.data(), {2, 3}, note)[1];
    }
    CHECK(released.empty());
    CHECK_EQ(view.sum().item<float>(), 12.0f);
  }
  CHECK_EQ(released.size(), size_t{1});
  CHECK(released.at(0) == memory.data());
}

static void test_bad_input() {
  std::vector<float> memory = numbers();
  int released = 0;
  const auto count = [&](void*) { released++; };
  CHECK_THROWS(at::from_blob(memory.data(), {-1}), c10::Error, "negative");
  CHECK_THROWS(at::from_blob(memory.data(), {2}, {1, 1}, count), c10::Error, "dimensionality");
  CHECK_THROWS(at::from_blob(memory.data(), {2}, {-1}, count), c10::Error, "negative strides");
  CHECK_THROWS(at::from_blob(memory.data(), {2}, {1}, -1, count), c10::Error, "storage offset");
  CHECK_THROWS(at::from_blob(nullptr, {2}), c10::Error, "the address is null");
  CHECK_EQ(released, 3);  // it is given back all the same
  CHECK_THROWS(at::from_blob(memory.data(), {6}).resize_({7}), c10::Error, "not resizable");
}

int main() {
  check::run("geometry", test_geometry);
  check::run("deleter", test_deleter);
  check::run("bad input", test_bad_input);
  return check_result();
}
